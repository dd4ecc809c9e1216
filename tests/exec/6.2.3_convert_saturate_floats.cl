// SPDX-License-Identifier: Apache-2.0
// Saturating conversions to small integers: floats out of range, at the limits, and NaNs.
// run: k global 12
// arg: buffer float 300 -300 127.9 -128.9 255.5 -0.9 nan inf -inf 254.5 0x1p-149 -127.5
// arg: out char 12
// arg: out uchar 12
// arg: out uchar 12
// arg: out short 12
// expect: arg1 char 127 -128 127 -128 127 0 0 127 -128 127 0 -127
// expect: arg2 uchar 255 0 127 0 255 0 0 255 0 254 0 0
// expect: arg3 uchar 255 0 128 0 255 0 0 255 0 254 0 0
// expect: arg4 short 32767 -32768 32742 -32768 32767 -231 0 32767 -32768 32767 0 -32640
kernel void k(global float *a, global char *b, global uchar *c, global uchar *d, global short *e)
{
    int i = get_global_id(0);
    b[i] = convert_char_sat(a[i]);
    c[i] = convert_uchar_sat(a[i]);
    d[i] = convert_uchar_sat_rte(a[i]);
    e[i] = convert_short_sat_rtn(a[i] * 256.0f);
}
