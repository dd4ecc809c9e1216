// SPDX-License-Identifier: Apache-2.0
// Ties, cancellation, denormals, overflow. (The first: (1 + u)(1 + u) - (1 + 2u) is u * u.)
// needs: cl_khr_fp64
// needs: double_denormals
// run: k global 18
// arg: buffer double 0x1.0000000000001p+0 0x1p-600 0x1.8p-538 0x1p-538 0x1.fffffffffffffp+1023 0x1.fffffffffffffp+1023 0x1.0000000000001p-1000 0x1.8000000000001p-500 0x1.0000000000003p-511 0x1p+0 -0x0.0000000000001p-1022 0x0.0000000000001p-1022 0x1.0000001p-1000 inf 0x1.1ccf385ebc8ap+1023 -0x0p+0 0x1.8p+1 0x0.8p-1022
// arg: buffer double 0x1.0000000000001p+0 0x1.8p-474 -0x1p-537 0x1p-537 0x1p+1 0x1.8p+0 0x1.0000000000001p+0 0x1.0000000000001p-523 0x1.8p-512 0x1p-200 0x0.0000000000001p-1022 0x1p+1023 0x1.0000001p-30 0x0p+0 0x1.1ccf385ebc8ap+1023 0x1.4p+2 -0x1.cp+2 0x1.fffffffffffffp-1
// arg: buffer double -0x1.0000000000002p+0 0x0p+0 0x0p+0 0x0.0000000000001p-1022 -0x1.fffffffffffffp+1023 -0x1.fffffffffffffp+1022 -0x1p-1000 0x0p+0 0x0p+0 0x1.0000000000001p+0 0x1p-1022 -0x1p-51 0x0.0000000000001p-1022 0x1p+0 -inf 0x0p+0 0x1.5p+4 0x0p+0
// arg: out double 18
// expect: arg3 double 0x1p-104 0x0.0000000000002p-1022 -0x0.0000000000001p-1022 0x0.0000000000002p-1022 0x1.fffffffffffffp+1023 0x1.fffffffffffffp+1023 0x0.00000008p-1022 0x0.c000000000001p-1022 0x0.c000000000002p-1022 0x1.0000000000001p+0 0x1p-1022 0x0p+0 0x0.0100000020001p-1022 -nan -inf 0x0p+0 0x0p+0 0x0.8p-1022
kernel void k(global double *a, global double *b, global double *c, global double *d)
{
    int i = get_global_id(0);
    d[i] = fma(a[i], b[i], c[i]);
}
