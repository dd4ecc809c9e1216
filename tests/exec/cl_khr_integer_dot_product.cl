// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_integer_dot_product
// run: dots global 1
// arg: buffer uchar 255 255 255 255 1 2 3 4
// arg: buffer char -128 -128 -128 -128 -1 2 -3 4
// arg: out int 10
// expect: arg2 int 260100 65536 -130560 -130560 30 30 10 10 2550 -1
kernel void dots(global uchar4 *u, global char4 *s, global int *out)
{
    out[0] = (int)dot(u[0], u[0]);
    out[1] = dot(s[0], s[0]);
    out[2] = dot(u[0], s[0]);
    out[3] = dot(s[0], u[0]);
    out[4] = (int)dot(u[1], u[1]);
    out[5] = dot(s[1], s[1]);
    out[6] = dot(u[1], s[1]);
    out[7] = dot(s[1], u[1]);
    out[8] = (int)dot(u[0], u[1]);
    out[9] = (int)dot_acc_sat(u[0], u[0], 0xfffffff0u);
}
// run: packed global 1
// arg: buffer uint 0xff80017f 0x02fe0301
// arg: out int 12
// expect: arg1 int 33152 384 -32384 384 33153 2147483647 -2147483648 -2147483648 2147483647 -1 385 -32383
kernel void packed(global uint *x, global int *out)
{
    uint a = x[0], b = x[1];
    out[0] = (int)dot_4x8packed_uu_uint(a, b);
    out[1] = dot_4x8packed_ss_int(a, b);
    out[2] = dot_4x8packed_su_int(a, b);
    out[3] = dot_4x8packed_us_int(a, b);
    out[4] = (int)dot_acc_sat_4x8packed_uu_uint(a, b, 1);
    out[5] = dot_acc_sat_4x8packed_ss_int(a, b, 2147483640);
    out[6] = dot_acc_sat_4x8packed_su_int(a, b, (int)0x80000001);
    out[7] = dot_acc_sat_4x8packed_us_int(0xffu, 0x80u, (int)0x80000001);
    out[8] = dot_acc_sat_4x8packed_us_int(0xffu, 0x7fu, 2147483640);
    out[9] = (int)dot_acc_sat_4x8packed_uu_uint(a, b, 0xfffffff0u);
    out[10] = dot_acc_sat(as_char4(a), as_char4(b), 1);
    out[11] = dot_acc_sat_4x8packed_su_int(a, b, 1);
}
