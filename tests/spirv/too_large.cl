// thousands of accesses to local memory, each of which becomes many blocks for each work-item: too many for the driver's
// compiler
// target: lavapipe
// error: most of them in 'k'
#define A1(n) a[(x * (n) + 7) & 4095] ^= x + (n); x = x * 3 + (n);
#define A8(n) A1(n) A1(n + 1) A1(n + 2) A1(n + 3) A1(n + 4) A1(n + 5) A1(n + 6) A1(n + 7)
#define A64(n) A8(n) A8(n + 8) A8(n + 16) A8(n + 24) A8(n + 32) A8(n + 40) A8(n + 48) A8(n + 56)
#define A512(n) A64(n) A64(n + 64) A64(n + 128) A64(n + 192) A64(n + 256) A64(n + 320) A64(n + 384) A64(n + 448)
kernel void k(global uint *p)
{
    local uint a[4096];
    uint x = p[0];
    A512(0) A512(512) A512(1024) A512(1536) A512(2048) A512(2560) A512(3072)
    p[1] = x + a[x & 4095];
}
// SPDX-License-Identifier: Apache-2.0
