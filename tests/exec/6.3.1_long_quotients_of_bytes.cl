// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3.1: 64-bit quotients and remainders of extended bytes, and by them.
// run: divide global 4
// arg: buffer char -22 -128 -1 100
// arg: buffer ulong 5 7 3 9
// arg: buffer ulong 0xffffffffffffffff
// arg: out ulong 16
// expect: arg3 ulong 0x333333333333332e 4 1 21 0x2492492492492480 0 1 127 0x5555555555555555 0 1 0 11 1 0x28f5c28f5c28f5c 15
// run: rest global 4 local 4
// arg: buffer char -22 5
// arg: buffer ulong 5 4 7 0x7fffffffffffffff
// arg: out ulong 8
// arg: local 64
// expect: arg2 ulong 4 0 2 1 1 5 0x7fffffffffffffeb 5
kernel void divide(global const char2 *x, global const ulong *by, global const ulong *most, global ulong *out)
{
    int i = get_global_id(0);
    ulong2 pair = convert_ulong2(x[i / 2]);
    ulong n = i % 2 ? pair.s1 : pair.s0, d = by[i];
    out[4 * i] = n / d;
    out[4 * i + 1] = n % d;
    out[4 * i + 2] = *most / n;
    out[4 * i + 3] = *most % n;
}

kernel void rest(constant char2 *x, global const ulong *by, global ulong *out, local ulong2 *shared)
{
    int i = get_local_id(0);
    ulong2 d = (ulong2)(by[i]);
    d = select(d, (ulong2)1, d == (ulong2)0);
    shared[i] = convert_ulong2(x[0]) % d;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore2(shared[i], i, out);
}
