typedef struct { float re, im; } complex;
__attribute__((overloadable)) float length(complex c) { return c.re * c.re + c.im * c.im; }
__attribute__((overloadable)) complex mad(complex a, complex b, complex c) { return a; }
kernel void k(complex c, float4 v, global float *out)
{
    out[0] = length(c) + length(v) + mad(1.0f, 2.0f, 3.0f);
    c = mad(c, c, c);
}
// SPDX-License-Identifier: Apache-2.0
