// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: the negation of the least byte is itself, in private and in global memory; also the negation of a wider value.
// run: opposite global 4
// arg: buffer uchar 0x80 0xdf 1 0
// arg: buffer char -128 -33 1 0
// arg: out char 4
// arg: out long 4
// arg: out long 4
// expect: arg2 char -128 33 -1 0
// expect: arg3 long -128 33 -1 0
// expect: arg4 long -128 33 -1 0
kernel void opposite(global const uchar *x, global const char *y, global char *a, global long *b, global long *c)
{
    size_t i = get_global_id(0);
    char own[9];
    char4 pairs[2] = {(char4)0, as_char4((uchar4)0 - as_uchar4((uint)x[i]))};
    for (int k = 0; k < 9; k++)
        own[k] = 0 - (uint)x[i];
    own[x[3] & 3] = 0;
    a[i] = -y[i];
    b[i] = own[5];
    c[i] = pairs[1].s0 + (long)pairs[x[3] & 1].s0;
}
