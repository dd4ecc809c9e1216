// SPDX-License-Identifier: Apache-2.0
// target: small
// options: --vulkan
// error: local_large.cl:7:15: error: kernel 'k': the kernel's variables need 16416 bytes of local memory, the device has 16384
kernel void k(global int *out)
{
    local int more[4096];
    local int few[8];
    more[get_local_id(0)] = few[get_local_id(0)] = *out;
    barrier(CLK_LOCAL_MEM_FENCE);
    *out = more[*out] + few[0];
}
