// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.2.3.3, 6.3.4: a saturated number times a factor that makes the product wrap, compared.
// run: compare global 3
// arg: buffer ulong 5 0x7ed15679d3a4f2ba 0xffffffffffffffff
// arg: out long 12
// expect: arg1 long -1 0 -1 0 -1 0 -1 -1 -1 0 -1 -1
// options: -cl-std=CL3.0
kernel void compare(global const ulong *x, global long *y)
{
    size_t i = get_global_id(0);
    long4 n = convert_long4_sat((ulong4)(x[i]));
    long4 less = (long4)(LONG_MIN, 5555614797328017845L, -7L, 0L) <= n * (long4)(LONG_MAX - 1, 2L, 1L, -16L);
    vstore4(less, i, y);
}
