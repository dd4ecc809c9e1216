// SPDX-License-Identifier: Apache-2.0
// Saturated conversions of floats to 8 and 16 bits that round to even: ties, limits, infinities and NaN.
// run: k global 16
// arg: buffer float 0.5 1.5 2.5 -0.5 -1.5 127.5 128.5 -128.5 254.5 255.5 32767.5 -32768.5 65534.5 65535.5 1e30 nan
// arg: out uint 16
// arg: out uint 16
// expect: arg1 uint 0x0 0x2020202 0x2020202 0x0 0xfefe0000 0x7f7f8080 0x7f7f8080 0x80800000 0x7f7ffefe 0x7f7fffff 0x7f7fffff 0x80800000 0x7f7fffff 0x7f7fffff 0x7f7fffff 0x0
// expect: arg2 uint 0x0 0x20002 0x20002 0x0 0xfffe0000 0x800080 0x800080 0xff800000 0xfe00fe 0x1000100 0x7fff8000 0x80000000 0x7ffffffe 0x7fffffff 0x7fffffff 0x0
kernel void k(global const float *in, global uint *small, global uint *shorts)
{
    size_t i = get_global_id(0);
    float x = in[i];
    uchar2 u = convert_uchar2_sat_rte((float2)(x, x));
    char2 c = convert_char2_sat_rte((float2)(x, x));
    small[i] = as_uint((uchar4)(u, as_uchar2(c)));
    shorts[i] = convert_ushort_sat_rte(x) | (uint)as_ushort(convert_short_sat_rte(x)) << 16;
}
