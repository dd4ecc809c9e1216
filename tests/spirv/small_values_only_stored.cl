// options: --vulkan -int8=0
// never: OpConstant %uchar
// never: OpSelect %uchar
// expect: OpUConvert %uchar %uint_110
// With only 8-bit storage, constants and selections of such a type are words that are converted.
kernel void k(global const int *in, global uchar *out)
{
    size_t i = get_global_id(0);
    out[2 * i] = 110;
    out[2 * i + 1] = in[i] > 3;
}
// SPDX-License-Identifier: Apache-2.0
