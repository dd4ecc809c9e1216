// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_fp64
// needs: rounded_division
// options: -cl-fp32-correctly-rounded-divide-sqrt
// run: k global 16384
// arg: buffer uint 0 0
// expect: arg0 uint 0 262144
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The root is between the squares of the two adjacent midpoints, which are exact in double.
int right(float x)
{
    float s = sqrt(x);
    double below = 0.5 * ((double)s + as_float(as_uint(s) - 1)), above = 0.5 * ((double)s + as_float(as_uint(s) + 1));
    return below * below <= (double)x && (double)x <= above * above;
}

kernel void k(global uint *count)
{
    uint state = get_global_id(0) * 747796405u + 2891336453u;
    for (int i = 0; i < 16; i++) {
        state = state * 1664525u + 1013904223u;
        uint bits = (state >> 1) % 0x7effffffu + 0x00800000u;
        atomic_inc(&count[right(as_float(bits))]);
    }
}
