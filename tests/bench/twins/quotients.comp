#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/quotients.cl, but less accurate: GLSL's quotients may have an error of 2.5 ULP.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 1) readonly restrict buffer B { float b[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float x = 0.125 + a[i], y = 1.0 + b[i], sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += y / x;
        x += 0.125;
    }
    result[i] = sum;
}
