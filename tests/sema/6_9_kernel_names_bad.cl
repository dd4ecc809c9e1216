struct plain { ulong a; };
struct sizes { int n; size_t a; };
typedef struct { int n; struct { ptrdiff_t a[2]; } in; } deep;
typedef union { int n; uintptr_t a; } choice;
typedef intptr_t mine;
struct renamed { mine a; };
kernel void main(global int *p);
int main(void);
kernel void k(struct sizes a, deep b, choice c, struct renamed d, struct plain e, global struct sizes *f)
{
    int main = 1;
    f->n = main;
}
// SPDX-License-Identifier: Apache-2.0
