// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out int 6
// expect: arg0 int 5 6 7 7 9 2
kernel void k(global int *out)
{
    int x = 5;
    out[0] = x++;
    out[1] = x;
    out[2] = ++x;
    out[3] = x--;
    x += 3;
    out[4] = x;
    char c = 127;
    c += 3;
    out[5] = c == -126 ? 2 : 0;
}
