// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out int 4
// expect: arg0 int 3 2 1 6
enum e { A = 1, B, C };

kernel void k(global int *out)
{
    int x = A;
    {
        int x = B;
        {
            enum { C = 3 };
            int x = C;
            *out++ = x;
        }
        *out++ = x;
    }
    *out++ = x;
    typedef int number;
    number n = A + B + C;
    *out = n;
}
