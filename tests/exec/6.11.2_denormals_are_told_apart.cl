// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer uint 0x00100000 0x80300000 0x80100000 0x7fc00000
// arg: buffer uint 0x00200000 0x00200000 0x00100000 0x3f800000
// arg: out uint 4
// arg: out uint 4
// expect: arg2 uint 0x00200000 0x80300000 0x00100000 0x3f800000
// expect: arg3 uint 0x00100000 0x00200000 0x80100000 0x3f800000
kernel void k(global float *a, global float *b, global float *most, global float *least)
{
    int i = get_global_id(0);
    most[i] = maxmag(a[i], b[i]);
    least[i] = minmag(a[i], b[i]);
}
