// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3, 6.15.3: bit counts and truncated sums of bytes, of whose results only a byte is used.
// run: counts global 3
// arg: buffer char 0x7c -128 -1 0x10 -17 2 3 4 5 6
// arg: out long 3
// arg: out long 3
// arg: out uint 3
// expect: arg1 long 1 8 1
// expect: arg2 long 1 8 1
// expect: arg3 uint 6 108 210
kernel void counts(global const char *x, global long *a, global long *b, global uint *c)
{
    size_t i = get_global_id(0);
    char8 v = 0;
    for (uint j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            v = popcount(vload8(0, x + i));
    a[i] = v.s1;
    char3 three = popcount(vload3(0, x + i + 1));
    b[i] = three.s0;
    uint rest = 0;
    for (int k = 5; k-- > 0 && get_num_groups(0);) {
        uchar3 sums[4] = {(uchar3)0, (uchar3)1, add_sat(vload3(1, (global const uchar *)x), -((uchar3)(6, 122, 9))), (uchar3)2};
        rest = (uint)(771 + i * 102) % sums[2].y;
    }
    c[i] = rest;
}
