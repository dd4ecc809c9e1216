// Statements and initialisers.
//// break outside a loop
kernel void f(void) {
    break; // error 5
}
//// continue outside a loop
kernel void f(void) {
    switch (1) { case 1: continue; } // error 26
}
//// case outside a switch
kernel void f(void) {
    case 1:; // error 5
}
//// default outside a switch
kernel void f(void) {
    default:; // error 5
}
//// case twice
kernel void f(int a) {
    switch (a) {
    case 1: break; // error
    case 1: break; // error 10
    }
}
//// default twice
kernel void f(int a) {
    switch (a) {
    default: break; // error 5
    default: break;
    }
}
//// case is not constant
kernel void f(int a, int b) {
    switch (a) {
    case b: break; // error 10
    }
}
//// switch on a float
kernel void f(float a) {
    switch (a) { case 1: break; } // error 5
}
//// else without if
kernel void f(void) {
    else return; // error 5
}
//// if without parentheses
kernel void f(int a) {
    if a return; // error 8
}
//// while without condition
kernel void f(int a) {
    while () a--; // error 12
}
//// do without while
kernel void f(int a) {
    do a--; // error
} // error 1
//// for with one semicolon
kernel void f(int a) {
    for (int i = 0; i < a) a--; // error 26
}
//// return of a value from void
kernel void f(void) {
    return 1; // error 5
}
//// return of a structure as an integer
struct S { int a; };
int g(void) {
    struct S s = {1};
    return s; // error 12
}
//// initialiser is not constant
int g(void);
constant int a = g(); // error 18
//// constant without initialiser
constant int a; // error 14
//// unknown designator
struct S { int a; };
constant struct S s = {.b = 1}; // error 25
//// array designator out of range
constant int a[2] = {[5] = 1}; // error 23
//// string for an integer array
constant int a[4] = "abc"; // error 14
//// structure from an integer
struct S { int a; };
kernel void f(void) {
    struct S s = 1; // error 14
}
//// declaration as a body
kernel void f(int a) {
    if (a) int b = 1; // error 12
}
//// condition of type void
void g(void) {}
kernel void f(void) {
    if (g()) return; // error 5
}
//// static assertion
_Static_assert(sizeof(int) == 8, "no"); // error 16
// SPDX-License-Identifier: Apache-2.0
