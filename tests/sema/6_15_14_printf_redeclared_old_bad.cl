// options: -cl-std=CL1.1
int printf(constant char *format, ...);
void given(int a, ...);
// SPDX-License-Identifier: Apache-2.0
