// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// error: -module-constants-in-storage-buffer
constant uchar large[70000] = {1};
kernel void k(global uchar *out)
{
    out[get_global_id(0)] = large[get_global_id(0)];
}
