// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// Constant indices out of bounds, also in nested arrays and structs: one warning for each.
struct S { int a[4]; int4 v[2]; int last[1]; };
union U { int a[4]; float b[2]; };
kernel void k(global int *p, int n, global struct S *s)
{
    int a[2][3], b[5];
    struct S t, ts[2];
    union U u;
    a[0][3] = 1;
    a[2][0] = 1;
    a[1][2] += a[2][3];
    a[1][3] += 1;
    a[0][5]++;
    t.a[4] = 1;
    t.last[3] = 1;
    u.a[5] = 1;
    u.b[3] = 1;
    s->a[5] = n;
    ts[2].a[1] = n;
    p[1] = s[5].a[4];
    int *q = &a[1][3];
    q = &a[1][4];
    q = &a[2][0];
    q = &ts[2].a[0];
    q = &ts[1].a[4];
    q = &ts[1].a[5];
    p[2] = *q;
    p[3] = *(&a[0][2]);
    p[4] = (*(a + 2))[1];
    ts[3] = t;
    t = ts[4];
    b[5] += 1;
    b[6]++;
    ++b[-1];
    p[6] = sizeof(b[7]) + sizeof(t.a[9]);
    (&b[2])[4] = 1;
}
