kernel void k(global int *g)
{
    +g;
    ~g;
}
// SPDX-License-Identifier: Apache-2.0
