__attribute__((opencl_unroll_hint(2))) void f(void);
kernel void k(global int *p)
{
    __attribute__((opencl_unroll_hint)) int x = 1;
    int y __attribute__((opencl_unroll_hint(2))) = 1;
    __attribute__((opencl_unroll_hint(2))) if (x) y++;
    __attribute__((opencl_unroll_hint(2))) { y++; }
    __attribute__((opencl_unroll_hint(2))) p[0] = y;
    __attribute__((opencl_unroll_hint(2)));
    __attribute__((opencl_unroll_hint(2))) again: for (; x; x--) p[1] = x;
    more: __attribute__((opencl_unroll_hint(2))) while (x--) p[2] = x;
    __attribute__((opencl_unroll_hint(-1))) while (x--) p[2] = x;
    __attribute__((opencl_unroll_hint(0))) do p[3] = x; while (x--);
    __attribute__((opencl_unroll_hint(4294967297))) while (x--) p[2] = x;
    __attribute__((opencl_unroll_hint(1))) while (x--) p[2] = x;
    __attribute__((opencl_unroll_hint)) for (; x; x--) p[1] = x;
    __attribute__((opencl_unroll_hint(8))) do p[3] = x; while (x--);
    if (x) goto again;
    if (y) goto more;
}
// SPDX-License-Identifier: Apache-2.0
