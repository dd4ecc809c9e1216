// SPDX-License-Identifier: Apache-2.0
// SHA-256 of one block in each work-item, n times.
// Constants: fractions of the cube and square roots of primes (FIPS 180-4).
constant uint roots[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
constant uint initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

uint sum(uint x, uint r, uint s, uint t) { return rotate(x, 32 - r) ^ rotate(x, 32 - s) ^ rotate(x, 32 - t); }

void digest(uint state[8], const uint block[16])
{
    uint w[16], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    #pragma unroll
    for (int i = 0; i < 64; i++) {
        uint word = w[i & 15];
        uint x = s[7] + sum(s[4], 6, 11, 25) + bitselect(s[6], s[5], s[4]) + roots[i] + word;
        uint y = sum(s[0], 2, 13, 22) + bitselect(s[0], s[1], s[0] ^ s[2]);
        for (int k = 7; k; k--)
            s[k] = s[k - 1];
        s[4] += x;
        s[0] = x + y;
        uint one = w[(i + 1) & 15], fourteen = w[(i + 14) & 15];
        w[i & 15] += (rotate(one, 25u) ^ rotate(one, 14u) ^ one >> 3) + w[(i + 9) & 15] +
                     (rotate(fourteen, 15u) ^ rotate(fourteen, 13u) ^ fourteen >> 10);
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

kernel void sha256(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    size_t item = get_global_id(0);
    uint state[8], block[16];
    for (int i = 0; i < 16; i++)
        block[i] = a[item + i];
    for (int i = 0; i < 8; i++)
        state[i] = initial[i];
    for (int round = 0; round < n; round++) {
        digest(state, block);
        block[0] = state[0];
    }
    out[item] = state[0] ^ state[7];
}
