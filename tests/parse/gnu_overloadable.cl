__attribute__((overloadable)) int f(int x) { return x; }
float __attribute__((overloadable)) f(float x) { return x; }
__attribute__((overloadable)) float4 f(float4 x, global uint *p) { return x; }
kernel void k(global float *out) { *out = f(1.0f) + f(1); }
// SPDX-License-Identifier: Apache-2.0
