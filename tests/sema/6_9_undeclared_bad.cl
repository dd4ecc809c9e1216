kernel void k()
{
    int n = 1;
    n = bar;
    baz++;
    qux = 1;
    quux[1];
}
// SPDX-License-Identifier: Apache-2.0
