// SPDX-License-Identifier: Apache-2.0
// 0 - 0 is 0, also if only the driver can deduce the first 0: from a work-group of one work-item, from an array of integers.
// run: items global 2 local 1
// arg: buffer int 0 5
// arg: out uint 2
// expect: arg1 uint 0 0xc0a00000
kernel void items(global const int *x, global uint *r)
{
    float mine = (float)get_local_id(0);
    r[get_group_id(0)] = as_uint(mine - (float)x[get_group_id(0)]);
}
// run: array global 2 local 1
// arg: buffer int 0 5
// arg: out uint 2
// expect: arg1 uint 0 0xc0e00000
kernel void array(global const int *x, global uint *r)
{
    ulong a[8] = {0, 0, 0, 0, 0, 7};
    uint i = get_global_id(0);
    float zero = (float)a[7];
    for (int k = 0; k < 2; k++)
        r[i] = as_uint(zero - fabs((float)(a[(uint)x[i] & 7] % 4194304)));
}
