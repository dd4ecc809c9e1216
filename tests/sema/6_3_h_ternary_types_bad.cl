struct S { int a; float4 v; };
kernel void k()
{
    int n = 1;
    struct S s = {1};
    n = n ? s : 1;
    n = s ? 1 : 2;
}
// SPDX-License-Identifier: Apache-2.0
