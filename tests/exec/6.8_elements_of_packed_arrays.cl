// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.11.1: arrays in packed structs, at addresses that are not multiples of their elements' sizes.
// run: k global 2
// arg: buffer ushort 1 2 3 4 5 6 7 8 9 10 11 12 13 14
// arg: out uint 2
// arg: out uint 2
// arg: out ulong 2
// expect: arg1 uint 0x40003 0xb000a
// expect: arg2 uint 0x60005 0xd000c
// expect: arg3 ulong 0x500040003 0xc000b000a
struct inner {
    ushort a;
    uint b[2];
} __attribute__((packed));

struct pair {
    uint b[2];
};

struct outer {
    ushort a, c;
    struct pair p;
    ushort d;
} __attribute__((packed));

kernel void k(global struct outer *x, global uint *first, global uint *second, global ulong *both)
{
    size_t i = get_global_id(0);
    first[i] = x[i].p.b[get_work_dim() - 1];
    second[i] = x[i].p.b[get_work_dim()];
    both[i] = x[i].p.b[0] | (ulong)(x[i].p.b[1] & 0xffff) << 32;
}
