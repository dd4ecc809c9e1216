// Faster forms of float library functions, with device instructions
// target: h200
// options: -cl-fast-relaxed-math
// expect:  Exp2 
// expect:  Sqrt 
kernel void k(global float *g)
{
    g[0] = pow(g[1], g[2]) + hypot(g[3], g[4]);
}
// SPDX-License-Identifier: Apache-2.0
