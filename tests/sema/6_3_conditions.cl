kernel void k(global int *g)
{
    float4 f = 1;
    double d = 1;
    int n = 1;
    float x = 1;
    bool b = 1;
    if (x) ; if (g) ; if (d) ; while (0) ; if (!f.x) ; for (; x;) ; if (b) ; while (n--) ;
}
// SPDX-License-Identifier: Apache-2.0
