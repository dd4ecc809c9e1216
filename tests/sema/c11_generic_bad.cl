int f(int x, float *p, const int c)
{
    int a = _Generic(x, float: 1, int *: 2);
    a += _Generic(x, int: 1, int: 2, default: 3, default: 4);
    a += _Generic(c, const int: unknown, int: 1);
    return a + _Generic(p, float *: 1, default: 2, int);
}
// SPDX-License-Identifier: Apache-2.0
