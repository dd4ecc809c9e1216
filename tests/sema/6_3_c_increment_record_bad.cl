struct S { int a; float4 v; };
kernel void k()
{
    struct S s = {1};
    s++;
}
// SPDX-License-Identifier: Apache-2.0
