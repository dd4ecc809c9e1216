int a = "abc;
char b = 'x;
int c; /* open
// SPDX-License-Identifier: Apache-2.0
