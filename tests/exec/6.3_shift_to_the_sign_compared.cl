// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: a short converted to long, times 2^31, compared.
// run: compare global 4
// arg: buffer short 5 -1 0 1
// arg: out int 4
// expect: arg1 int 0 1 1 0
kernel void compare(global const short *x, global int *less)
{
    int i = get_global_id(0);
    less[i] = 2147483648l * x[i] < i;
}
