// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -module-constants-in-storage-buffer
// error: -reflection=0
constant uchar large[140000] = {1};
kernel void k(global uchar *out)
{
    out[get_global_id(0)] = large[get_global_id(0)];
}
