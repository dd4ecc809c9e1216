// SPDX-License-Identifier: Apache-2.0
// needs: images
// run: turned global 4
// arg: image buffer rgba unorm16 2 = 0x0000 0x0001 0x8000 0xffff 0x1234 0xfffe 0x7fff 0x00ff
// arg: image buffer rgba unorm16 4
// arg: buffer float 0*8
// expect: arg1 ushort 0xffff 0x8000 0x0001 0x0000 0x00ff 0x7fff 0xfffe 0x1234 0 0xffff 0x4000 0xbfff 0 0xffff 1 2
// expect: arg2 float 0 0.0000152590219 0.500007629 1 0.0711070420 0.999984741 0.499992371 0.00389105058
// Normalized 16-bit texels, which some devices support in buffers only as integers: both limits and values beyond them.
kernel void turned(image1d_buffer_t in, write_only image1d_buffer_t out, global float4 *seen)
{
    int i = get_global_id(0);
    if (i < 2) {
        seen[i] = read_imagef(in, i);
        write_imagef(out, i, read_imagef(in, i).wzyx);
    } else if (i == 2) {
        write_imagef(out, 2, (float4)(-0.25f, 1.5f, 0.25f, 0.75f));
    } else if (i == 3) {
        write_imagef(out, 3, (float4)(-INFINITY, INFINITY, 1.25f / 65535, 1.75f / 65535));
    }
}
