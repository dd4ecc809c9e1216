#define P(a, b) a ## b
P(flo, at) P(__glo, bal) P(fo, r)(;;)
// SPDX-License-Identifier: Apache-2.0
