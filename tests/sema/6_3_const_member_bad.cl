struct S { int a; float4 v; };
kernel void k()
{
    struct S s = {1};
    const struct S *cs = &s;
    cs->v.x = 2;
    cs->a = 1;
}
// SPDX-License-Identifier: Apache-2.0
