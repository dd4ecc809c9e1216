extern constant struct s v; float early() { return v.x; }
struct s { float x; };
float late() { return v.x; }
constant struct s v = {1};
extern constant union never w; struct t *p();
extern constant struct t x = {1};
kernel void k(global float *a) { *a = late(); }
// SPDX-License-Identifier: Apache-2.0
