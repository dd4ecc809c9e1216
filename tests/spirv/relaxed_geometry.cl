// SPDX-License-Identifier: Apache-2.0
// With -cl-unsafe-math-optimizations, vectors are not scaled before they are squared.
// target: lavapipe
// options: -cl-unsafe-math-optimizations
// expect:  InverseSqrt 
// expect:  Sqrt 
// never: OpSelectionMerge
// never: FDiv
kernel void k(global float4 *g)
{
    g[0] = normalize(g[1]) + length(g[2]) + distance(g[3], g[4]);
}
