__attribute__((reqd_work_group_size(8, 4, 1))) kernel void a(void) {}
kernel __attribute__((work_group_size_hint(2 * 8, 1, 1), vec_type_hint(float4))) void b(void) {}
kernel void __attribute__((__reqd_work_group_size__(1, 2, 3))) c(int n)
{
    __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; i++) ;
    __attribute__((opencl_unroll_hint)) while (n--) ;
#pragma unroll 8
    do { } while (n);
#pragma unroll
    for (;;) { }
    __attribute__((aligned(64))) int x;
    int y __attribute__((unused, aligned(16)));
}
// SPDX-License-Identifier: Apache-2.0
