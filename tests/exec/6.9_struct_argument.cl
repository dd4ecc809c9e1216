// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: int 1 2 3 4
// arg: out int 3
// expect: arg1 int 10 4 2
struct s {
    int a;
    int b[2];
    int c;
};

kernel void k(struct s s, global int *out)
{
    out[0] = s.a + s.b[0] + s.b[1] + s.c;
    s.a += 3;
    out[1] = s.a;
    int i = s.a - 4;
    out[2] = s.b[i];
}
