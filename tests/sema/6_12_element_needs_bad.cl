// options: -cl-std=CL2.0
kernel void k(read_only image2d_t image, global int *samples)
{
    *samples = get_image_num_samples(image);
}
// SPDX-License-Identifier: Apache-2.0
