#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/scan.cl.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { uint a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { uint result[]; };
shared uint part[512];
void main()
{
    int item = int(gl_LocalInvocationID.x), base = int(gl_WorkGroupID.x) * 512;
    part[2 * item] = a[base + 2 * item];
    part[2 * item + 1] = a[base + 2 * item + 1];
    int step = 1;
    for (int count = 256; count != 0; count >>= 1, step *= 2) {
        barrier();
        if (item < count)
            part[step * (2 * item + 2) - 1] += part[step * (2 * item + 1) - 1];
    }
    if (item == 0)
        part[511] = 0;
    for (int count = 1; count < 512; count *= 2) {
        step >>= 1;
        barrier();
        if (item < count) {
            uint low = part[step * (2 * item + 1) - 1];
            part[step * (2 * item + 1) - 1] = part[step * (2 * item + 2) - 1];
            part[step * (2 * item + 2) - 1] += low;
        }
    }
    barrier();
    result[base + 2 * item] = part[2 * item];
    result[base + 2 * item + 1] = part[2 * item + 1];
}
