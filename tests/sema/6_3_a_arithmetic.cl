kernel void k()
{
    char c = 1;
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    bool b = 1;
    n = n * 2 + n / 3 - n; x = x / 2; x = -x; i = -i; c = -c; u = +u; f = -f; d = d * x; b = -b;
}
// SPDX-License-Identifier: Apache-2.0
