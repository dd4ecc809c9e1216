kernel void k()
{
    double d = 1;
    int n = 1;
    n = as_int(d);
}
// SPDX-License-Identifier: Apache-2.0
