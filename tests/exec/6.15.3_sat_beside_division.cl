// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.15.3: saturating sums of 64 bits beside a division of the same operands.
// run: beside global 4
// arg: buffer ulong 18446744073709551615 5 9223372036854775808 3
// arg: buffer ulong 2 7 9223372036854775809 4
// arg: out ulong 4
// arg: out ulong 4
// arg: out ulong 4
// arg: out ulong 4
// expect: arg2 ulong 9223372036854775807 0 0 0
// expect: arg3 ulong 1 5 9223372036854775808 3
// expect: arg4 ulong 18446744073709551615 12 18446744073709551615 7
// expect: arg5 ulong 18446744073709551613 0 0 0
kernel void beside(global const ulong *x, global const ulong *y, global ulong *quotient, global ulong *rest,
                   global ulong *sum, global ulong *difference)
{
    size_t i = get_global_id(0);
    quotient[i] = x[i] / y[i];
    rest[i] = x[i] % y[i];
    sum[i] = add_sat(x[i], y[i]);
    difference[i] = sub_sat(x[i], y[i]);
}
