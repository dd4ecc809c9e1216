// What must be exact where it can be does not build on the functions of the device, which are not (but for exp10, whose few
// exact results have been tried)
// target: h200
// never:  Exp2 
// never:  Sqrt 
kernel void k(global float *g)
{
    g[0] = pow(g[1], g[2]) + hypot(g[3], g[4]);
}
// SPDX-License-Identifier: Apache-2.0
