kernel void k()
{
    int n = 1;
    float x = 1;
    n = convert_int_foo(x);
}
// SPDX-License-Identifier: Apache-2.0
