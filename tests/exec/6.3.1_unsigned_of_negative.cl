// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3.1: unsigned quotients of negative bytes and shorts.
// run: divide global 4
// arg: buffer char -128 -31 -1 100
// arg: buffer short 5 -7 -32768 9
// arg: out uint 12
// expect: arg2 uint 0x33333319 0 0xffffff80 0x3333332d 0 0xffffffe1 0x33333333 1 0xffffffff 20 0 100
kernel void divide(global const char *x, global const short *y, global uint *z)
{
    size_t i = get_global_id(0);
    uint3 n = (uint3)((uint)x[i]), d = convert_uint3((short3)(y[0], y[1], 1));
    d = select(d, (uint3)1, d == (uint3)0);
    vstore3(n / d, i, z);
}
