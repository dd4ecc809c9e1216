// SPDX-License-Identifier: Apache-2.0
// abs(INT_MIN) is INT_MIN if it is read as signed: saturation of a product with it depends on its sign.
// run: k global 4 local 4
// arg: buffer int -32768 -3 7 32767
// arg: out uint 4
// arg: out ulong 4
// expect: arg1 uint 2147483647 2147483647 2147483648 2147483648
// expect: arg2 ulong 9223372036854775808 1 1 9223372036854775808
kernel void k(global const int *x, global uint *narrow, global ulong *wide)
{
    int i = get_global_id(0);
    int2 v = (int2)(1, INT_MIN);
    for (int round = 0; round < x[0] + 32773; round++) // 5: the last odd one gives INT_MAX if x is negative
        v = as_int2(abs(mad_sat((int2)x[i], v, (int2)0)));
    narrow[i] = v.y;
    long w = LONG_MIN;
    for (int round = 0; round < 3; round++)
        w = as_long(abs(w)) > 0 ? 1 : (long)abs(w);
    wide[i] = i % 3 ? w < 0 : (ulong)w;
}
