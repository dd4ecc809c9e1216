// SPDX-License-Identifier: Apache-2.0
// needs: __opencl_c_work_group_collective_functions
// options: -cl-std=CL3.0
// run: k global 6 4 2 local 3 2 2
// arg: out uint 48
// expect: arg0 uint 25032 25032 25032 28035 28035 28035 25032 25032 25032 28035 28035 28035 37044 37044 37044 40047 40047 40047 37044 37044 37044 40047 40047 40047 25032 25032 25032 28035 28035 28035 25032 25032 25032 28035 28035 28035 37044 37044 37044 40047 40047 40047 37044 37044 37044 40047 40047 40047
// run: votes global 33 local 11
// arg: out int 33
// expect: arg0 int 5 5 5 5 5 5 5 5 5 5 5 0 0 0 0 0 0 0 0 0 0 0 3 3 3 3 3 3 3 3 3 3 3
// run: u global 9 local 9
// arg: out uint 9
// arg: out ulong 9
// expect: arg0 uint 4294967288 4294967288 4294967288 4294967288 4294967288 4294967288 4294967288 4294967288 4294967288
// expect: arg1 ulong 18446744073709551615 5 5 5 5 5 5 5 5
// run: loop global 24 local 12
// arg: out int 24
// expect: arg0 int 198 201 207 216 228 243 261 282 306 333 363 396 198 201 207 216 228 243 261 282 306 333 363 396
kernel void k(global uint *out)
{
    uint x = get_global_id(0) + 6 * get_global_id(1) + 24 * get_global_id(2);
    out[x] = work_group_broadcast(x, 2, 1, 1) + 1000 * work_group_broadcast((ulong)x, 1, 0, 1);
}
kernel void votes(global int *out)
{
    int i = get_global_id(0);
    out[i] = (work_group_all(i != 15) != 0) + 2 * (work_group_any(i == 30) != 0) + 4 * (work_group_all(i < 11) != 0);
}
kernel void u(global uint *out, global ulong *wide)
{
    uint i = get_local_id(0);
    out[i] = work_group_reduce_max(-(i + 8));
    wide[i] = work_group_scan_exclusive_min((ulong)i + 5);
}
int twice(int x)
{
    return work_group_reduce_add(x) + work_group_scan_inclusive_add(x);
}
kernel void loop(global int *out)
{
    int x = get_local_id(0), sum = 0;
    for (int i = 0; i < 3; i++)
        sum += twice(x * i);
    out[get_global_id(0)] = sum;
}
