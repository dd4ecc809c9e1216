// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_fp64
// Quotients and roots of doubles from 8- and 16-bit integers in memory: NVK's compiler crashed.
kernel void quotients(global double *a, global const uchar *b, global const short *c)
{
    size_t i = get_global_id(0);
    a[i] = a[i] / b[i] + a[i + 1] / c[i];
}

kernel void roots(global double *a, global const char *b, global const ushort *c)
{
    size_t i = get_global_id(0);
    a[i] = sqrt(convert_double(b[i])) + rsqrt(convert_double(c[i]));
}
