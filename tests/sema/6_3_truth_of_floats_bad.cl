// options: -cl-std=CL1.1
void f(float a, float4 b, int c)
{
    int d = a && c, e = c || a, f = !a;
    int4 g = b && b, h = !b;
    if (a)
        d = a ? e : f;
    while (c && d)
        c--;
}
// SPDX-License-Identifier: Apache-2.0
