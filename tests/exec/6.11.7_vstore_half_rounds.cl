// SPDX-License-Identifier: Apache-2.0
// run: k global 5
// arg: buffer float 1.00048828125 1.0009 65519 65520 2e-8
// arg: out ushort 5
// expect: arg1 ushort 0x3c00 0x3c01 0x7bff 0x7c00 0
kernel void k(global float *a, global half *b)
{
    vstore_half(a[get_global_id(0)], get_global_id(0), b);
}
