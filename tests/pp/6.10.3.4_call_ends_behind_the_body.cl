#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#define h h2(
#define h2(x) [x]
h 3)
#define E
f E (1)
// SPDX-License-Identifier: Apache-2.0
