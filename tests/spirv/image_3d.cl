// A device without 3D storage images: 3D images can be read.
// target: formats
// error: requires 'cl_khr_3d_image_writes', which the device does not support
kernel void move(read_only image3d_t from, write_only image3d_t to)
{
    int4 at = (int4)(1, 2, 3, 0);
    write_imagef(to, at, read_imagef(from, at));
}
// SPDX-License-Identifier: Apache-2.0
