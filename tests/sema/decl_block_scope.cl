void f(void)
{
    local int a;
    constant int b = 1;
    static int c;
    global int d;
    auto int e;
    register int r;
    void v;
    struct unknown u;
    int v[];
    image2d_t image;
}
kernel void k(int n)
{
    local int a = 1;
    { local int b; }
    if (n) { constant int c = 1; }
    constant int d;
    local int fine[4];
    int vla[n], negative[-1];
}
// SPDX-License-Identifier: Apache-2.0
