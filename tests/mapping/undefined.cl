// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -hack-undef -hack-scf
// env: vulkan1.0
// never: OpUndef
// never: OpSLess
// expect: OpULessThan
// expect: OpConstantNull
kernel void k(global int *p, int n)
{
    int x;
    if (p[n] < n)
        for (int i = 0; i < n; i++)
            x = p[i] * n;
    p[0] = x;
}
