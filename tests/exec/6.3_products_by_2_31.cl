// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: values of 64 bits that are 0 or -1, or were 32 bits, times 2^31.
// run: masks global 4
// arg: buffer int 0 3 -5 6
// arg: out long 4
// arg: out long 4
// arg: out long 4
// arg: out long 4
// expect: arg1 long -2147483648 0 -2147483648 0
// expect: arg2 long -2147483648 0 -2147483648 0
// expect: arg3 long 0 0 -2147483648 0
// expect: arg4 long 0 -2147483648 -2147483648 0
kernel void masks(global const int *in, global long *chosen, global long *product, global long *both, global long *minus)
{
    size_t i = get_global_id(0);
    int x = in[i];
    chosen[i] = (x < 3 ? -1l : 0l) << 31;
    product[i] = ((x < 3 ? (long3)(-1l) : (long3)(0l)) * (long3)(i, 5l, 0x80000000l)).z;
    both[i] = ((x & 3 ? -1l : 0) & (x < 3 ? -1l : 0)) * 0x80000000l;
    minus[i] = -(long)(x & 1) << 31;
}

// run: negated global 4
// arg: buffer int 1 3 -5 -2147483648
// arg: out long 4
// arg: out ulong 4
// expect: arg1 long 2147483648 6442450944 -10737418240 -4611686018427387904
// expect: arg2 ulong 4611686018427387904 13835058055282163712 13835058055282163712 0
kernel void negated(global const int *in, global long *product, global ulong *wide)
{
    size_t i = get_global_id(0);
    product[i] = -((long)in[i] * -0x80000000l);
    wide[i] = ((ulong)(uint)in[i] << 31) << 31;
}
