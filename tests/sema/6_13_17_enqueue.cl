// options: -cl-std=CL2.0
kernel void k(global int *p, queue_t q) {
    int x = 3;
    clk_event_t e, ev[2];
    queue_t q2 = get_default_queue();
    ndrange_t n = ndrange_1D(3), nn;
    nn = n;
    size_t gs[2] = {1, 2};
    ndrange_2D(gs); ndrange_2D(gs, gs); ndrange_2D(gs, gs, gs); ndrange_1D(1, 2); ndrange_1D(1, 2, 3);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, ^{ p[0] = x; });
    enqueue_kernel(q, 0, n, 0, NULL, NULL, ^{ p[0] = x; });
    enqueue_kernel(q, 0, n, 1, &e, &e, ^{ p[0] = x; });
    enqueue_kernel(q, 0, n, 2, ev, &e, ^(local void *a){ }, 4);
    enqueue_kernel(q, 0, n, ^(local void *a, local void *b){ }, 4, (size_t)8);
    enqueue_kernel(q, 0, n, ^(local int *a){ }, 4);
    enqueue_kernel(q, 0, n, ^{ queue_t q3 = q; release_event(e); });
    int r = enqueue_marker(q, 2, ev, &e);
    retain_event(e);
    e = create_user_event();
    set_user_event_status(e, CL_COMPLETE);
    bool b = is_valid_event(e);
    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, p);
    uint w = get_kernel_work_group_size(^{ }) + get_kernel_work_group_size(^(local void *a){ });
    w = get_kernel_preferred_work_group_size_multiple(^{ });
    w = get_kernel_max_sub_group_size_for_ndrange(n, ^{ }) + get_kernel_sub_group_count_for_ndrange(n, ^{ });
    struct s { queue_t a; clk_event_t b; ndrange_t n; };
    if (e == ev[0] || q == q2 || e != CLK_NULL_EVENT)
        q2 = CLK_NULL_QUEUE;
}
// SPDX-License-Identifier: Apache-2.0
