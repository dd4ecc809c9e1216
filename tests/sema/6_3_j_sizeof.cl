struct S { int a; float4 v; };
kernel void k()
{
    float4 f = 1;
    int n = 1;
    int arr[4];
    n = sizeof(int); n = sizeof n; n = sizeof(arr) / sizeof(arr[0]); n = sizeof(struct S); n = sizeof("abc"); n = sizeof f.xy; n = __alignof__(float4);
    _Static_assert(sizeof(float3) == 16, "as a vector of 4");
    _Static_assert(sizeof(struct S) == 32, "");
    _Static_assert(__builtin_offsetof(struct S, v) == 16, "");
    _Static_assert(sizeof(void *) == 8, "");
}
// SPDX-License-Identifier: Apache-2.0
