// SPDX-License-Identifier: Apache-2.0
// More than 1000 levels: the message names the function.
#define A(x) ((((((((((((((((((((((((((((((((((((((((x))))))))))))))))))))))))))))))))))))))))
#define B(x) A(A(A(A(A(x)))))
int few(int x)
{
    return B(x);
}
int deep(int x)
{
    return B(1 + B(2 + B(3 + B(4 + B(5 + B(x))))));
}
