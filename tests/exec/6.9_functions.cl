// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 1 5 10
// arg: out int 3
// expect: arg1 int 4 44 129
int square(int x)
{
    return x * x;
}

int twice(int x)
{
    return square(x) + square(x + 1) - 1;
}

static inline void put(global int *p, int v)
{
    *p = v;
}

kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0);
    put(&b[i], twice(a[i]) - (i == 0 ? 0 : i == 1 ? 16 : 91));
}
