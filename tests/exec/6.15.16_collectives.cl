// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_work_group_collective_functions
// needs: __opencl_c_generic_address_space
// run: integers global 12 local 6
// arg: buffer int 3 1 4 1 5 9 -2 6 -5 3 5 8
// arg: out int 84
// expect: arg1 int 23 3 0 1 2147483647 3 -2147483648 23 4 3 1 3 3 3 23 8 4 1 1 4 3 23 9 8 1 1 4 4 23 14 9 1 1 5 4 23 23 14 1 1 9 5 15 -2 0 -5 2147483647 -2 -2147483648 15 4 -2 -5 -2 6 -2 15 -1 4 -5 -2 6 6 15 2 -1 -5 -5 6 6 15 7 2 -5 -5 6 6 15 15 7 -5 -5 8 6
kernel void integers(global int *in, global int *out)
{
    int x = in[get_global_id(0)], *o = out + 7 * get_global_id(0);
    o[0] = work_group_reduce_add(x);
    o[1] = work_group_scan_inclusive_add(x);
    o[2] = work_group_scan_exclusive_add(x);
    o[3] = work_group_reduce_min(x);
    o[4] = work_group_scan_exclusive_min(x);
    o[5] = work_group_scan_inclusive_max(x);
    o[6] = work_group_scan_exclusive_max(x);
}
// run: votes global 4 5 local 2 5
// arg: buffer int 0 1 2 3
// arg: out int 6
// expect: arg1 int 1 0 0 1 0 1
kernel void votes(global int *k, global int *out)
{
    int i = (int)get_global_linear_id();
    int any = work_group_any(i == k[3]), all = work_group_all(i % 4 != k[0]), none = work_group_any(i < k[0]);
    if (get_local_id(0) == 1 && get_local_id(1) == 4) {
        int g = (int)get_group_id(0) * 3;
        out[g] = !any; out[g + 1] = all; out[g + 2] = none;
        if (g) out[g] = any, out[g + 1] = none, out[g + 2] = all;
    }
}
// run: broadcast global 8 4 2 local 4 4 2
// arg: out uint 6
// expect: arg0 uint 0 31 15 4 31 15
kernel void broadcast(global uint *out)
{
    uint i = (uint)(get_global_id(0) + get_local_id(1) * 0), l = (uint)get_local_linear_id();
    uint a = work_group_broadcast(i, (size_t)0, (size_t)2, (size_t)1);
    uint b = work_group_broadcast(l, get_local_size(0) - 1, get_local_size(1) - 1, get_local_size(2) - 1);
    uint c = work_group_broadcast(l, 3, 3, 0);
    if (l == 5) {
        uint g = (uint)get_group_id(0) * 3;
        out[g] = a; out[g + 1] = b; out[g + 2] = c;
    }
}
// run: wide global 100 local 100
// arg: out long 3
// arg: out float 4
// expect: arg0 long 49500000000000 99000000000 -1
// expect: arg1 float 4950 99 -inf 45
kernel void wide(global long *out, global float *f)
{
    long i = (long)get_global_id(0);
    long sum = work_group_reduce_add(i * 10000000000l), least = work_group_reduce_max(i * 1000000000l);
    ulong u = work_group_scan_exclusive_min((ulong)i);
    float s = work_group_reduce_add((float)i), m = work_group_reduce_max((float)i);
    float e = work_group_scan_exclusive_max((float)i), t = work_group_scan_exclusive_add((float)i);
    if (i == 0) out[0] = sum, out[1] = least, out[2] = (long)u, f[0] = s, f[1] = m, f[2] = e;
    if (i == 10) f[3] = t;
}
