constant char a[] = "ab";
constant uchar b[2] = "xy";
constant char c[5] = {"q"};
constant char d[2][2] = {"r", "s"};
constant char e[] = "a" "\x62";
// SPDX-License-Identifier: Apache-2.0
