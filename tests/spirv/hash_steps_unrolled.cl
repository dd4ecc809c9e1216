// An array of 256 elements, most of whose indices are constants, becomes registers: the loop over all of it is unrolled.
// target: h200
// never: OpTypePointer Function
// never: OpLoopMerge
constant ushort powers[] = {1, 163, 98, 40, 95, 65, 58, 202, 30, 7, 113, 172, 151, 5, 88, 211};
#define REDS1(x) (((x) & 0xff) - ((x) >> 8))
#define REDS2(x) (((x) & 0xffff) + ((x) >> 16))
kernel void k(global int *out, global const int *in)
{
    int q[256];
    in += get_global_id(0) * 256;
    #pragma unroll
    for (int i = 0; i < 256; i++)
        q[i] = in[i];
    for (int i = 0; i < 256; i++) {
        int x = q[i] + powers[i & 15] * (i >> 4);
        x = REDS2(x);
        x = REDS1(x);
        x = REDS1(x);
        q[i] = x <= 128 ? x : x - 257;
    }
    int sum = 0;
    #pragma unroll
    for (int i = 0; i < 256; i++)
        sum = sum * 3 + q[i ^ 21];
    out[get_global_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0
