#define A b
A