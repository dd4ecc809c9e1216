// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer uint 1 0x80000001 0x007fffff 0x807fffff
// arg: out uint 16
// expect: arg1 uint 1 1 0x007fffff 0x007fffff  0x80000001 1 0x807fffff 0x007fffff  0x3f800001 0x80000001 0x3f800000 0x807fffff 0x80000001 1 0x807fffff 0x007fffff
kernel void k(global float *a, global uint *b)
{
    int i = get_global_id(0);
    float x = a[i];
    b[i] = as_uint(fabs(x));
    b[i + 4] = as_uint(-x);
    b[i + 8] = as_uint(i % 2 ? copysign(x, -1.0f) : fmax(x, as_float(0x3f800000u + (i == 0))));
    b[i + 12] = as_uint(copysign(x, i % 2 ? 1.0f : -1.0f));
}
