// SPDX-License-Identifier: Apache-2.0
// needs: __opencl_c_subgroups
// options: -cl-std=CL3.0
// Sub-groups are consecutive local linear ids; for every sub-group size the results equal serial sums over local memory.
// run: ids global 39 5 2 local 13 3 2
// arg: out uint 390
// expect: arg0 uint 0*390
// run: k global 107 local 39
// arg: out uint 107
// expect: arg0 uint 0*107
// run: k global 64 local 64
// arg: out uint 64
// expect: arg0 uint 0*64
kernel void ids(global uint *out)
{
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2), most = get_max_sub_group_size();
    uint linear = get_local_linear_id(), bad = 0;
    bad |= (get_sub_group_id() * most + get_sub_group_local_id() != linear) << 0;
    bad |= (get_num_sub_groups() != (items + most - 1) / most) << 1;
    bad |= (get_enqueued_num_sub_groups() != (13 * 3 * 2 + most - 1) / most) << 2;
    bad |= (get_sub_group_size() != min(most, items - get_sub_group_id() * most)) << 3;
    bad |= (most & (most - 1) || !most) << 4;
    out[get_global_linear_id()] = bad;
}
#define VALUE(i) ((i) * 2654435761u >> 7)
kernel void k(global uint *out)
{
    local uint shared[64];
    uint l = get_local_linear_id(), first = get_sub_group_id() * get_max_sub_group_size();
    uint end = first + get_sub_group_size(), bad = 0;
    uint x = VALUE(l);
    uint sum = 0, low = ~0u, high = 0, sum_in = 0, low_in = ~0u, high_in = 0, sum_ex = 0, low_ex = ~0u, high_ex = 0;
    for (uint i = first; i < end; i++) {
        uint v = VALUE(i);
        if (i < l)
            sum_ex += v, low_ex = min(low_ex, v), high_ex = max(high_ex, v);
        if (i <= l)
            sum_in += v, low_in = min(low_in, v), high_in = max(high_in, v);
        sum += v, low = min(low, v), high = max(high, v);
    }
    bad |= (sub_group_reduce_add(x) != sum) << 0;
    bad |= (sub_group_reduce_min(x) != low) << 1;
    bad |= (sub_group_reduce_max(x) != high) << 2;
    bad |= (sub_group_scan_inclusive_add(x) != sum_in) << 3;
    bad |= (sub_group_scan_inclusive_min(x) != low_in) << 4;
    bad |= (sub_group_scan_inclusive_max(x) != high_in) << 5;
    bad |= (sub_group_scan_exclusive_add(x) != sum_ex) << 6;
    bad |= (sub_group_scan_exclusive_min(x) != low_ex) << 7;
    bad |= (sub_group_scan_exclusive_max(x) != high_ex) << 8;
    bad |= (sub_group_broadcast(x, get_sub_group_size() - 1) != VALUE(end - 1)) << 10;
    bad |= (sub_group_broadcast(x, 0) != VALUE(first)) << 11;
    bad |= (!sub_group_all(l >= first) || sub_group_all(l != first)) << 12;
    bad |= (sub_group_any(l < first) || !sub_group_any(l == end - 1)) << 13;
    shared[l] = x;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    bad |= (shared[first + end - 1 - l] != VALUE(first + end - 1 - l)) << 14;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    float real = (int)(x & 255) - 100, total = 0, before = 0, least = INFINITY;
    for (uint i = first; i < end; i++) {
        float v = (int)(VALUE(i) & 255) - 100;
        total += v;
        if (i < l)
            before += v, least = min(least, v);
    }
    bad |= (sub_group_reduce_add(real) != total) << 15;
    bad |= (sub_group_scan_exclusive_add(real) != before) << 16;
    bad |= (sub_group_scan_exclusive_min(real) != least) << 17;
    int number = (int)x - (1 << 24), greatest = INT_MIN;
    for (uint i = first; i < l; i++)
        greatest = max(greatest, (int)VALUE(i) - (1 << 24));
    bad |= (sub_group_scan_exclusive_max(number) != greatest) << 18;
    long wide = (long)number << 33, widest = LONG_MAX, all = 0;
    for (uint i = first; i < end; i++) {
        long v = (long)((int)VALUE(i) - (1 << 24)) << 33;
        if (i <= l)
            widest = min(widest, v);
        all += v;
    }
    bad |= (sub_group_scan_inclusive_min(wide) != widest) << 19;
    bad |= (sub_group_reduce_add(wide) != all) << 20;
    out[get_global_id(0)] = bad;
}
