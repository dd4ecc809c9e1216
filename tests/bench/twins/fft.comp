#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/fft.cl, and with OpenCL's infinities, NaNs and signed zeros (SignedZeroInfNanPreserve).
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly restrict buffer A { vec2 a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { vec2 result[]; };
const vec2 turns[8] = {{1.0, 0.0}, {0.92387953, -0.38268343}, {0.70710678, -0.70710678},
    {0.38268343, -0.92387953}, {0.0, -1.0}, {-0.38268343, -0.92387953}, {-0.70710678, -0.70710678},
    {-0.92387953, -0.38268343}};
void main()
{
    vec2 x[16];
    uint item = gl_GlobalInvocationID.x, stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (int i = 0; i < 16; i++)
        x[i] = a[item + i * stride];
    for (int width = 8; width != 0; width >>= 1)
        for (int k = 0; k < 16; k++)
            if ((k & width) == 0) {
                vec2 turn = turns[(k & (width - 1)) * (8 / width)];
                vec2 sum = x[k] + x[k | width], difference = x[k] - x[k | width];
                x[k] = sum;
                x[k | width] = vec2(difference.x * turn.x - difference.y * turn.y,
                                    difference.x * turn.y + difference.y * turn.x);
            }
    for (int i = 0; i < 16; i++)
        result[item + i * stride] = x[i];
}
