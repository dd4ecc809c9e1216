// SPDX-License-Identifier: Apache-2.0
// needs: 64_bit_addresses
// run: k global 1
// arg: buffer ulong 1 2
// arg: out ulong 8
// expect: arg1 ulong 4607182418800017408 18446744073709551615 8589934593 7 1 1 8 0
kernel void k(global ulong *p, global ulong *o)
{
    o[0] = as_size_t(0x3ff0000000000000L);
    o[1] = as_ptrdiff_t(-p[0]);
    o[2] = as_uintptr_t((int2)(1, 2));
    o[3] = as_intptr_t(as_char8(7UL));
    o[4] = as_intptr_t(p + 1) - as_ulong(p) == 8;
    o[5] = as_ptrdiff_t(~0UL) < 0;
    o[6] = sizeof(as_size_t(1L));
    o[7] = 0;
}
