// SPDX-License-Identifier: Apache-2.0
// The function's name determines the number of lanes; a scalar is widened to them.
// run: k global 1
// arg: out char 4
// arg: char 7
// expect: arg0 char 7 7 7 -18
kernel void k(global char *a, char value)
{
    vstore3(value, 0, a);
}
