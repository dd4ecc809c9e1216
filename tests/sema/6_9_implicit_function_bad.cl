kernel void k()
{
    int n = 1;
    n = foo(1);
    bar();
}
// SPDX-License-Identifier: Apache-2.0
