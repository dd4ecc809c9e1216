// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: a lane that divides by zero has an undefined value, but the other lanes are defined.
// run: shorts global 2
// arg: buffer ushort 5 65535 60000 9 7 65535 0 50
// arg: buffer ushort 0 65535 7 0 0 2 0 7
// arg: out ushort 2
// arg: out ushort 2
// expect: arg2 ushort 1 32767
// expect: arg3 ushort 3 0
kernel void shorts(global const ushort2 *x, global const ushort2 *y, global ushort *quotient, global ushort *rest)
{
    global const ushort4 *a = (global const ushort4 *)x, *b = (global const ushort4 *)y;
    size_t i = get_global_id(0);
    ushort4 q = a[i] / b[i], r = a[i] % b[i];
    quotient[i] = as_ushort2(as_uint2(q).x).y;
    rest[i] = i ? as_ushort2(as_uint2(r).x).y - 1 : as_ushort2(as_uint2(r).y).x;
}
// run: chars global 1
// arg: buffer uchar 1 255 254 9
// arg: buffer uchar 0 255 0 2
// arg: out uchar 4
// arg: out uchar 4
// expect: arg2 uchar 0 1 0 4
// expect: arg3 uchar 0 0 0 1
kernel void chars(global const uchar4 *x, global const uchar4 *y, global uchar4 *quotient, global uchar4 *rest)
{
    *quotient = as_uchar4(as_uint(*x / *y) & 0xff00ff00u);
    *rest = as_uchar4(as_uint(*x % *y) & 0xff00ff00u);
}
