// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 --no-enqueue --no-pipes
// Pipes and device enqueue say which feature is missing; their names stay free for the program's own.
typedef struct { int x; } clk_event_t;
kernel void producer(write_only pipe int out, global int *p)
{
    write_pipe(out, p);
}
kernel void parent(queue_t queue, global int *p)
{
    clk_event_t own = {1};
    ndrange_t range = ndrange_1D(8);
    int (^block)(int) = ^(int x) { return x + own.x; };
    reserve_id_t id;
    enqueue_kernel(get_default_queue(), 0, range, p);
}
