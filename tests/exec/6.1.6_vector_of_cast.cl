// SPDX-License-Identifier: Apache-2.0
// Two types in parentheses in a row are a cast of a cast, not a vector literal.
// run: k global 1
// arg: out int 4
// arg: float 2.75
// expect: arg0 int 2 2 2 2
kernel void k(global int4 *a, float f)
{
    a[0] = (int4)(int)f;
}
