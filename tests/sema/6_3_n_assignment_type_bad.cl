struct S { int a; float4 v; };
struct T { int b; };
kernel void k()
{
    float4 f = 1;
    int n = 1;
    struct S s = {1};
    struct T t = {1};
    s = t;
    n = s;
    n = (void)1;
    f = s;
}
// SPDX-License-Identifier: Apache-2.0
