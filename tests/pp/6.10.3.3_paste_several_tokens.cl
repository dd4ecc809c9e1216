#define P(a, b) a ## b
P(1 x, y 2) P((a), b)
// SPDX-License-Identifier: Apache-2.0
