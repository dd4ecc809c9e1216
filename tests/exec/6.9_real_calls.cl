// Functions too large to inline remain calls: early returns, private arrays, program-scope constants inside.
constant int tab[8] = {3, 1, 4, 1, 5, 9, 2, 6};
#define S1(n) x = x * 1103515245u + 12345u + n; x ^= x >> 7; if (x == 77u + n) return x; y[x & 3] += x >> 3;
#define S4(n) S1(n) S1(n + 1) S1(n + 2) S1(n + 3)
#define S16(n) S4(n) S4(n + 4) S4(n + 8) S4(n + 12)
uint big(uint x)
{
    uint y[4] = {1, 2, 3, 4};
    if (x == 3) return 5;
    S16(0) S16(16) S16(32)
    for (int i = 0; i < 4; i++) if (y[i] == x) return 1; else x += tab[(x + i) & 7];
    return x + y[0] + y[1] + y[2] + y[3];
}
uint mid(uint x) { return big(x) + big(x + 1); }
// run: k global 4 local 4
// arg: out uint 4
// expect: arg0 uint 3556757075 3143889591 773442491 111493861
kernel void k(global uint *o)
{
    int i = get_global_id(0);
    o[i] = mid(i) + big(i * 2);
}
// SPDX-License-Identifier: Apache-2.0
