// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// No run-time warnings for dead code: constants disable parts of a kernel. Other warnings remain.
#define COUNT 0
int divide(int n)
{
    if (COUNT) { return n / COUNT; } else { return n; }
}
kernel void branches(global int *p, int n)
{
    int a[4];
    if (COUNT > 0) n = n / COUNT;
    if (0) { a[5] = 1; char c = 300; float f = 16777217; n = n++ + n++; if (c == 300) n++; }
    if (1) n++; else n = n % COUNT;
    if (0) n++; else n = n % COUNT;
    while (0) n = n / 0;
    for (; COUNT;) n = n / 0;
    do n = n / 0; while (0);
    const int zero = 0;
    if (zero || (n && COUNT)) n = n / COUNT;
    if (n || 1) n++; else if (n) n = n / COUNT; else n = n / COUNT;
    if (n) n++; else if (n && 0) n = n / COUNT; else n = n / COUNT;
    p[0] = n;
}
kernel void operators(global int *p, int n)
{
    int a[4];
    n = COUNT ? n / COUNT : 0;
    n = COUNT > 0 ? a[COUNT - 1] : 0;
    n = COUNT && n / COUNT;
    n = 1 || a[-1];
    n = n ? n / COUNT : 0;
    n = n && n / COUNT;
    n = COUNT ? 1 : a[4];
    n = sizeof(1 / 0) + n;
    if (0 && n / 0) n++;
    p[0] = n;
}
kernel void jumps(global int *p, int n)
{
    for (int i = 0; i < n; i++) { continue; n = n / COUNT; }
    switch (n) { case 1: break; n = n / COUNT; case 2: n = n / COUNT; }
    goto out;
    n = n / COUNT;
out:
    p[0] = n / COUNT;
    if (n) return; else n = 1;
    n = n / COUNT;
    if (n) return; else { return; }
    n = n / COUNT;
}
kernel void turned_off(global int *p, int n)
{
    if (COUNT == 0) return;
    p[0] = n / COUNT;
}
kernel void still(global int *p, int n)
{
    if (0) n == 1;
    if (0) n = 2147483647 + 1;
    if (0) { if (n == n) n++; if (n = 3) n++; if (n && 2) n++; if (n && 2.5f) n++; }
    if (0) { uchar c = 1.5f; n = 1e50f; }
    p[0] = n;
}
kernel void idle(global int *p, int n, float4 f)
{
    n ? n : 3;
    n ? n++ : 3;
    n ? divide(n) : 3;
    n ? (void)n : (void)3;
    n && n;
    n && divide(n);
    (float)n;
    p - p;
    (int4)(1, 2, 3, n);
    ({ n; });
    ({ 3; n = 4; });
    for (; n < 3; n + 1) n++;
    for (; n < 3; n++, n == 1) n++;
}
kernel void library(global int *p, int n, float4 f, char4 c)
{
    int a[2], b[2];
    __builtin_memcpy(a, b, sizeof a);
    __builtin_memset(p + 1, n, 12);
    n ?: 3;
    p[0] = a[0] + b[1];
}
