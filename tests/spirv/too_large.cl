// calls of calls, which drivers inline: a compiler of a CPU driver cannot bear what comes of them
// target: lavapipe
// error: more than 500000 instructions
#define APART __attribute__((noinline))
APART uint f0(uint x) { return (x ^ x >> 3) * 0x9e3779b9u + (x << 5); }
#define F(n, m) APART uint f##n(uint x) { for (uint i = 0; i < x; i++) x ^= f##m(x + i) + f##m(x * i) + f##m(x - i) + f##m(~x); return x; }
F(1, 0) F(2, 1) F(3, 2) F(4, 3) F(5, 4) F(6, 5) F(7, 6) F(8, 7)
kernel void k(global uint *x) { x[0] = f8(x[1]); }
