// SPDX-License-Identifier: Apache-2.0
// run: k global 2
// arg: buffer int 1 2 3 4
// arg: out int 2
// expect: arg1 int 4 3
struct node {
    global int *p;
    int step;
};

kernel void k(global int *a, global int *out)
{
    struct node n[2] = {{a + 3, -1}, {a, 2}};
    int i = get_global_id(0);
    out[i] = i ? *(n[i].p + n[i].step) : *n[i].p;
}
