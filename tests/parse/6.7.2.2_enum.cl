enum E { A, B = 5, C, D = -1 };
enum { BIG = 0xffffffffu };
constant int c = C;
enum E f(enum E e) { return e == D ? A : sizeof(BIG); }
// SPDX-License-Identifier: Apache-2.0
