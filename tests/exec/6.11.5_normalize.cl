// SPDX-License-Identifier: Apache-2.0
// Vectors whose squares overflow or underflow; components that are much smaller than the longest one are as exact as
// the others.
// run: k global 5
// arg: buffer float 3e30 4e30 3e-30 4e-30 0x1p+62 0x1.9665b4p-50 -inf 1 0x1p+63 0x1.9665b4p-60
// arg: out float 10
// expect: arg1 float ulp 4 0.6 0.8 0.6 0.8 1 0x1.9665b4p-112 -1 0 1 0x1.9665b4p-123
kernel void k(global float2 *a, global float2 *b)
{
    size_t i = get_global_id(0);
    b[i] = normalize(a[i]);
}
