kernel void k()
{
    float4 f = 1;
    float x = 1;
    x = clamp(x, 0.0f, 1.0f); f = clamp(f, 0.0f, 1.0f); f = mix(f, f, 0.5f); f = mix(f, f, f); f = step(0.5f, f); x = step(x, x); f = sign(f); x = degrees(x); x = radians(x); f = max(f, 0.f); x = max(x, 0.f); f = smoothstep(0.0f, 1.0f, f);
}
// SPDX-License-Identifier: Apache-2.0
