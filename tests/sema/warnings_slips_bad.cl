// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// Valid code that is probably a typing error: ^ for a power, =- for -=, a constant instead of a variable.
#define TEN 10
#define TWO 2
#define XOR(a, b) ((a) ^ (b))
kernel void powers(global int *p, int n)
{
    p[0] = 2 ^ 10;
    p[1] = 10 ^ -3;
    p[2] = 2 ^ TEN;
    p[3] = 10 ^ 0;
    p[4] = 2 ^ 40;
    p[5] = 2 ^ 64;
    p[6] = 0x2 ^ 10;
    p[7] = 2 ^ 0x10;
    p[8] = 2 ^ -1;
    p[9] = (2) ^ 10;
    p[10] = TWO ^ TEN;
    p[11] = XOR(2, 10);
    p[12] = 2 ^ n;
    p[13] = 3 ^ 4;
}
kernel void signs(global int *p, int n, float f)
{
    n =- 3;
    n =+ n;
    p[0] = p[1] =- n;
    f =- (f);
    n = -3;
    n =-3;
    n=-3;
    n =- 3 + 4;
    n =- n ? 1 : 2;
    n =- TEN;
    n =(- 3);
    int m =- 3;
    p[2] = m +n;
}
kernel void switches(global int *p, int n)
{
    const int three = 3;
    switch (3) { case 4: n++; break; }
    switch (1 + 2) { case 4: n++; }
    switch ((3)) { }
    switch (three) { case 1 ... 2: n++; }
    switch (3 > 2) { case 0: n++; }
    switch (-1) case 4294967295: n++;
    switch (TEN) { case 4: n++; default: n--; }
    switch (3) { case 1 ... 5: n++; }
    switch (n * 0) { case 1: n++; }
    p[0] = n;
}
void take(bool b) { }
bool give(void) { return 2.5f; }
constant struct { bool b; } record = {2.5f};
kernel void truths(global int *p, int n, float f)
{
    bool b = 2.5f;
    b = 0.5f, b = 0.0f, b = 1.0f, b = 2.5f * 2, b = (bool)2.5f;
    if (n && 2.5f) n++;
    if (f || -2.5) n++;
    if (0.5f) n++;
    while (n && f < 2.5f && M_PI_F) n--;
    p[0] = !2.5f;
    p[1] = b = n ? 2.5f : 1;
    take(2.5f);
}
kernel void choices(global int *p, int n)
{
    uchar c = n ? 300 : 1;
    c = n ? 1.5f : 2;
    c = n ? 1 : n ? 400 : 4;
    c = (n++, 300);
    c = n ?: 300;
    char s = n ? 0xff : 0;
    c = n ? -1 : 0u;
    n = n ? 2147483648u : 5l;
    float f = n ? 16777217 : 0;
    n = -4 + 0xfffffffffffffffcUL;
    c = 200 + 100;
    1 + 2;
    p[0] = c + s + f;
}
