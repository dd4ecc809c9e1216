// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_device_enqueue
// Without a queue on the device nothing is enqueued, and enqueue_kernel returns an error. tests/api/device_queue.c enqueues kernels.
// run: unread global 2
// arg: out int 4
// expect: arg0 int -10 -10 0 0

kernel void unread(global int *out)
{
    int id = get_global_id(0);
    out[2 + id] = 0;
    int said = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[2 + id] = 1; });
    out[id] = said == CLK_SUCCESS ? 0 : -10;
}
