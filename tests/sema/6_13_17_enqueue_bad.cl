// options: -cl-std=CL2.0
kernel void k(global int *p, queue_t q) {
    ndrange_t n = ndrange_1D(1);
    clk_event_t e;
    enqueue_kernel(q, 0, n, ^(int a){ }, 4);
    enqueue_kernel(q, 0, n, ^(local void *a){ });
    enqueue_kernel(q, 0, n, ^{ }, 4);
    enqueue_kernel(q, 0, n, ^(local void *a){ }, 4.0f);
    enqueue_kernel(0, 0, n, ^{ });
    enqueue_kernel(q, 0, 0, ^{ });
    enqueue_kernel(q, 0, n, 0);
    enqueue_kernel(q, 1.5f, n, ^{ });
    enqueue_kernel(q, 0, n, 1, p, 0, ^{ });
    enqueue_kernel(q, 0, n);
    enqueue_marker(q, 1, 0);
    ndrange_2D(3);
    get_kernel_work_group_size(3);
    !e;
    e = 0;
}
global queue_t outside;
kernel void range(ndrange_t n) { }
kernel void event(clk_event_t e) { }
// SPDX-License-Identifier: Apache-2.0
