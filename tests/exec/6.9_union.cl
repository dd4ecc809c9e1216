// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 1
// arg: out uint 1
// arg: out uchar 4
// expect: arg1 uint 0x3f800000
// expect: arg2 uchar 0 0 0x80 0x3f
union u {
    float f;
    uint i;
    uchar b[4];
};

kernel void k(global float *in, global uint *out, global uchar *bytes)
{
    union u u;
    u.f = in[0];
    out[0] = u.i;
    for (int i = 0; i < 4; i++)
        bytes[i] = u.b[i];
}
