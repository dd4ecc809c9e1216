// SPDX-License-Identifier: Apache-2.0
// GNU's integer functions, with variables and with constants.
// options: -cl-std=CL1.2
// run: bits global 1
// arg: uint 0x00f01234
// arg: out int 32
// expect: arg1 int 8 2 8 0 3 7 40 2 40 40 8 0 15 7 15 -6 6 2 1 5 24 2 4 1 0x3412f000 0x12340000 -2 7 3 0 * *
kernel void bits(uint x, global int *r)
{
    long l = -(long)x;
    r[0] = __builtin_clz(x);
    r[1] = __builtin_ctz(x);
    r[2] = __builtin_popcount(x) - 1;
    r[3] = __builtin_parity(x) - 1;
    r[4] = __builtin_ffs((int)x);
    r[5] = __builtin_clrsb((int)x);
    r[6] = __builtin_clzl(x);
    r[7] = __builtin_ctzll(l);
    r[8] = __builtin_clzl(x) * __builtin_parityl(x);
    r[9] = __builtin_clrsbl(l) + 1;
    r[10] = __builtin_popcountl((ulong)x << 32) - 1;
    r[11] = __builtin_ffsl(0);
    r[12] = __builtin_clzs(1);
    r[13] = __builtin_ctzs(0x80);
    r[14] = __builtin_abs(-15);
    r[15] = (int)__builtin_rotateleft8((uchar)0x7d, 1);
    r[15] = (char)r[15];
    r[16] = __builtin_rotateright8((uchar)(x & 0) + 12, 1);
    r[17] = __builtin_rotateleft16((ushort)0x8000, 2);
    r[18] = __builtin_rotateright64(2, 1);
    enum { folded = __builtin_popcount(0x1f) };
    int array[__builtin_clz(0x80)];
    r[19] = folded;
    r[20] = sizeof array / 4;
    r[21] = __builtin_bswap16(0x200);
    r[22] = __builtin_bitreverse8(0x20);
    r[23] = __builtin_bswap64(1) == 1ul << 56 && __builtin_bitreverse64(x) == 0x2c480f0000000000;
    r[24] = __builtin_bswap32(x);
    r[25] = __builtin_bitreverse32(__builtin_bitreverse32(0x12340000));
    r[26] = __builtin_labs(l) == x ? -2 : 0;
    r[27] = __builtin_align_up(x & 7, 4) + __builtin_align_down(x & 15, 4) - 1;
    r[28] = __builtin_is_aligned(x, 4) + 2 * !__builtin_is_aligned(x, 8);
    r[29] = __builtin_align_up(0, 64);
}

// run: overflow global 1
// arg: int 0x7fffffff
// arg: long -0x7fffffffffffffff
// arg: out int 16
// arg: out long 4
// arg: out uint 2
// expect: arg2 int 1 -0x80000000 0 0x7ffffffe 1 -2 1 1 0 1 0 1 1 0 * *
// expect: arg3 long 0x7fffffffffffffff -0x7ffffffffffffffe 1 2
// expect: arg4 uint 0xffffffff 3
kernel void overflow(int i, long l, global int *r, global long *s, global uint *u)
{
    int local_result, side = 0;
    local int in_local;
    r[0] = __builtin_sadd_overflow(i, 1, r + 1);
    r[2] = __builtin_add_overflow(i, -1, r + 3);
    r[4] = __builtin_smul_overflow(i, 2, &local_result);
    r[5] = local_result;
    r[6] = __builtin_ssubl_overflow(l, 2, s);
    r[7] = __builtin_usub_overflow(2, 3, u);
    r[8] = __builtin_saddll_overflow(l, 1, s + 1);
    r[9] = __builtin_umull_overflow((ulong)l, 3, (global ulong *)s + 2);
    s[2] = 1;
    r[10] = __builtin_uadd_overflow(1, 2, &in_local);
    u[1] = in_local;
    r[11] = __builtin_mul_overflow(l, l, s + 3);
    s[3] = 2;
    r[12] = __builtin_sub_overflow(++side, 1, &local_result) + side; // evaluated once
    r[13] = local_result;
}
