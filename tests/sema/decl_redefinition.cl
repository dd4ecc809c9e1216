typedef int T; typedef int T; typedef float T;
constant int a = 1; constant int a = 2; constant float a = 1;
constant int T = 1;
extern constant int b; constant int b = 1; extern constant float b;
void f(int x)
{
    int y; float y;
    int x;
    { int y; int x; }
    typedef int y;
}
// SPDX-License-Identifier: Apache-2.0
