// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 0x04030201 0x08070605
// arg: out uchar 8
// arg: out ushort 2
// expect: arg1 uchar 8 7 6 5 4 3 2 1
// expect: arg2 ushort 0x0201 0x0605
kernel void k(global int *a, global uchar *b, global ushort *c)
{
    int v[2] = {a[0], a[1]};
    uchar *bytes = (uchar *)v;
    for (int i = 0; i < 8; i++)
        b[i] = bytes[7 - i];
    c[0] = *(ushort *)&v[0];
    c[1] = *(ushort *)&v[1];
}
