// Declarations and types.
//// missing semicolon
kernel void f(global int *p) {
    int a = 1
    *p = a; } // error
//// undeclared type
kernel void f(global foo *p) {} // error
//// redefinition of a variable
kernel void f(global int *p) {
    int a = 1;
    float a = 2; // error
}
//// redefinition of a function
int g(int a) { return a; }
int g(int a) { return a + 1; } // error
//// conflicting function types
int g(int a);
float g(int a); // error
//// redefinition of a structure
struct S { int a; };
struct S { float b; }; // error
//// duplicate member
struct S { int a; float a; }; // error
//// void variable
kernel void f(void) {
    void v; // error
}
//// array of void
typedef void A[3]; // error
//// negative array size
constant int a[-1] = {0}; // error
//// array size is not an integer
kernel void f(void) {
    int a[1.5f]; // error
}
//// variable-length array
kernel void f(global int *p) {
    int a[*p]; // error
}
//// array size missing
kernel void f(void) {
    int a[]; // error
}
//// incomplete structure
struct S;
kernel void f(void) {
    struct S s; // error
}
//// structure that holds itself
struct S { int a; struct S s; }; // error
//// function that returns an array
typedef int A[2];
A f(void); // error
//// function that returns a function
typedef int F(void);
F f(void); // error
//// array of functions
typedef int F(void);
F a[2]; // error
//// two storage classes
typedef extern int a; // error
//// too many type words
kernel void f(void) {
    float int a; // error
}
//// signed float
kernel void f(void) {
    unsigned float a; // error
}
//// long long long
kernel void f(void) {
    short long a; // error
}
//// enumerator twice
enum E { A, B, A }; // error
//// enumerator is not constant
kernel void f(int n) {
    enum E { A = n }; // error
}
//// bit-field
struct S { int a : 3; }; // error
//// member without a type
struct S { a; }; // error
//// parameter name twice
void g(int a, int a) {} // error
//// variadic user function
void g(int a, ...) {} // error
//// missing declarator
kernel void f(void) {
    int = 3; // error
}
//// typedef with initialiser
typedef int T = 3; // error
//// label twice
kernel void f(void) {
a:; // error
a:; // error
}
//// unknown label
kernel void f(void) {
    goto nowhere; // error
}
//// parameter of type void
void g(void a) {} // error
//// missing parenthesis after parameters
void g(int a { } // error
//// missing brace at the end
kernel void f(void) {
    int a = 1; // error
//// extra brace
kernel void f(void) {}
} // error
//// text outside functions
kernel void f(void) {}
a b c; // error
//// statement outside functions
kernel void f(void) {}
return 1; // error
//// const without initialiser's type
static const = 3; // error
//// vector of structures
struct S { int a; };
kernel void f(void) {
    struct S4 v; // error
}
//// union redeclared as structure
union U { int a; };
kernel void f(void) {
    struct U u; // error
}
