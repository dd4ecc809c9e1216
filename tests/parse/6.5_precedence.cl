int f(int a, int b, int c)
{
    return a || b && c | a ^ b & c == a < b << c + a * -b;
}
int g(int a, int b, int c) { return a - b - c; }
int h(int a, int b, int c) { return a ? b : c ? a : (a, b); }
void i(int a, int b, int c) { a = b += c; }
// SPDX-License-Identifier: Apache-2.0
