// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out int 9
// expect: arg0 int 12 8 20 2 2 8 4 12 10
kernel void k(global int *out)
{
    int x = 10;
    out[0] = x += 2;
    out[1] = x -= 4;
    x = 10;
    out[2] = x *= 2;
    out[3] = x /= 10;
    out[4] = x %= 3;
    out[5] = x <<= 2;
    out[6] = x >>= 1;
    out[7] = x |= 8;
    out[8] = x ^= 6;
}
