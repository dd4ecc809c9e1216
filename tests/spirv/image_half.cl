// expect: OpImageFetch %v4float
// expect: OpImageWrite
kernel void k(image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageh(to, at, read_imageh(from, CLK_FILTER_NEAREST, at) * 2);
}
// SPDX-License-Identifier: Apache-2.0
