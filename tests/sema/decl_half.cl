// options: --no-fp16 --no-fp64
half f(half x);
constant half c = 1;
void g(half *p, global half *q) { half h; half a[2]; }
half4 v;
double d(double2 x);
// SPDX-License-Identifier: Apache-2.0
