// A large function with a single call is left to the driver.
// target: h200
// expect: OpFunctionCall
// never: DontInline
#define STEP(n) a = rotate(a + (b ^ c) * n##77u, 7u) ^ d; d = c; c = b + (a >> 3); b ^= a * n##3u;
#define STEPS(n) STEP(n##1) STEP(n##3) STEP(n##5) STEP(n##7) STEP(n##9)
#define MANY(n) STEPS(n##1) STEPS(n##2) STEPS(n##3) STEPS(n##4) STEPS(n##5) STEPS(n##6)
uint mixed(uint a, uint b)
{
    uint c = a * 5, d = b * 3;
    MANY(1) MANY(2) MANY(3) MANY(4) MANY(5)
    return a ^ c;
}
kernel void k(global uint *p)
{
    uint i = get_global_id(0);
    p[i] = mixed(p[i], i);
}
// SPDX-License-Identifier: Apache-2.0
