// SPDX-License-Identifier: Apache-2.0
// Mandelbrot set in double precision, n iterations at most.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void mandelbrot(global const int *restrict a, global const int *restrict b, global int *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), step = 0;
    double cx = x * 3.0 / get_global_size(0) - 2.0, cy = y * 3.0 / get_global_size(1) - 1.5, re = 0.0, im = 0.0;
    while (re * re + im * im < 4.0 && step < n) {
        double next = re * re - im * im + cx;
        im = 2.0 * re * im + cy;
        re = next;
        step++;
    }
    out[y * get_global_size(0) + x] = step;
}
