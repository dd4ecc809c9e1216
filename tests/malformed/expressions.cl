// Expressions.
//// undeclared identifier
kernel void f(global int *p) {
    *p = q; // error 10
}
//// undeclared function
kernel void f(global int *p) {
    *p = no_such_function(1); // error 10
}
//// call of a variable
kernel void f(global int *p) {
    int a = 1;
    *p = a(2); // error 11
}
//// too few arguments
int g(int a, int b) { return a + b; }
kernel void f(global int *p) {
    *p = g(1); // error 13
}
//// too many arguments
int g(int a) { return a; }
kernel void f(global int *p) {
    *p = g(1, 2); // error 15
}
//// structure as an integer
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1};
    *p = s; // error 8
}
//// structure for a structure
struct S { int a; };
struct T { int a; };
kernel void f(void) {
    struct S s = {1};
    struct T t;
    t = s; // error 7
}
//// argument of a wrong structure
struct S { int a; };
void g(struct S s) {}
kernel void f(void) {
    g(1); // error 7
}
//// assignment to a constant
kernel void f(void) {
    const int a = 1;
    a = 2; // error 7
}
//// assignment to a value
kernel void f(void) {
    int a = 1;
    a + 1 = 2; // error 11
}
//// increment of a value
kernel void f(void) {
    5++; // error 6
}
//// address of a value
kernel void f(void) {
    int a = 1;
    int *p = &(a + 1); // error 14
}
//// dereference of an integer
kernel void f(void) {
    int a = 1;
    *a = 2; // error 5
}
//// dereference of void pointer
kernel void f(global void *p, global int *q) {
    *q = *p + 1; // error 13
}
//// subscript of an integer
kernel void f(void) {
    int a = 1;
    a[0] = 2; // error 6
}
//// subscript by a float
kernel void f(global int *p) {
    p[1.5f] = 2; // error 6
}
//// member of an integer
kernel void f(void) {
    int a = 1;
    a.b = 2; // error 6
}
//// unknown member
struct S { int a; };
kernel void f(void) {
    struct S s;
    s.b = 2; // error 7
}
//// arrow on a structure
struct S { int a; };
kernel void f(void) {
    struct S s;
    s->a = 2; // error 6
}
//// dot on a pointer
struct S { int a; };
kernel void f(global struct S *s) {
    s.a = 2; // error 6
}
//// remainder of floats
kernel void f(global float *p) {
    *p = p[1] % p[2]; // error 15
}
//// shift of a float
kernel void f(global float *p) {
    *p = p[1] << 2; // error 15
}
//// complement of a float
kernel void f(global float *p) {
    *p = ~p[1]; // error 10
}
//// and of floats
kernel void f(global float *p) {
    *p = p[1] & p[2]; // error 15
}
//// sum of pointers
kernel void f(global int *p, global int *q) {
    global int *r = p + q; // error 23
}
//// product of pointers
kernel void f(global int *p) {
    global int *r = p * 2; // error 23
}
//// difference of different pointers
kernel void f(global int *p, global float *q, global long *r) {
    *r = p - q; // error 12
}
//// negative of a pointer
kernel void f(global int *p, global long *r) {
    *r = -p; // error 10
}
//// structure as a condition
struct S { int a; };
kernel void f(void) {
    struct S s = {1};
    if (s) return; // error 5
}
//// cast to a structure
struct S { int a; };
kernel void f(void) {
    struct S s = (struct S)1; // error 18
}
//// cast of a structure
struct S { int a; };
kernel void f(void) {
    struct S s = {1};
    int a = (int)s; // error 18
}
//// sizeof of a function's type
void g(void);
kernel void f(global int *p) {
    *p = sizeof(struct Unknown); // error 10
}
//// missing operand
kernel void f(global int *p) {
    *p = 1 + ; // error 14
}
//// missing parenthesis
kernel void f(global int *p) {
    *p = (1 + 2; // error 16
}
//// missing bracket
kernel void f(global int *p) {
    p[0 = 1; // error 9
}
//// missing colon
kernel void f(global int *p) {
    *p = p[1] ? 2; // error 18
}
//// void value used
void g(void) {}
kernel void f(global int *p) {
    *p = g(); // error 8
}
//// conditional of structure and integer
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1};
    *p = p[1] ? s : 1; // error 15
}
//// keyword as an operand
kernel void f(global int *p) {
    *p = while; // error 10
}
//// type as an operand
kernel void f(global int *p) {
    *p = int; // error 10
}
//// assignment of an array
kernel void f(void) {
    int a[2], b[2];
    a = b; // error 7
}
//// float for a pointer
kernel void f(global int *p) {
    global int *q = 1.5f; // error 17
}
//// two numbers
kernel void f(global int *p) {
    *p = 1 2; // error 11
}
//// comparison of structures
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1}, t = {1};
    *p = s == t; // error 12
}
// SPDX-License-Identifier: Apache-2.0
