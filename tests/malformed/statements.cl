// Statements and initialisers.
//// break outside a loop
kernel void f(void) {
    break; // error
}
//// continue outside a loop
kernel void f(void) {
    switch (1) { case 1: continue; } // error
}
//// case outside a switch
kernel void f(void) {
    case 1:; // error
}
//// default outside a switch
kernel void f(void) {
    default:; // error
}
//// case twice
kernel void f(int a) {
    switch (a) {
    case 1: break; // error
    case 1: break; // error
    }
}
//// default twice
kernel void f(int a) {
    switch (a) {
    default: break; // error
    default: break; // error
    }
}
//// case is not constant
kernel void f(int a, int b) {
    switch (a) {
    case b: break; // error
    }
}
//// switch on a float
kernel void f(float a) {
    switch (a) { case 1: break; } // error
}
//// else without if
kernel void f(void) {
    else return; // error
}
//// if without parentheses
kernel void f(int a) {
    if a return; // error
}
//// while without condition
kernel void f(int a) {
    while () a--; // error
}
//// do without while
kernel void f(int a) {
    do a--; // error
} // error
//// for with one semicolon
kernel void f(int a) {
    for (int i = 0; i < a) a--; // error
}
//// return of a value from void
kernel void f(void) {
    return 1; // error
}
//// return of a structure as an integer
struct S { int a; };
int g(void) {
    struct S s = {1};
    return s; // error
}
//// initialiser is not constant
int g(void);
constant int a = g(); // error
//// constant without initialiser
constant int a; // error
//// unknown designator
struct S { int a; };
constant struct S s = {.b = 1}; // error
//// array designator out of range
constant int a[2] = {[5] = 1}; // error
//// string for an integer array
constant int a[4] = "abc"; // error
//// structure from an integer
struct S { int a; };
kernel void f(void) {
    struct S s = 1; // error
}
//// declaration as a body
kernel void f(int a) {
    if (a) int b = 1; // error
}
//// condition of type void
void g(void) {}
kernel void f(void) {
    if (g()) return; // error
}
//// static assertion
_Static_assert(sizeof(int) == 8, "no"); // error
