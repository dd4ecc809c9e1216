int printf(__constant const char *st, ...) __attribute__((format(printf, 1, 2)));
extern int printf(constant char *restrict format, ...);
kernel void k(global float *p)
{
    int printf(constant char *, ...);
    printf("%f\n", p[0]);
}
// SPDX-License-Identifier: Apache-2.0
