// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: the sign of the low half of 2^31 - x, also for INT_MIN.
// run: low global 4
// arg: buffer short 5 -1 0 -32768
// arg: buffer float 7 7 7 7
// arg: out long 4
// expect: arg2 long -4 6 7 -32761
kernel void low(global const short *x, global const float *y, global long *z)
{
    size_t i = get_global_id(0);
    z[i] = (ulong)(long)y[i] ^ (ulong)(short)(2147483648u - x[i]);
}
