// SPDX-License-Identifier: Apache-2.0
// run: k global 2
// arg: buffer int 0 1
// arg: out int 2
// expect: arg1 int 105 207
void bump(int *p, int by)
{
    *p += by;
}

kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0), x = 100, y = 200;
    int *p = a[i] ? &y : &x;
    bump(p, 5 + 2 * i);
    b[i] = *p;
}
