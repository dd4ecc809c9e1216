// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 0 1 2 3
// arg: buffer int 0 0 0 0
// arg: out int 4
// expect: arg1 int 1 0 0 0
// expect: arg2 int 0 1 1 1
int touch(global int *p)
{
    *p += 1;
    return 1;
}

kernel void k(global int *a, global int *count, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i] || (touch(&count[i]) && 0);
}
