// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.9: private arrays with variable indices belong to each work-item, in groups of any size.
// run: blind global 1024 local 256
// arg: buffer uint 0
// expect: arg0 uint 1024
// run: blind global 18 15 6 local 9 5 3
// arg: buffer uint 0
// expect: arg0 uint 1620
// run: blind global 77
// arg: buffer uint 0
// expect: arg0 uint 77
kernel void blind(global uint *good)
{
    uint a[100], x = (get_global_id(2) * 1000 + get_global_id(1) * 100 + get_global_id(0)) * 2654435761u + 7, sum = 0, all = 0;
    for (int k = 0; k < 100; k++)
        a[k] = 0;
    for (int r = 0; r < 60; r++) {
        x = x * 1664525u + 1013904223u;
        a[(x >> 16) % 100] += x;
        sum += x;
    }
    for (int k = 0; k < 100; k++)
        all += a[k];
    if (all == sum)
        atomic_inc(good);
}

// run: seeing global 1024 local 512
// arg: buffer uint 0
// expect: arg0 uint 1024
// run: seeing global 64 local 32
// arg: buffer uint 0
// expect: arg0 uint 64
// run: seeing global 96
// arg: buffer uint 0
// expect: arg0 uint 96
kernel void seeing(global uint *good)
{
    local uint count;
    uint a[24], x = get_local_id(0) + 1, sum = 0, all = 0;
    if (get_local_id(0) == 0)
        count = 0;
    for (int k = 0; k < 24; k++)
        a[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 60; r++) {
        x = x * 1664525u + 1013904223u;
        a[(x >> 16) % 24] += x;
        sum += x;
        if (r == 30)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 24; k++)
        all += a[k];
    if (all == sum)
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(good, count);
}

// run: fixed global 256
// arg: buffer uint 0
// expect: arg0 uint 256
kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fixed(global uint *good)
{
    ushort a[40];
    uint x = get_local_id(0), sum = 0, all = 0;
    for (int k = 0; k < 40; k++)
        a[k] = 0;
    for (int r = 0; r < 60; r++) {
        x = x * 1664525u + 1013904223u;
        a[(x >> 16) % 40] += x >> 24;
        sum += x >> 24;
    }
    for (int k = 0; k < 40; k++)
        all += a[k];
    if (all == sum)
        atomic_inc(good);
}
