// Declarations and types.
//// missing semicolon
kernel void f(global int *p) {
    int a = 1
    *p = a; } // error 5
//// undeclared type
kernel void f(global foo *p) {} // error 22
//// redefinition of a variable
kernel void f(global int *p) {
    int a = 1;
    float a = 2; // error 11
}
//// redefinition of a function
int g(int a) { return a; }
int g(int a) { return a + 1; } // error 5
//// conflicting function types
int g(int a);
float g(int a); // error 7
//// redefinition of a structure
struct S { int a; };
struct S { float b; }; // error 8
//// duplicate member
struct S { int a; float a; }; // error 25
//// void variable
kernel void f(void) {
    void v; // error 10
}
//// array of void
typedef void A[3]; // error 15
//// negative array size
constant int a[-1] = {0}; // error 16
//// array size is not an integer
kernel void f(void) {
    int a[1.5f]; // error 11
}
//// variable-length array
kernel void f(global int *p) {
    int a[*p]; // error 12
}
//// array size missing
kernel void f(void) {
    int a[]; // error 9
}
//// incomplete structure
struct S;
kernel void f(void) {
    struct S s; // error 14
}
//// structure that holds itself
struct S { int a; struct S s; }; // error 28
//// function that returns an array
typedef int A[2];
A f(void); // error 4
//// function that returns a function
typedef int F(void);
F f(void); // error 4
//// array of functions
typedef int F(void);
F a[2]; // error 4
//// two storage classes
typedef extern int a; // error 9
//// too many type words
kernel void f(void) {
    float int a; // error 11
}
//// signed float
kernel void f(void) {
    unsigned float a; // error 5
}
//// long long long
kernel void f(void) {
    short long a; // error 11
}
//// enumerator twice
enum E { A, B, A }; // error 16
//// enumerator is not constant
kernel void f(int n) {
    enum E { A = n }; // error 18
}
//// bit-field
struct S { int a : 3; }; // error 16
//// member without a type
struct S { a; }; // error 12
//// parameter name twice
void g(int a, int a) {} // error 19
//// variadic user function
void g(int a, ...) {} // error 6
//// missing declarator
kernel void f(void) {
    int = 3; // error 9
}
//// typedef with initialiser
typedef int T = 3; // error 13
//// label twice
kernel void f(void) {
a:; // error
a:; // error 1
}
//// unknown label
kernel void f(void) {
    goto nowhere; // error 10
}
//// parameter of type void
void g(void a) {} // error 13
//// missing parenthesis after parameters
void g(int a { } // error 14
//// missing brace at the end
kernel void f(void) {
    int a = 1; // error 27
//// extra brace
kernel void f(void) {}
} // error 1
//// text outside functions
kernel void f(void) {}
a b c; // error 1
//// statement outside functions
kernel void f(void) {}
return 1; // error 1
//// const without initialiser's type
static const = 3; // error 14
//// vector of structures
struct S { int a; };
kernel void f(void) {
    struct S4 v; // error 15
}
//// union redeclared as structure
union U { int a; };
kernel void f(void) {
    struct U u; // error 5
}
// SPDX-License-Identifier: Apache-2.0
