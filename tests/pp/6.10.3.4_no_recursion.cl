#define f(x) f(x) + x
#define a a b
#define x y
#define y x
f(f(1)) a x y
// SPDX-License-Identifier: Apache-2.0
