float printf(constant char *format, ...);
int printf(const char *format, ...);
int printf(constant char *format, int a, ...);
int prints(constant char *format, ...);
int printf(constant char *format, ...) { return 0; }
kernel void k(global float *p)
{
    printf("%f\n", p[0]);
}
// SPDX-License-Identifier: Apache-2.0
