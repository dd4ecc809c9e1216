// options: -cl-std=CL3.0
// (void *)0 without an address space is null in all of them; with one it is a pointer to that space.
constant int *constant at_file = (global void *)0;
void f(constant int *p);
constant int *g(void) { return (local void *)0; }
kernel void k(global int *p, local int *l, constant int *c, int choice)
{
    constant int *a = (global void *)0;
    global int *b = (local void *)0;
    local int *d = (private void *)0;
    private int *e = (constant void *)0;
    f((global void *)0);
    p = choice ? p : (local void *)0;
    choice = p == (constant void *)0;
    a = (constant void *)0;
    a = (void *)0;
    b = 0;
    b = (global int *)0;
    d = NULL;
    f((void *)0);
    f(0);
    p = choice ? p : (void *)0;
    choice = p == 0 || l == (void *)0 || c == NULL;
    int *any = (global void *)0;
}
// SPDX-License-Identifier: Apache-2.0
