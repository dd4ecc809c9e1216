// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 0 -1 1 -2147483648
// arg: out float 4
// arg: out int 4
// arg: out int 2
// expect: arg1 float 1 20 3 40
// expect: arg2 int 0 -1 0 -1
// expect: arg3 int 1 0
kernel void k(global int4 *a, global float4 *b, global int4 *c, global int *d)
{
    b[0] = select((float4)(1, 2, 3, 4), (float4)(10, 20, 30, 40), a[0]);
    c[0] = isless(convert_float4(a[0]), (float4)(0));
    d[0] = any(a[0]);
    d[1] = all(a[0]);
}
