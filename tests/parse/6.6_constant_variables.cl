constant int n = 4;
constant float pi = 3, two_pi = 2 * pi;
enum { E = n + 1 };
kernel void k(int x)
{
    const int m = n * 2;
    local float tile[n][m];
    switch (x) { case m: ; }
}
// SPDX-License-Identifier: Apache-2.0
