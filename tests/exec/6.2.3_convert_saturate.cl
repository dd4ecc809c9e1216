// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 300 -300 127 -129
// arg: out char 4
// arg: out uchar 4
// arg: out char 4
// expect: arg1 char 127 -128 127 -128
// expect: arg2 uchar 255 0 127 0
// expect: arg3 char 44 -44 127 127
kernel void k(global int *a, global char *b, global uchar *c, global char *d)
{
    int i = get_global_id(0);
    b[i] = convert_char_sat(a[i]);
    c[i] = convert_uchar_sat(a[i]);
    d[i] = convert_char(a[i]);
}
