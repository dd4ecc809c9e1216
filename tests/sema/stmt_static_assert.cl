_Static_assert(sizeof(float3) == 16, "no");
_Static_assert(1 > 2, "one is not greater than two");
void f(int n) { _Static_assert(n, "x"); _Static_assert(0); }
// SPDX-License-Identifier: Apache-2.0
