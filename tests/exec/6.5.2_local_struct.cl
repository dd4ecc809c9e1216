// SPDX-License-Identifier: Apache-2.0
// run: k global 4 local 4
// arg: out int 4
// expect: arg0 int 11 22 33 0
struct s {
    int a;
    short b;
};

kernel void k(global int *out)
{
    local struct s t[4];
    int l = get_local_id(0);
    t[l].a = l * 10;
    t[l].b = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int m = (l + 1) % 4;
    out[l] = t[m].a + t[m].b;
}
