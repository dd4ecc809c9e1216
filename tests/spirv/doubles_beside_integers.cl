// SPDX-License-Identifier: Apache-2.0
// target: h200
// expect: OpConvertFToU %uint
// never: OpConvertFToS %ulong
// never: OpFConvert %double
// never: OpFDiv %double
// never:  Sqrt 
kernel void k(global long *l, global float *f, global double *d)
{
    l[0] = f[0];
    d[0] = f[1];
    d[1] = d[2] / d[3];
    d[4] = sqrt(d[5]) + rsqrt(d[6]);
}
