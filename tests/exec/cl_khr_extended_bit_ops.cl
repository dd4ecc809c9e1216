// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_extended_bit_ops
// run: ints global 5
// arg: buffer int 0x12345678 -1 -8 0x7fffffff 5
// arg: buffer int 0xff 0 3 -1 6
// arg: buffer uint 4 0 28 0 31
// arg: buffer uint 8 32 4 0 1
// arg: out int 20
// expect: arg4 int 0x12345ff8 103 0x67 0x1e6a2c48  0 -1 -1 -1  0x3ffffff8 -1 15 0x1fffffff  0x7fffffff 0 0 -2  5 0 0 -1610612736
kernel void ints(global int *x, global int *y, global uint *offset, global uint *count, global int *out)
{
    int i = get_global_id(0);
    out[4 * i] = bitfield_insert(x[i], y[i], offset[i], count[i]);
    out[4 * i + 1] = bitfield_extract_signed(x[i], offset[i], count[i]);
    out[4 * i + 2] = (int)bitfield_extract_unsigned(x[i], offset[i], count[i]);
    out[4 * i + 3] = bit_reverse(x[i]);
}
// run: others global 1
// arg: buffer ulong 0xfedcba9876543210
// arg: out long 3
// arg: out uchar 8
// arg: out short 4
// expect: arg1 long -1234605616436508552 0x7654 -1
// expect: arg2 uchar 0xf1 15 8 255 1 0xf2 0xf3 4
// expect: arg3 short -1 2 0 -4
kernel void others(global ulong *x, global long *wide, global uchar *small, global short *medium)
{
    wide[0] = (long)bitfield_insert(0ul, 0xeeddccbbaa998878ul, 0u, 64u);
    wide[1] = (long)bitfield_extract_unsigned(x[0], 16u, 16u);
    wide[2] = bitfield_extract_signed(x[0], 63u, 1u);
    uchar4 a = (uchar4)(1, 2, 3, 4);
    uchar4 b = bitfield_insert(a, (uchar4)(15, 15, 15, 15), 4u, 4u);
    small[0] = b.x;
    small[1] = bitfield_extract_unsigned(b, 4u, 4u).y;
    small[2] = bit_reverse((uchar)16);
    small[3] = (uchar)bitfield_extract_signed((uchar)0x80, 7u, 1u);
    small[4] = bitfield_extract_unsigned((char)-128, 7u, 1u);
    small[5] = b.y;
    small[6] = b.z;
    small[7] = bitfield_insert(a, b, 4u, 0u).w;
    short4 s = bitfield_extract_signed((short4)(-1, 10, 7, 4), 1u, (uint)2);
    vstore4(s, 0, medium);
    medium[1] = bitfield_extract_unsigned((short)10, 2u, 3u);
    medium[2] = bitfield_extract_signed((short)10, 2u, 0u);
    medium[3] = bitfield_extract_signed((ushort)0x00c0, 4u, 4u);
}
