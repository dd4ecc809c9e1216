// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// Comparisons and conditions with a constant result or an unexpected meaning; unsequenced evaluations.
#define SAME(a, b) ((a) == (b))
#define MANY 4
enum color { RED, GREEN, BLUE };
struct S { int a, b[4]; };
int callee(int a, int b) { return a + b; }
kernel void ranges(global int *p, int n, uint u, char c, uchar uc, short s)
{
    p[0] = c == 300;
    p[1] = c >= 128;
    p[2] = 128 > c;
    p[3] = c < -128;
    p[4] = c == -128;
    p[5] = uc != -1;
    p[6] = uc < 0;
    p[7] = s == 32768;
    p[8] = n == 4294967296;
    p[9] = u == 0xffffffffffffffff;
    p[10] = u == -1;
    p[11] = (n > 3) == 2;
    p[12] = (n > 3) == 1;
    p[13] = !n >= 0;
    p[14] = 1 < n < 3;
}
kernel void places(global int *p, global struct S *s, int n, int4 v)
{
    int a[4], b[4];
    struct S t = {1};
    p[0] = n == n;
    p[1] = n < n;
    p[2] = SAME(n, n);
    p[3] = t.a != t.a;
    p[4] = s->a == s->a;
    p[5] = a[1] == a[1];
    p[6] = p[n] == p[n];
    p[7] = a == 0;
    p[8] = &n != 0;
    p[9] = p == 0;
    if (a) p[10] = 1;
    if (!t.b) p[11] = 1;
    if (&t.a && n) p[12] = 1;
    if (&p[1]) p[13] = 1;
    p[14] = "a" == 0;
}
kernel void truths(global int *p, int n, uint u)
{
    p[0] = n && 4;
    p[1] = n || MANY;
    p[2] = n && 1;
    p[3] = n && BLUE;
    p[4] = n & 4 == 4;
    p[5] = n < 3 & u;
    p[6] = n < 3 & u > 2;
    p[7] = n < 3 | u & 2;
    p[8] = !n & 4;
    if ((n == 3)) p[9] = 1;
    if ((n != 3)) p[9] = 1;
    if ((3 == n)) p[9] = 1;
    if (SAME(n, 3)) p[9] = 1;
    while ((p[1] == 3)) p[9] = 1;
    p[10] = (n == 3) ? 1 : 2;
}
kernel void order(global int *p, int i, int j)
{
    int a[4], k = i++ + i++;
    i = i++;
    i = ++i + 1;
    a[i] = i++;
    a[i++] = i;
    j = i++ + i;
    j = (i = 3) + i;
    i = callee(i++, 3);
    i = callee(i++, i);
    i = (i++, 3);
    j = i++ && i++;
    j = i++ ? i : i++;
    i += i++;
    i += i;
    j = *p++ + *p++;
    j = i = i + 1;
    i++, i++;
    p[i++] = p[j++] + k;
}
kernel void through(global int *p, int n)
{
    p[0] = *p == *p;
    p[1] = p[2] == p[2];
    p[2] = *p != p[0];
}
