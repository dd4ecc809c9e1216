// rsqrt is the device's function where it is accurate enough
// target: turnip_a740
// expect:  InverseSqrt 
// never: OpFDiv
kernel void k(global float *g)
{
    g[0] = rsqrt(g[1]);
}
// SPDX-License-Identifier: Apache-2.0
