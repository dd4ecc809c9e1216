#define P(a, b) a##b
#define Q(a) P(a, a)
#define R(a) Q(Q(a))
Q(R(R(R(a)))) Q(Q(Q(Q(1))))
// SPDX-License-Identifier: Apache-2.0
