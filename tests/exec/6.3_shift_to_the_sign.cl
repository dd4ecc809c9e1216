// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: an int converted to long, times 2^31, also for INT_MIN.
// run: times global 4
// arg: buffer int -2147483648 -3 2147483647 5
// arg: out long 4
// arg: out long 4
// arg: out int 4
// expect: arg1 long -4611686018427387904 -6442450944 4611686016279904256 10737418240
// expect: arg2 long -4611686018427387904 -6442450944 4611686016279904256 10737418240
// expect: arg3 int -1073741824 -2 1073741823 2
kernel void times(global const int *x, global long *shifted, global long *product, global int *upper)
{
    size_t i = get_global_id(0);
    shifted[i] = (long)x[i] << 31;
    product[i] = ((long4)(5, 6, 7, 2147483648l) * (long4)x[i]).w;
    upper[i] = as_int2((long)x[i] << 31).y;
}
