// options: -cl-std=CL2.0 --no-enqueue
kernel void k()
{
    enqueue_marker(0, 0, 0, 0);
}
// SPDX-License-Identifier: Apache-2.0
