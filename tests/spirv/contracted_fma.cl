// Products and sums are one operation, also if the device rounds twice; the driver must not rearrange them
// target: turnip_a740
// expect:  Fma 
// expect: NoContraction
// never: OpFMul
// never: OpFAdd
kernel void k(global float *g)
{
    g[0] = g[1] * g[2] + g[3];
    g[4] = mad(g[5], g[6], g[7]);
}
// SPDX-License-Identifier: Apache-2.0
