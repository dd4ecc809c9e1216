// SPDX-License-Identifier: Apache-2.0
// a ?: b, old-style functions, names of functions, designated ranges, labelled initialisers.
// options: -cl-std=CL1.2
// run: choose global 1
// arg: buffer int 0 3 0 -1
// arg: out int 10
// arg: out ulong 1
// expect: arg0 int 1 4 2 -1
// expect: arg1 int 7 3 1 2 7 3 0 5 -1 2
// expect: arg2 ulong 0xffffffffffffffff
kernel void choose(global int *x, global int *r, global ulong *l)
{
    int own = 5;
    r[0] = x[0]++ ?: 7;
    r[1] = x[1]++ ?: 7;
    r[2] = x[2]++ ?: x[2]++ ?: 7;
    r[3] = 2 ?: 3;
    r[4] = (x[0] - 1) ?: 7;
    r[5] = 0 ?: 3;
    for (int i = 0; i < 2 && ((i - 1) ?: 0); i++)
        r[6] = i;
    global int *none = 0;
    *(none ?: r + 7) = *(&own ?: 0);
    l[0] = (char)-1 ?: 4ul;
    int4 v = (int4)(0, -1, 2, 0) ?: (int4)(4, 5, 2, 7); // selected by the top bit
    r[8] = v.y;
    r[9] = v.z;
}

int sum(a, b, p)
    int a;
    const float b;
    global int *p;
{
    return a + (int)b + *p;
}

kernel void old(r, n) global int *r; int n;
{
    r[0] = sum(n, 2.5f, r + 1);
}

// run: old global 1
// arg: buffer int 0 10
// arg: int 100
// expect: arg0 int 112 10

// run: names global 1
// arg: out char 16
// expect: arg0 char 110 97 109 101 115 0 6 104 110 * 0 * * * * *
char helper(void) { return __func__[0]; }
constant char letter = "abn"[2];
kernel void names(global char *r)
{
    for (int i = 0; i < 6; i++)
        r[i] = __func__[i];
    r[6] = sizeof __FUNCTION__;
    r[7] = helper();
    r[8] = letter;
    r[10] = __func__[5];
}

// run: ranges global 1
// arg: out int 40
// expect: arg0 int 0 0 7 7 7 7 8 0 28 1 1 2 2 9 0 7 7 0 7 7 0 7 7 8 0 0 0 3 4 3 4 5 6 1 3 2 5 5 0 *
struct triple { int x[3], y; };
constant int everywhere[4] = {[0 ... 3] = 5, [2] = 0};
kernel void ranges(global int *r)
{
    int a[8] = {[2 ... 5] = 7, 8};
    int open[] = {[0 ... 1] = 1, [2 ... 5] = 2, [5] = 9, 0};
    struct { int x[3]; } b[3] = {[0 ... 2].x[1 ... 2] = 7};
    struct triple c[2] = {[0 ... 1].x[2] = 7, 8};
    struct { int a, b; } d[3] = {[0 ... 2] = {1, 2}, [0 ... 1] = {3, 4}, [2] = {5, 6}};
    struct { int a, b; } e = {b: 3, a: 1};
    int f[2] = {[1] 2};
    for (int i = 0; i < 8; i++)
        r[i] = a[i];
    r[8] = sizeof open;
    r[9] = open[0];
    r[10] = open[1];
    r[11] = open[2];
    r[12] = open[4];
    r[13] = open[5];
    for (int i = 0; i < 9; i++)
        r[14 + i] = b[i / 3].x[i % 3];
    r[23] = c[1].y;
    r[24] = c[0].y;
    r[25] = c[0].x[0];
    r[26] = c[1].x[1];
    for (int i = 0; i < 6; i++)
        r[27 + i] = i & 1 ? d[i / 2].b : d[i / 2].a;
    r[33] = e.a;
    r[34] = e.b;
    r[35] = f[1];
    r[36] = everywhere[1];
    r[37] = everywhere[3];
    r[38] = everywhere[2];
}
