// Image properties that a kernel queries are in the push block: the image itself is not bound.
// expect: PushConstant
// never: UniformConstant
// never: ImageQuery
kernel void k(image2d_array_t a, image3d_t b, write_only image1d_t c, global int *out)
{
    out[0] = get_image_width(a) + get_image_height(a) + get_image_array_size(a);
    out[1] = get_image_depth(b) + get_image_dim(b).y + get_image_dim(a).x;
    out[2] = get_image_channel_order(c) + get_image_channel_data_type(c);
}
// SPDX-License-Identifier: Apache-2.0
