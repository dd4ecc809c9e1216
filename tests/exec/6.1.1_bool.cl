// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 0 1 256
// arg: out int 3
// arg: out uchar 3
// expect: arg1 int 0 1 1
// expect: arg2 uchar 0 1 1
bool truth(int x)
{
    return x;
}

kernel void k(global int *a, global int *b, global uchar *c)
{
    int i = get_global_id(0);
    bool t = truth(a[i]);
    b[i] = t;
    bool flags[3] = {false, false, false};
    flags[i] = a[i];
    c[i] = flags[i];
}
