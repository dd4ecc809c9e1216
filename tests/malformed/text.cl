// Preprocessor and spelling. A case begins with ////; its first error must be reported at a line marked so.
//// unterminated comment
kernel void f(void) {}
/* no end // error
//// unterminated string
constant char s[] = "abc; // error
kernel void f(void) {}
//// stray character
kernel void f(global int *p) { *p = 1 @ 2; } // error
//// stray backslash
kernel void f(global int *p) { *p = 1 \ 2; } // error
//// if without endif
#if 1 // error
kernel void f(void) {}
//// endif without if
kernel void f(void) {}
#endif // error
//// error directive
#ifndef SIZE
#error SIZE must be given // error
#endif
//// macro call without end
#define F(x) x
int a = F(1; // error
//// too few arguments for a macro
#define F(x, y) x
constant int a = F(1); // error
//// pasting no token
#define P(a, b) a##b
constant int a = P(+, 1); // error
//// division by zero in if
#if 1 / 0 // error
#endif
//// include not found
#include "no_such_header_anywhere.h" // error
//// number with a bad suffix
constant int a = 12xyz; // error
//// octal with a nine
constant int a = 0189; // error
//// exponent without digits
constant float a = 1e+; // error
//// hexadecimal without digits
constant int a = 0x; // error
//// hexadecimal float without exponent
constant float a = 0x1.8; // error
//// empty character constant
constant char a = ''; // error
//// invalid directive
#frobnicate // error
//// integer too large
constant ulong a = 99999999999999999999999; // error
