// options: -cl-std=CL2.0
void take(read_write image2d_t a) { write_imagef(a, (int2)(1), read_imagef(a, (int2)(2))); }
kernel void k(read_write image2d_t a, read_write image3d_t b)
{
    take(a);
    write_imagei(b, (int4)(1), read_imagei(b, (int4)(0)));
}
// SPDX-License-Identifier: Apache-2.0
