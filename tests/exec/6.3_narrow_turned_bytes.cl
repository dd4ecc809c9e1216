// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3, 6.15.3: 16 bits made of two swapped bytes, in memory of each address space.
// run: turned global 4
// arg: buffer char 1 -128 50 3
// arg: out ushort 4
// arg: out ushort 4
// arg: out ushort 4
// arg: out ushort 4
// expect: arg1 ushort 0x100 0x80ff 0x3200 0x300
// expect: arg2 ushort 0x100 0x80ff 0x3200 0x300
// expect: arg3 ushort 0x100 0x80ff 0x3200 0x300
// expect: arg4 ushort 0x100 0x80ff 0x3200 0x300
kernel void turned(global const char *x, global ushort *a, global ushort *b, global ushort *c, global ushort *d)
{
    local ushort2 words[8];
    local ushort halves[16];
    ushort own[17];
    size_t i = get_global_id(0), n = get_local_id(0);
    local ushort2 *mine = words + n * 2;
    ushort2 v = rotate(convert_ushort2((char2)(x[0], x[i])), (ushort2)((ushort)32, (ushort)65528));
    mine[0] = v;
    mine[1] = v;
    halves[4 * n] = v.x;
    halves[4 * n + 1] = v.y;
    halves[4 * n + 2] = v.x;
    halves[4 * n + 3] = v.y;
    for (int k = 0; k < 17; k++)
        own[k] = rotate((ushort)x[i], (ushort)8);
    own[x[0]] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = mine[1].y;
    b[i] = halves[4 * n + 3];
    c[i] = own[9 + x[0]];
    d[i] = rotate((ushort)x[i], (ushort)8);
}
