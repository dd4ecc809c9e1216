#define f(x) <x>
#define P(a, b) a ## b
P(, f)(1) P(f,)(2)
// SPDX-License-Identifier: Apache-2.0
