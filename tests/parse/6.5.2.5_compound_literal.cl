struct P { int x, y; };
int f(int n)
{
    struct P *p = &(struct P){n, 2};
    return p->x + (int[]){1, n, 3}[n] + ((struct P){.y = 1}).y;
}
// SPDX-License-Identifier: Apache-2.0
