constant sampler_t a = CLK_FILTER_LINEAR;
constant sampler_t b = a;
void f(void) { const sampler_t c = a; }
constant int n[4] = {1};
typedef int differ[&n[3] - &n[1]];
// SPDX-License-Identifier: Apache-2.0
