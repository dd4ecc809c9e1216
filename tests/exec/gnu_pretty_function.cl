// SPDX-License-Identifier: Apache-2.0
// source: clang's __PRETTY_FUNCTION__ includes the function's type
// run: names global 1
// arg: out char 4
// expect: arg0 char 110 115 0 6
kernel void names(global char *r)
{
    constant char *p = __PRETTY_FUNCTION__;
    r[0] = *p;
    r[1] = p[4];
    r[2] = p[5];
    r[3] = sizeof __PRETTY_FUNCTION__;
}
