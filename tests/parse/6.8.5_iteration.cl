void f(int n)
{
    for (int i = 0, j = n; i < j; i++, j--) continue;
    for (;;) { break; }
    while (n--) ;
    do n++; while (n < 3);
}
// SPDX-License-Identifier: Apache-2.0
