// Preprocessor and lexer. A case begins with ////; its first error must be reported at the marked line.
//// unterminated comment
kernel void f(void) {}
/* no end // error 1
//// unterminated string
constant char s[] = "abc; // error 21
kernel void f(void) {}
//// stray character
kernel void f(global int *p) { *p = 1 @ 2; } // error 38
//// stray backslash
kernel void f(global int *p) { *p = 1 \ 2; } // error 38
//// if without endif
#if 1 // error 2
kernel void f(void) {}
//// endif without if
kernel void f(void) {}
#endif // error 2
//// error directive
#ifndef SIZE
#error SIZE must be given // error 2
#endif
//// macro call without end
#define F(x) x
constant int a = F(1; // error 18
//// too few arguments for a macro
#define F(x, y) x
constant int a = F(1); // error 21
//// pasting no token
#define P(a, b) a##b
constant int a = P(+, 1); // error 18
//// division by zero in if
#if 1 / 0 // error 7
#endif
//// include not found
#include "no_such_header_anywhere.h" // error 10
//// number with a bad suffix
constant int a = 12xyz; // error 20
//// octal with a nine
constant int a = 0189; // error 20
//// exponent without digits
constant float a = 1e+; // error 21
//// hexadecimal without digits
constant int a = 0x; // error 19
//// hexadecimal float without exponent
constant float a = 0x1.8; // error 25
//// empty character constant
constant char a = ''; // error 19
//// invalid directive
#frobnicate // error 2
//// integer too large
constant ulong a = 99999999999999999999999; // error
// SPDX-License-Identifier: Apache-2.0
