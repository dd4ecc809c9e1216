kernel void k(image2d_t a, sampler_t s, int i, global sampler_t *p)
{
    const sampler_t t = i;
    sampler_t u = 1.0f;
    s = t;
    int x = s + 1;
    float4 f = read_imagef(a, 1.0f, (int2)(0));
    if (s)
        x = s == t;
    sampler_t many[2];
}
sampler_t global_one = 1;
struct holder { sampler_t s; };
sampler_t give(void);
kernel void wrong(global int i) { const sampler_t t = i; }
// SPDX-License-Identifier: Apache-2.0
