// options: -Werror
#pragma OPENCL EXTENSION my_extension : begin
int f(void);
#pragma OPENCL EXTENSION my_extension : end
int g(void) { return 0; }
// SPDX-License-Identifier: Apache-2.0
