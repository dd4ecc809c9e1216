// SPDX-License-Identifier: Apache-2.0
// Two scalars selected by a vector condition become vectors of their own type: they are not promoted to int.
// run: k global 1
// arg: buffer char -1 0 5 -128
// arg: out char 4
// arg: char 7
// arg: char -3
// expect: arg1 char 7 -3 -3 7
kernel void k(global char4 *condition, global char4 *b, char x, char y)
{
    b[0] = condition[0] ? x : y;
}

// run: mixed global 1
// arg: buffer ushort 0x8000 0
// arg: out ushort 2
// arg: short -1
// arg: uchar 200
// expect: arg1 ushort 65535 200
kernel void mixed(global ushort2 *condition, global short2 *b, short x, uchar y)
{
    b[0] = condition[0] ? x : y;
}
