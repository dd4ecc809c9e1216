kernel void k()
{
    long L = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    x = 0x1p3; x = .5f; x = 1e3f; x = 1.f; x = 0x1.8p-2f;
    n = 0x10; n = 010; u = 4294967295; u = 0xffffffff; L = 0x7fffffffffffffff; L = 1LU; L = 1ul;
    n = 'a'; n = '\n'; n = '\x41'; n = '\101'; n = '\\';
}
// SPDX-License-Identifier: Apache-2.0
