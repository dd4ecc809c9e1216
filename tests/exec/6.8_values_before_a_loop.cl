// SPDX-License-Identifier: Apache-2.0
// Values that do not change in a loop are computed before it, if it runs at all: else they are undefined. Shrunk from a
// random program: a compiler took them for undefined in each case.
// run: k global 4 4 2 local 4 4 2
// arg: buffer ulong 0*32
// arg: buffer uint 0*1024
// arg: local 2048
// arg: buffer int 0*512
// arg: buffer short 0*512
// arg: buffer short 0*512
// arg: buffer char 0*4096
// arg: buffer char 0*512
// expect: arg0 ulong 0*32
struct bytes { char private *p; uint sum; };
struct kept { uint a; uint3 b; } __attribute__((packed));

kernel void k(ulong global *out, struct kept global *structs, uint local *zeros, int global *ints, short global *shorts,
              short const global *others, char constant *chars, char global *more)
{
    int i = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    int n = ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)) * 32 + i;
    struct kept global *mine = structs + n * 4;
    uint local *zero = zeros + i / 32 * 512;
    int const global *shifts = ints + n / 32 * 512;
    local int room[512];
    int local *numbers = room + i / 32 * 512;
    for (int j = i & 31; j < 512; j += 32)
        numbers[j] = j;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    short const global *few = shorts + n / 32 * 512;
    char const global *indices = more + n / 32 * 512;
    struct kept kept = {0, 0};
    uchar rest = 0;
    ulong eight = 0;
    struct bytes s = {(char private *)&eight, 0};
    ushort a[4] = {0, 0, 0, 0};
    int rounds = 2;
    do {
        for (uint r = 0; r < ((ushort)(int)(float)get_global_size(1) & 7); r++) {
            kept.b = vload3(0, (uint const local *)numbers) << vload3(3, (uint const global *)shifts);
            uint at = few[365] & 3;
            ushort const global *from = a[1] + eight ? (ushort const global *)others : (ushort const global *)few;
            rest = 0 != as_uint(vload2(at, from)) ? 0 : chars[numbers[394]] % (r == 0 ? 1 : r);
        }
        switch ((int)(get_local_id(2) & 7)) {
        case 1:;
        case 2:
            s.p[(chars[indices[243]] <= 127 ? few[441] : 4ul) & 3] = &shifts[128] - &shifts[0];
        case 4:
            a[(uint)(zero[4] < mine[3].b.s2 ? -28ul : s.sum) & 3] = 0;
        default:
            s.sum += rest;
        }
    } while (rounds-- > 0);
    out[n] = kept.b.s0;
}
