// SPDX-License-Identifier: Apache-2.0
// A function that is not inlined reads and writes elements of its callers' private arrays many times, and returns early.
// run: k global 16 local 8
// arg: out uint 16
// expect: arg0 uint 3766858451 4096200173 1337526518 2080531231 763633961 1391389395 2441542365 1540356117 1609620626 2045065403 323212783 3403095534 2780878421 842228308 2362125700 1058291861
__attribute__((noinline)) uint mix(uint *a, uint *b, uint sel)
{
    if (sel == 5)
        return a[1];
    if (sel & 1) {
        a[0] += a[1] * 3 + b[0];
        a[1] ^= a[0];
        a[2] = a[2] + a[1];
    } else {
        a[1] = a[1] + b[1];
        a[2] ^= a[1] << 3;
        a[3] = a[2];
    }
    for (uint i = 0; i < sel; i++) {
        a[2] = a[2] * 5 + a[0];
        a[0] += a[3] + i;
        if (a[0] % 7 == sel)
            return a[0] + a[2];
        b[0] += a[0];
        b[1] ^= a[2];
    }
    b[0] += a[1];
    b[1] ^= a[3];
    return a[0] + a[1] + b[0];
}

__attribute__((noinline)) uint both(uint *x, uint n, uint sel)
{
    uint q[2] = {n, n + 1};
    uint r = mix(x, q, sel);
    r += mix(x + 4, q, sel ^ 1);
    return r ^ q[0] ^ q[1];
}

kernel void k(global uint *out)
{
    uint i = get_global_id(0);
    uint x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4] = {i, i + 1, i + 2, i + 3}, q[4] = {9, 8, 7, 6};
    uint r = both(x, i, i % 9);
    r += both(x, r & 15, (i + 3) % 9);
    r += mix(y, q + 2, i % 7);
    for (int k = 0; k < 8; k++)
        r = r * 31 + x[k];
    for (int k = 0; k < 4; k++)
        r = r * 31 + y[k];
    for (int k = 0; k < 4; k++)
        r = r * 31 + q[k];
    out[i] = r;
}
