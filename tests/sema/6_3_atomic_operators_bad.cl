// options: -cl-std=CL3.0
// Operators do not read or write atomic variables; conditions and conversions may read them, as in clang.
typedef atomic_int counter;
struct pair { atomic_int a; int b; };
global atomic_int good = ATOMIC_VAR_INIT(1);
global counter also[2] = {1, 2};
global struct pair p = {1, 2};
constant atomic_int bad = 1;
kernel void k(global atomic_int *a, local counter *l, global atomic_float *f, global struct pair *q, global int *o)
{
    *a = 1;
    a[1] = *l;
    o[0] = *a;
    *a += 1;
    a[0]++;
    --*l;
    o[0] = *a + 1;
    o[1] = 1 << *l;
    o[2] = -*a;
    o[3] = !*a;
    o[4] = *a == 1;
    o[5] = *a && 1;
    o[6] = (*a, 1);
    f[0] = 1.0f;
    o[7] = q->a;
    q->b = o[8];
    atomic_int x = 1;
    const atomic_int y = 2;
    atomic_int z;
    z = 1;
    o[9] = (atomic_int)1;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    atomic_init(&z, 3);
    static global atomic_int s = 3;
    if (*a)
        o[10] = (int)*a;
    global int *plain = (global int *)a;
    struct pair copy = *q;
    atomic_store(&z, atomic_fetch_add(a, abs(*l)));
    o[11] = sizeof(*a) + (a == a + 1) + copy.b;
}
// SPDX-License-Identifier: Apache-2.0
