void h(void);
void f(void)
{
    void *p = h;
    p = &h;
    int n = 1 ? h : 1;
    h;
    for (h; n < 2; h)
        (void)0;
}
// SPDX-License-Identifier: Apache-2.0
