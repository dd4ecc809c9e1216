// options: -cl-std=CL2.0
__attribute__((opencl_global)) int one = 1;
void f(__attribute__((opencl_local)) int *a, int __attribute__((opencl_generic)) *b,
       __attribute__((opencl_global_device)) int *c)
{
    local int *l = a;
    generic int *g = b;
    global int *d = c;
    *g = *(__attribute__((opencl_global)) int *)d + *(__attribute__((__opencl_local__)) int *)l + one;
    static private char *p = 0;
    static local char *q = 0;
}
// SPDX-License-Identifier: Apache-2.0
