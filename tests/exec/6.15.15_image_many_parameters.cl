// SPDX-License-Identifier: Apache-2.0
// An image and a sampler after more than 32 other parameters, and one of each before them.
// needs: images
// run: far global 2
// arg: image 2d r float 2 2 = 1 2 3 4
// arg: image 2d r float 2 2 = 10 20 30 40
// arg: sampler texels edge nearest
// arg: out float 2
// expect: arg3 float 32 46
#define EIGHT(x) float x##0, float x##1, float x##2, float x##3, float x##4, float x##5, float x##6, float x##7
static __attribute__((noinline)) float sum(read_only image2d_t a, EIGHT(x), EIGHT(y), EIGHT(z), EIGHT(w), read_only image2d_t b,
                                           sampler_t s, int at)
{
    float all = x0 + y3 + z7 + w7;
    return all + read_imagef(a, s, (int2)(at, 0)).x + read_imagef(b, s, (int2)(at, 1)).x;
}

kernel void far(read_only image2d_t a, read_only image2d_t b, sampler_t s, global float *out)
{
    int at = (int)get_global_id(0);
    float i = at, o = 1;
#define FOUR(x) x, x, x, x
    out[at] = sum(a, FOUR(o), FOUR(i), FOUR(i), FOUR(o), FOUR(o), FOUR(i), FOUR(o), FOUR(i), b, s, at);
}
