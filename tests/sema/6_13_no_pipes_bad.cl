// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0 --no-enqueue --no-pipes
// Errors for pipes and device enqueue name the missing feature; the program may use their names for its own functions.
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
