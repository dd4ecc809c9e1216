// SPDX-License-Identifier: Apache-2.0
// All work-items store the same bytes and read them immediately: each reads these values, also if the bytes are parts of a word.
// run: k global 16384 local 64
// arg: buffer uchar 255 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// arg: buffer uint 0
// expect: arg0 uchar 255 1 2 7 7 7 7 7 7 7 7 11 12 13 14 15
// expect: arg1 uint 0
kernel void k(global uchar *bytes, global uint *wrong)
{
    vstore8((uchar8)7, 0, bytes + 3);
    for (int i = 0; i < 64; i++) {
        if (get_group_id(0) & 1)
            vstore8((uchar8)7, 0, bytes + 3);
        else if (any(vload8(0, bytes + 3) != (uchar8)7))
            atomic_inc(wrong);
    }
}
