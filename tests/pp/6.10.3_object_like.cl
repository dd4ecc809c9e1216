#define A B
#define B C
#define C A x
A
B
C
