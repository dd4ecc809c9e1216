// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer uchar 128 255 1 127 200 100 50 25 3 254 128 77 9 8 7 6
// arg: buffer uchar 128 128 255 127 1 2 3 4 250 251 252 253 127 128 129 130
// arg: out int 6
// expect: arg1 uchar 128 128 255 127 1 2 3 4 250 251 252 253 127 128 129 130
// expect: arg2 int 32640 116241 394 405 66058 2147483647
kernel void k(global const uchar16 *a, global const uchar16 *b, global int *out)
{
    uchar16 p = a[0], q = b[0];
    char16 s = as_char16(p), t = as_char16(q);
    out[0] = s.s0 * t.s0 + s.s1 * t.s1 + s.s2 * t.s2 + s.s3 * t.s3; // signed
    uchar4 c = p.s89ab;
    out[1] = c.x * q.s8 + c.y * q.s9 + c.z * q.sa + c.w * q.sb; // unsigned
    int r = 0; // mixed, in sequence
    r += s.s4 * q.s4;
    r += s.s5 * q.s5;
    r += s.s6 * q.s6;
    r += s.s7 * q.s7;
    out[2] = r;
    int4 v = convert_int4(s.s4567) * convert_int4(q.s4567);
    out[3] = v.x + v.y + v.z + v.w + 11;
    int8 w = convert_int8(p.lo) * convert_int8(q.lo);
    out[4] = w.s0 + w.s1 + w.s2 + w.s3 + w.s4 + w.s5 + w.s6 + w.s7;
    out[5] = s.s0 * t.s0 + s.s1 * t.s1 + s.s2 * t.s2 + s.s3 * t.s3 + 2147451007; // up to the largest value
}
