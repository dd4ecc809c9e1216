// SPDX-License-Identifier: Apache-2.0
// run: k global 5
// arg: buffer char 1 -2 127 -128 5
// arg: buffer ushort 1 65535 3 4 5
// arg: out uchar 5
// arg: out short 5
// expect: arg2 uchar 2 255 128 129 6
// expect: arg3 short -1 1 -3 -4 -5
kernel void k(global char *a, global ushort *b, global uchar *c, global short *d)
{
    int i = get_global_id(0);
    c[i] = a[i] + 1;
    d[i] = -b[i];
}
