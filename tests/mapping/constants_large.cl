// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// error: constants_large.cl:7:12: error: kernel 'k': the program's constants are too large for the module; use -module-constants-in-storage-buffer
constant uchar large[70000] = {1};
static uchar get(int i)
{
    return large[i];
}
kernel void k(global uchar *out) { out[get_global_id(0)] = get(get_global_id(0)); }
