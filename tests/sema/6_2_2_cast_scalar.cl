kernel void k()
{
    uchar uc = 1;
    float4 f = 1;
    int n = 1;
    float x = 1;
    bool b = 1;
    n = (int)x; x = (float)n; uc = (uchar)n; b = (bool)x; n = (int)b; (void)n; (void)f;
}
// SPDX-License-Identifier: Apache-2.0
