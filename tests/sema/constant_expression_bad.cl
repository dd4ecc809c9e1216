kernel void k(global int *g, int n)
{
    switch (g[0]) {
    case n: break;
    }
}
// SPDX-License-Identifier: Apache-2.0
