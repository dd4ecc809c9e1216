struct S { int a; float4 v; };
kernel void k()
{
    int n = 1;
    struct S s = {1};
    n = n && s;
}
// SPDX-License-Identifier: Apache-2.0
