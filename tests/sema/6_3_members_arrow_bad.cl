struct S { int a; float4 v; };
kernel void k()
{
    struct S s = {1};
    s->a;
    (&s).a;
}
// SPDX-License-Identifier: Apache-2.0
