// SPDX-License-Identifier: Apache-2.0
// Also on devices whose comparisons flush denormals to zero.
// run: k global 6
// arg: buffer uint 0x802edcad 0x000a591b 0x00000001 0x80000001 0x80000002 0x7fc00000
// arg: buffer uint 0x00413be4 0x804a49cb 0x00000002 0x80000002 0xffc00000 0x00000003
// arg: out uint 6
// arg: out uint 6
// expect: arg2 uint 0x802edcad 0x804a49cb 0x00000001 0x80000002 0x80000002 0x00000003
// expect: arg3 uint 0x00413be4 0x000a591b 0x00000002 0x80000001 0x80000002 0x00000003
kernel void k(global uint *a, global uint *b, global uint *lo, global uint *hi)
{
    int i = get_global_id(0);
    lo[i] = as_uint(fmin(as_float(a[i]), as_float(b[i])));
    hi[i] = as_uint(fmax(as_float(a[i]), as_float(b[i])));
}
