// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: null
// arg: out int 2
// expect: arg1 int 1 0
kernel void k(global int *p, global int *out)
{
    out[0] = p == 0;
    out[1] = out == 0;
}
