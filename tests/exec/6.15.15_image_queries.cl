// SPDX-License-Identifier: Apache-2.0
// needs: images
// run: k global 1
// arg: image 2d rgba uint8 3 2
// arg: image 3d r float 4 5 6
// arg: image 1d_array rg unorm16 7 3
// arg: image 2d_array rgba int32 8 9 2
// arg: out int 24
// expect: arg4 int 3 2 3 2 0x10da 0x10b5  4 5 6 4 5 6 0 0x10de 0x10b0  7 3 0x10d3  8 9 2 8 9 0x10d9
kernel void k(image2d_t a, write_only image3d_t b, image1d_array_t c, image2d_array_t d, global int *out)
{
    int2 dim = get_image_dim(a);
    int4 volume = get_image_dim(b);
    int found[] = {
        get_image_width(a), get_image_height(a), dim.x, dim.y, get_image_channel_data_type(a), get_image_channel_order(a),
        get_image_width(b), get_image_height(b), get_image_depth(b), volume.x, volume.y, volume.z, volume.w,
        get_image_channel_data_type(b), get_image_channel_order(b),
        get_image_width(c), (int)get_image_array_size(c), get_image_channel_data_type(c),
        get_image_width(d), get_image_height(d), (int)get_image_array_size(d), get_image_dim(d).x, get_image_dim(d).y,
        get_image_channel_data_type(d)};
    for (int i = 0; i < sizeof found / sizeof *found; i++)
        out[i] = found[i];
}
