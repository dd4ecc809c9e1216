// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: the negation of the least char and short, which is the value itself after the conversion back.
// run: chars global 4
// arg: buffer char -128 127 -127 0
// arg: out long 4
// arg: out long 4
// arg: out long 4
// arg: out int 4
// arg: out char 4
// expect: arg1 long -128 -127 127 0
// expect: arg2 long 128 -127 127 0
// expect: arg3 long -256 -254 254 0
// expect: arg4 int 0 1 0 0
// expect: arg5 char -128 -127 127 0
kernel void chars(global const char *x, global long *small, global long *wide, global long *twice, global int *less,
                  global char *stored)
{
    size_t i = get_global_id(0);
    small[i] = (char)-x[i];
    wide[i] = -x[i];
    twice[i] = (char)-x[i] * 2;
    less[i] = x[i] > 0 && (char)-x[i] < 0;
    stored[i] = (char)(0 - x[i]);
}
// run: shorts global 2
// arg: buffer short -32768 7 32767 -32768
// arg: out long 4
// arg: out int 4
// arg: out long 4
// expect: arg1 long -32768 -7 -32767 -32768
// expect: arg2 int 32768 -7 -32767 32768
// expect: arg3 long -2048 -1 -2048 -2048
kernel void shorts(global const short2 *x, global long2 *small, global int2 *wide, global long2 *shifted)
{
    size_t i = get_global_id(0);
    small[i] = convert_long2(as_short2((ushort2)0 - as_ushort2(x[i])));
    wide[i] = 0 - convert_int2(x[i]);
    shifted[i] = convert_long2(-x[i] >> (short2)4);
}
