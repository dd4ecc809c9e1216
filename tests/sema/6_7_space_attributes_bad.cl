void f(__attribute__((opencl_global)) int *a, global int *__attribute__((opencl_local)) b)
{
    local int *l = a;
    __attribute__((opencl_global)) private int *both;
    private __attribute__((opencl_local)) int *too;
    __attribute__((opencl_global(1))) int *number;
}
// SPDX-License-Identifier: Apache-2.0
