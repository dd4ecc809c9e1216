// SPDX-License-Identifier: Apache-2.0
// run: chosen global 4
// arg: buffer int 1 2 3 4
// arg: buffer int 10 20 30 40
// arg: out int 4
// arg: null
// expect: arg0 int 1 102 3 104
// expect: arg1 int 110 20 130 40
// expect: arg2 int 11 3 31 5
// run: kept global 1
// arg: buffer ulong 0 0 0 0 0 0 0 0
// arg: buffer ulong 0 0 0 0 0 0 0 0
// arg: out int 4
// expect: arg2 int 60 6 4 1
// run: numbers global 1
// arg: buffer int 5 6 7 8 9 10 11 12 13 14
// arg: buffer int 0 0
// arg: out int 6
// expect: arg2 int 5 1 14 8 1 -2
// run: added global 64
// arg: buffer int 0 0
// arg: buffer float 0 0
// arg: buffer int 0 0
// expect: arg0 int 32 0
// expect: arg2 int 96 0
// The buffer of a pointer is selected at run time.
kernel void chosen(global int *a, global int *b, global int *c, global int *none)
{
    size_t i = get_global_id(0);
    global int *p = i & 1 ? a : b, *q = none;
    c[i] = p[i] + 1;
    if (q) q[i] = 5;
    if (i & 1) q = p + i;
    else q = &b[i];
    *q += 100;
}
struct node { global struct node *next; int value, rest; };
kernel void kept(global struct node *a, global struct node *b, global int *o)
{
    for (int i = 0; i < 3; i++) {
        a[i].value = i + 1;
        b[i].value = 10 * i + 10;
        a[i].next = b + i;
        b[i].next = i < 2 ? a + i + 1 : 0;
    }
    int sums[2] = {0, 0}, steps = 0;
    for (global struct node *p = a; p; p = p->next, steps++)
        sums[p->value >= 10] += p->value;
    global struct node *held[2] = {b[1].next, 0};
    o[0] = sums[1];
    o[1] = sums[0];
    o[2] = steps - (held[0] == a + 2) * 2;
    o[3] = !held[1] && a[0].next != b + 1;
}
kernel void numbers(global int *a, global int *b, global int *o)
{
    global int *end = a + 10, *p = a - 1;
    int n = 0, last = 0;
    while (++p != end) n += *p == 9 || p == end - 1, last = *p;
    o[0] = a[0];
    o[1] = n - 1;
    o[2] = last;
    global int *even = (global int *)(((size_t)(a + 2) + 15) / 16 * 16 - 4);
    o[3] = *even;
    o[4] = (size_t)a != (size_t)b && (size_t)b != 0;
    o[5] = (int)(&a[3] - &a[5]);
}
kernel void added(global int *a, global float *f, global int *b)
{
    size_t i = get_global_id(0);
    volatile global int *p = i < 32 ? a : b;
    atomic_inc(p);
    if (p == b) atomic_add(p, 2);
}
