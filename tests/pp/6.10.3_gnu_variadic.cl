#define E(f, ...) p(f, ## __VA_ARGS__)
#define N(f, a...) p(f , ## a)
#define O(a...) p(0, ## a)
E(1) E(1, 2) E(1, 2, 3) E(1,) N(1) N(1, 2, 3) O() O(1)
// SPDX-License-Identifier: Apache-2.0
