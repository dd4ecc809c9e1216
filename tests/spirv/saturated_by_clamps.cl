// SPDX-License-Identifier: Apache-2.0
// target: turnip_a740
// expect: NMax
// expect: NMin
// never: OpFOrdLessThan
// If the device has NMin and NMax, floats are clamped before they are converted to small integers.
kernel void k(global const float *a, global uchar *b, global short *c)
{
    size_t i = get_global_id(0);
    b[i] = convert_uchar_sat_rte(a[i]);
    c[i] = convert_short_sat(a[i]);
}
