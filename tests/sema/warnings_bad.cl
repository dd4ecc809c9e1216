// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// Valid code that is probably a mistake: the warnings of clang.
enum color { RED, BLUE };
extern constant int outside = 1;
int no_return(int x) { }
int some_return(int x) { if (x) return 1; }
int all_return(int x) { if (x) return 1; else return 2; }
int loop_return(int x) { for (;;) { if (x++ > 3) return x; } }
int switch_return(int x) { switch (x) { case 1: return 1; default: return 2; } }
int switch_falls(int x) { switch (x) { case 1: return 1; case 2: break; default: return 2; } }
int do_return(int x) { do { return 1; } while (x); }
int goto_return(int x) { again: if (x--) goto again; return x; }
int *stack(int *p) { int x; return p ? p : &x; }
int *stack2(void) { int x[2]; return x; }
void g(int a, uchar b) { }
kernel void f(global int *p, global float *q, const global int *c, constant int *k)
{
    int a[3] = {1, 2, 3}, x = 0, y = 1;
    p[0] + 1;
    p[0] == 1;
    p[0] < 1;
    -x;
    x;
    3;
    (void)x;
    x, y = 2;
    p[1] = (1, 2);
    if (x = 1) p[2] = x;
    if ((x = 1)) p[2] = x;
    while (x = p[3]) y++;
    if (x); else y = 1;
    if (x)
        ;
    if (x) if (y) p[1] = 1; else p[2] = 1;
    if (x) { if (y) p[1] = 1; } else p[2] = 1;
    a[3] = 1;
    p[0] = a[-1] + a[2] + a[100];
    uchar small = 300;
    char sign = 200;
    small = -1;
    g(1, 256);
    p[4] = 1.5f;
    p[5] = 2.0f;
    uint wrapped = -1;
    p[6] = 2147483647 + 1;
    p[7] = 65536 * 65536;
    p[8] = 2147483647u + 1;
    p[9] = !x == 1;
    p[9] = (!x) == 1;
    p[10] = x & y == 1;
    p[10] |= x == 1;
    p[11] = x << y + 1;
    p[11] = x << (y + 1);
    p[12] = (int)p;
    p = (global int *)x;
    int b[2] = {[0] = 1, [0] = 2};
    const const int d = 1;
    p[13] = ({ x + 1; });
    p[14] = 1 / 0 + (1 << 32);
    p = q;
    p = c;
}
