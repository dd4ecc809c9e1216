// OpenCL C 6.5: pointers in variables, structures and arrays; pointers to pointers; wide vectors in memory.
struct list { global int *data; int n; };
global int *pick(global int *a, global int *b, int which) { return which ? b : a; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
void advance(global int **p) { *p += 1; }
int sum(struct list l) { int s = 0; for (int i = 0; i < l.n; i++) s += l.data[i]; return s; }
struct list make(global int *p, int n) { struct list l; l.data = p; l.n = n; return l; }
// run: pointers global 2 local 2
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: out int 8
// expect: arg1 int 26 5 2 6 36 7 2 5
kernel void pointers(global int *in, global int *out)
{
    int i = get_global_id(0);
    struct list l[2];
    l[0] = make(in + 2, 4 - i);
    l[1] = make(pick(in, in + 1, i), 8 - i);
    global int *p = l[i].data;
    l[i].n += i ? 0 : 2;
    advance(&p);
    int a[3] = {*p, i, 2};
    swap(&a[i], &a[2]);
    out[4 * i] = i ? sum(l[1]) + 1 : sum(l[0]) - 7;
    out[4 * i + 1] = sum(l[i]) / 7 + (i ? 2 : 1);
    int *q[2] = {a, a + 1};
    int **qq = q;
    out[4 * i + 2] = *qq[i];
    out[4 * i + 3] = (int)(&q[i] - q) + 6 - 2 * i;
}
// run: wide global 1 local 1
// arg: buffer int 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// arg: out int 36
// expect: arg1 int 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 15 14 13 12 11 10 9 8 8 9 10 11 12 13 14 15 7 9 11 *
kernel void wide(global int *in, global int *out)
{
    local int16 t[2];
    int8 v[2];
    t[0] = vload16(0, in + 1);
    t[1] = t[0] - 1;
    vstore16(t[0], 0, out);
    int x = in[1];
    v[x] = t[1].sfedcba98.s01234567;
    v[0] = t[x].s89abcdef;
    v[0].s0 += 0;
    ((int *)&v[1])[x + 6] = 8;
    vstore8(v[1], 2, out);
    vstore8(v[0], 3, out);
    int3 w = t[0].s012 + (int3)(6, 7, 8);
    local int3 *h = (local int3 *)t;
    h[1] = w;
    vstore3(h[x], 0, out + 32);
    out[35] = ((local int *)t)[7] - 8;
}
// run: narrow global 4 local 4
// arg: out uchar 16
// expect: arg0 uchar 1 0 1 0 4 3 2 1 0 1 2 3 9 0 0 1
kernel void narrow(global uchar *out)
{
    int i = get_global_id(0);
    bool b[4];
    for (int k = 0; k < 4; k++) b[k] = !(k & 1);
    uchar4 c = (uchar4)(4, 3, 2, 1);
    local ushort2 s[4];
    s[i] = (ushort2)(i, i << 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = b[i];
    out[4 + i] = ((uchar *)&c)[i];
    out[8 + i] = ((local uchar *)s)[4 * i];
    barrier(CLK_LOCAL_MEM_FENCE);
    ((local uchar *)s)[4 * (3 - i) + 3] = 3 - i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[12 + i] = i == 0 ? 9 : i == 3 ? s[0].y >> 8 : s[i].x - i;
}
// SPDX-License-Identifier: Apache-2.0
