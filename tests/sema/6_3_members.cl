struct S { int a; float4 v; };
union U { int i; float f; };
kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    int n = 1;
    struct S s = {1};
    union U un;
    s.a = 1; s.v.xy = f2; struct S *ps = &s; ps->v.x = 1; ps->v = f; n = ps->a; un.f = 1; n = un.i; n = (&s)->a; (*ps).a = 2;
}
// SPDX-License-Identifier: Apache-2.0
