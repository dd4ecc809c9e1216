// SPDX-License-Identifier: Apache-2.0
// With 32-bit pointers, as_size_t() reinterprets 32-bit types (6.2.4.2): see 6.2.4_as_size_t.cl.
// needs: 32_bit_addresses
// run: k global 2
// arg: buffer int 5 -7
// arg: out uint 10
// expect: arg1 uint 0x3f800000 5 1 4 4 0x3f800000 -7 1 4 4
kernel void k(global int *p, global uint *o)
{
    size_t i = get_global_id(0);
    ptrdiff_t d = p + 1 - p;
    o += 5 * i;
    o[0] = as_size_t(1.0f);
    o[1] = as_ptrdiff_t(p[i]);
    o[2] = d;
    o[3] = as_intptr_t(p + 1) - as_uint(as_size_t(p));
    o[4] = sizeof p;
}
