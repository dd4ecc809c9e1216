constant int table[4] = {1, 2, 3 * 4, -1};
constant float4 v = (float4)(1, 2, 3, 4);
constant float4 w = (float4)(1) * 2 + 1;
constant char text[] = "abc";
constant int *constant at = &table[2];
constant char *constant name = "name";
struct pair { int a; constant char *s; };
constant struct pair pairs[] = {{1, "x"}, {2, "y"}};
kernel void k(global int *g)
{
    g[0] = table[1] + *at + name[0] + pairs[1].a + (int)v.x + (int)w.y + text[0];
}
// SPDX-License-Identifier: Apache-2.0
