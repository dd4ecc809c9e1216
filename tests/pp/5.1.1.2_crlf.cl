#define A 1 \
 + 2
A
int b; // x
c
