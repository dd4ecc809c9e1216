// fma in software has no branches: it is inlined everywhere, and drivers' compilers take long for many blocks
// target: turnip_a740
// never: OpBranchConditional
kernel void k(global float *g)
{
    g[0] = fma(g[1], g[2], g[3]);
}
// SPDX-License-Identifier: Apache-2.0
