#version 450
#extension GL_EXT_control_flow_attributes : require
// SPDX-License-Identifier: Apache-2.0
// As programs/sha256.cl.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { uint a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { uint result[]; };
layout(push_constant) uniform Push { int n; };
const uint roots[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};
const uint initial[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};
uint rotate(uint x, int by) { return x << by | x >> (32 - by); }
uint sum(uint x, int r, int s, int t) { return rotate(x, 32 - r) ^ rotate(x, 32 - s) ^ rotate(x, 32 - t); }
uint choose(uint x, uint y, uint c) { return (x & ~c) | (y & c); }
void main()
{
    uint item = gl_GlobalInvocationID.x;
    uint state[8], block[16];
    for (int i = 0; i < 16; i++)
        block[i] = a[item + i];
    for (int i = 0; i < 8; i++)
        state[i] = initial[i];
    for (int round = 0; round < n; round++) {
        uint w[16] = block, s[8] = state;
        [[unroll]] for (int i = 0; i < 64; i++) {
            uint word = w[i & 15];
            uint x = s[7] + sum(s[4], 6, 11, 25) + choose(s[6], s[5], s[4]) + roots[i] + word;
            uint y = sum(s[0], 2, 13, 22) + choose(s[0], s[1], s[0] ^ s[2]);
            [[unroll]] for (int k = 7; k > 0; k--)
                s[k] = s[k - 1];
            s[4] += x;
            s[0] = x + y;
            uint one = w[(i + 1) & 15], fourteen = w[(i + 14) & 15];
            w[i & 15] += (rotate(one, 25) ^ rotate(one, 14) ^ one >> 3) + w[(i + 9) & 15] +
                         (rotate(fourteen, 15) ^ rotate(fourteen, 13) ^ fourteen >> 10);
        }
        for (int i = 0; i < 8; i++)
            state[i] += s[i];
        block[0] = state[0];
    }
    result[item] = state[0] ^ state[7];
}
