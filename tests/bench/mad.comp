#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer In { float x[]; };
layout(std430, binding = 1) writeonly buffer Out { float y[]; };
void main()
{
    float a = x[gl_GlobalInvocationID.x], b = a + 1.0, c = a + 2.0, d = a + 3.0;
    for (int i = 0; i < 256; i++) {
        a = fma(a, 0.999, b);
        b = fma(b, 0.999, c);
        c = fma(c, 0.999, d);
        d = fma(d, 0.999, a);
    }
    y[gl_GlobalInvocationID.x] = a + b + c + d;
}
