void f(int n, float x)
{
    break;
    continue;
    case 1: default: ;
    switch (n) { case 1: case 1: break; default: default: continue; case 2 ... 1: case 5 ... 7: case 6: ; }
    switch (x) { case 1: ; }
    switch (n) { case n: case 1.5f: ; }
    goto nowhere;
    twice: twice: ;
    return 1;
}
int g(void) { return; }
void h(int2 v) { if (v) ; while (v) ; }
// SPDX-License-Identifier: Apache-2.0
