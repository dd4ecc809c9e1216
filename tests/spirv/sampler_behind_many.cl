// SPDX-License-Identifier: Apache-2.0
// never: SpecId 3
// A sampler of a kernel with more arguments than there are ids of specialization constants is in the push block.
#define EIGHT(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
#define SIXTY_FOUR(x) EIGHT(x##a), EIGHT(x##b), EIGHT(x##c), EIGHT(x##d), EIGHT(x##e), EIGHT(x##f), EIGHT(x##g), EIGHT(x##h)
kernel void k(SIXTY_FOUR(p), SIXTY_FOUR(q), SIXTY_FOUR(r), SIXTY_FOUR(s), read_only image2d_t image, sampler_t sampler, global float4 *to)
{
    *to = read_imagef(image, sampler, (int2)(pa0, sh7));
}
