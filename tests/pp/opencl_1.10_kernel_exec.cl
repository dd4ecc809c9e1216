kernel_exec(64, float4) void f(void);
__kernel_exec(8, int) void g(void);
// SPDX-License-Identifier: Apache-2.0
