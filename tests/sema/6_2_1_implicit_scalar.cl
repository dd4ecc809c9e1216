kernel void k()
{
    char c = 1;
    uchar uc = 1;
    short sh = 1;
    double d = 1;
    long L = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    bool b = 1;
    c = 300; uc = n; sh = x; x = n; d = x; x = d; n = d; b = 5; b = x; n = b; L = n; u = -1; n = c + uc; c = n ? c : c;
}
// SPDX-License-Identifier: Apache-2.0
