#define D(...) p(__VA_ARGS__)
#define E(f, ...) p(f, __VA_ARGS__)
#define S(...) #__VA_ARGS__
D() D(1) D(1, 2) E(1, 2, 3) S(a, b,c) S() E(1,)
// SPDX-License-Identifier: Apache-2.0
