// Restrictions of OpenCL C compared with C.
//// kernel returns a value
kernel int f(void) { return 1; } // error 12
//// pointer without address space as kernel argument
kernel void f(int *p) {} // error 20
//// pointer to pointer as kernel argument
kernel void f(global int **p) {} // error 28
//// bool as kernel argument
kernel void f(bool b) {} // error 20
//// size_t as kernel argument
kernel void f(size_t n) {} // error 22
//// event as kernel argument
kernel void f(event_t e) {} // error 23
//// global variable in a kernel
kernel void f(void) {
    global int a; // error 16
}
//// program-scope variable without constant
int a = 1; // error 5
kernel void f(void) {}
//// local variable with initialiser
kernel void f(void) {
    local int a = 1; // error 15
}
//// local variable in a function
void g(void) {
    local int a; // error 15
}
//// write to constant memory
kernel void f(constant int *p) {
    *p = 1; // error 8
}
//// global pointer to local pointer
kernel void f(global int *p, local int *q) {
    p = q; // error 7
}
//// cast between address spaces
kernel void f(global int *p, local int *q) {
    q = (local int *)p; // error 9
}
//// argument in another address space
void g(local int *p) {}
kernel void f(global int *p) {
    g(p); // error 7
}
//// two address spaces
kernel void f(global local int *p) {} // error 22
//// recursion
int g(int n) { return n ? g(n - 1) : 0; } // error
kernel void f(global int *p) { *p = g(3); }
//// function pointer
void g(void) {}
kernel void f(void) {
    void (*p)(void) = g; // error 11
}
//// vector lane out of range
kernel void f(global float4 *p) {
    p->s7 = 1; // error 6
}
//// vector lane letter out of range
kernel void f(global float2 *p) {
    p->z = 1; // error 6
}
//// mixed vector selectors
kernel void f(global float4 *p) {
    float2 a = p->xs1; // error 17
}
//// repeated lane written
kernel void f(global float4 *p) {
    p->xx = (float2)(1, 2); // error 11
}
//// selector of five lanes
kernel void f(global float8 *p, global float4 *q) {
    *q = p->s01234; // error 11
}
//// too few vector elements
kernel void f(global float4 *p) {
    *p = (float4)(1, 2, 3); // error 18
}
//// too many vector elements
kernel void f(global float4 *p) {
    *p = (float4)(1, 2, 3, 4, 5); // error 31
}
//// vectors of different length
kernel void f(global float4 *p, global float2 *q) {
    *p = *p + *q; // error 13
}
//// implicit conversion of vectors
kernel void f(global float4 *p, global int4 *q) {
    *p = *q; // error 8
}
//// cast of vectors
kernel void f(global float4 *p, global int4 *q) {
    *p = (float4)*q; // error 10
}
//// vector as a condition
kernel void f(global int4 *p) {
    if (*p) return; // error 5
}
//// as_type of another size
kernel void f(global float4 *p, global int2 *q) {
    *q = as_int2(*p); // error 10
}
//// no such conversion
kernel void f(global float4 *p, global int2 *q) {
    *q = convert_int2(*p); // error 10
}
//// no such built-in overload
kernel void f(global float4 *p) {
    *p = cross(*p, 1, 2, 3); // error 10
}
//// built-in with too few arguments
kernel void f(global float *p) {
    *p = fma(1.0f, 2.0f); // error 10
}
//// barrier without flags
kernel void f(void) {
    barrier(); // error 13
}
//// vload from a value
kernel void f(global float4 *p) {
    *p = vload4(0, 1.0f); // error 10
}
//// required work-group size with two values
kernel __attribute__((reqd_work_group_size(1, 2))) void f(void) {} // error 23
//// alignment that is no power of two
struct S { int a __attribute__((aligned(3))); }; // error 33
//// attribute without a parenthesis
kernel __attribute__((packed) void f(void) {} // error 30
//// image as a variable
kernel void f(void) {
    image2d_t a; // error 15
}
//// image in a structure
struct S { image2d_t a; }; // error 22
//// read_write and read_only
kernel void f(read_only write_only image2d_t a) {} // error 25
//// access qualifier on an integer
kernel void f(read_only int a) {} // error 15
//// logical not of a structure
struct S { int a; };
kernel void f(global int *p) {
    struct S s = {1};
    *p = !s; // error 10
}
//// select with a wrong mask
kernel void f(global float4 *p, global int2 *q) {
    *p = select(*p, *p, *q); // error 10
}
//// atomic on a float4
kernel void f(global float4 *p) {
    atomic_add(p, *p); // error 5
}
//// extern kernel variable
kernel void f(void) {
    extern int a = 3; // error 16
}
//// main is a variable
kernel int f; // error 1
//// kernel argument is a structure that is not known
kernel void f(struct Unknown s) {} // error 30
//// local as a structure member
struct S { local int a; }; // error 22
// SPDX-License-Identifier: Apache-2.0
