struct pair { int x, y; };
kernel void k(global char *s, constant char *c, float4 f)
{
    struct pair p = {1, 2};
    printf(c);
    printf(s, 1);
    printf();
    printf("%d", p);
    int x = printf("%s", "a") + printf(1);
}
// SPDX-License-Identifier: Apache-2.0
