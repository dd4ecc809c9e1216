// Expressions.
//// undeclared identifier
kernel void f(global int *p) {
    *p = q; // error
}
//// undeclared function
kernel void f(global int *p) {
    *p = no_such_function(1); // error
}
//// call of a variable
kernel void f(global int *p) {
    int a = 1;
    *p = a(2); // error
}
//// too few arguments
int g(int a, int b) { return a + b; }
kernel void f(global int *p) {
    *p = g(1); // error
}
//// too many arguments
int g(int a) { return a; }
kernel void f(global int *p) {
    *p = g(1, 2); // error
}
//// structure as an integer
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1};
    *p = s; // error
}
//// structure for a structure
struct S { int a; };
struct T { int a; };
kernel void f(void) {
    struct S s = {1};
    struct T t;
    t = s; // error
}
//// argument of a wrong structure
struct S { int a; };
void g(struct S s) {}
kernel void f(void) {
    g(1); // error
}
//// assignment to a constant
kernel void f(void) {
    const int a = 1;
    a = 2; // error
}
//// assignment to a value
kernel void f(void) {
    int a = 1;
    a + 1 = 2; // error
}
//// increment of a value
kernel void f(void) {
    5++; // error
}
//// address of a value
kernel void f(void) {
    int a = 1;
    int *p = &(a + 1); // error
}
//// dereference of an integer
kernel void f(void) {
    int a = 1;
    *a = 2; // error
}
//// dereference of void pointer
kernel void f(global void *p, global int *q) {
    *q = *p + 1; // error
}
//// subscript of an integer
kernel void f(void) {
    int a = 1;
    a[0] = 2; // error
}
//// subscript by a float
kernel void f(global int *p) {
    p[1.5f] = 2; // error
}
//// member of an integer
kernel void f(void) {
    int a = 1;
    a.b = 2; // error
}
//// unknown member
struct S { int a; };
kernel void f(void) {
    struct S s;
    s.b = 2; // error
}
//// arrow on a structure
struct S { int a; };
kernel void f(void) {
    struct S s;
    s->a = 2; // error
}
//// dot on a pointer
struct S { int a; };
kernel void f(global struct S *s) {
    s.a = 2; // error
}
//// remainder of floats
kernel void f(global float *p) {
    *p = p[1] % p[2]; // error
}
//// shift of a float
kernel void f(global float *p) {
    *p = p[1] << 2; // error
}
//// complement of a float
kernel void f(global float *p) {
    *p = ~p[1]; // error
}
//// and of floats
kernel void f(global float *p) {
    *p = p[1] & p[2]; // error
}
//// sum of pointers
kernel void f(global int *p, global int *q) {
    global int *r = p + q; // error
}
//// product of pointers
kernel void f(global int *p) {
    global int *r = p * 2; // error
}
//// difference of different pointers
kernel void f(global int *p, global float *q, global long *r) {
    *r = p - q; // error
}
//// negative of a pointer
kernel void f(global int *p, global long *r) {
    *r = -p; // error
}
//// structure as a condition
struct S { int a; };
kernel void f(void) {
    struct S s = {1};
    if (s) return; // error
}
//// cast to a structure
struct S { int a; };
kernel void f(void) {
    struct S s = (struct S)1; // error
}
//// cast of a structure
struct S { int a; };
kernel void f(void) {
    struct S s = {1};
    int a = (int)s; // error
}
//// sizeof of a function's type
void g(void);
kernel void f(global int *p) {
    *p = sizeof(struct Unknown); // error
}
//// missing operand
kernel void f(global int *p) {
    *p = 1 + ; // error
}
//// missing parenthesis
kernel void f(global int *p) {
    *p = (1 + 2; // error
}
//// missing bracket
kernel void f(global int *p) {
    p[0 = 1; // error
}
//// missing colon
kernel void f(global int *p) {
    *p = p[1] ? 2; // error
}
//// void value used
void g(void) {}
kernel void f(global int *p) {
    *p = g(); // error
}
//// conditional of structure and integer
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1};
    *p = p[1] ? s : 1; // error
}
//// keyword as an operand
kernel void f(global int *p) {
    *p = while; // error
}
//// type as an operand
kernel void f(global int *p) {
    *p = int; // error
}
//// assignment of an array
kernel void f(void) {
    int a[2], b[2];
    a = b; // error
}
//// float for a pointer
kernel void f(global int *p) {
    global int *q = 1.5f; // error
}
//// two numbers
kernel void f(global int *p) {
    *p = 1 2; // error
}
//// comparison of structures
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1}, t = {1};
    *p = s == t; // error
}
