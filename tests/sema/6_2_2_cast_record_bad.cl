struct S { int a; float4 v; };
struct T { int b; };
kernel void k()
{
    struct S s = {1};
    struct T t = {1};
    s = (struct S)t;
}
// SPDX-License-Identifier: Apache-2.0
