void f(int a)
{
    int x = 3 4;
    int y = ;
    foo(;
    y = 1 +;
    if (x { y = 2; }
    for (int i = 0 i < 3; i++) { y++; }
    unknown z;
    y = undeclared;
    y = (1 + 2;
    y = a[1;
    else y = 1;
    x = { 1 };
    asm("nop");
    do x++; while (x) x--;
    return x y;
}
constant int still = 1
void g(void) { h }
} void i(void) { (void)nope; }
// SPDX-License-Identifier: Apache-2.0
