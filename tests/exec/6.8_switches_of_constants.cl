// SPDX-License-Identifier: Apache-2.0
// Switches that choose one of many constants: numbers in any order, negative ones, with gaps, with and without a default,
// in 32 and 64 bits; vectors; values far from all of them.
// run: check global 24
// arg: buffer int 0 -1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 -8 0x7fffffff -2147483648 1000
// arg: out int 24
// expect: arg1 int 1*24
#define SIXTEEN(X, first) X(first) X(first + 1) X(first + 2) X(first + 3) X(first + 4) X(first + 5) X(first + 6) X(first + 7) \
    X(first + 8) X(first + 9) X(first + 10) X(first + 11) X(first + 12) X(first + 13) X(first + 14) X(first + 15)
#define VALUE(n) ((n) * 37 % 23 + 5)
#define RETURN(n) case n: return VALUE(n);
#define STORE(n) case n: r = VALUE(n); break;

// returns; numbers from -8 to 7
int returned(int x)
{
    switch (x) {
        SIXTEEN(RETURN, -8)
    }
    return -x;
}

// no default: the variable stays as it is; 4 is missing
float stored(int x)
{
    float r = 0.5f;
    switch (x) {
        SIXTEEN(STORE, 5)
        STORE(3)
    }
    return r;
}

// gaps have the constant of the default, of which 7 is one, too
short filled(long x)
{
    short r;
    switch (x) {
    case 7: default: r = 99; break;
        STORE(30)
        STORE(35)
        SIXTEEN(STORE, 8)
        STORE(0)
        STORE(2)
    }
    return r;
}

// the default computes
int computed(uchar x)
{
    int r;
    switch (x) {
        SIXTEEN(STORE, 1)
    default:
        r = x * 3;
        r++;
    }
    return r;
}

#define VECTOR(n) case n: return (short4)(VALUE(n), n, -(n), 1);
short4 vector(int x)
{
    switch (x) {
        SIXTEEN(VECTOR, 1)
    default: return 2;
    }
}

// one case leaves the loop's iteration: no table
int in_loop(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int r = 0;
        switch (x + i) {
            SIXTEEN(STORE, 0)
        case 16: continue;
        }
        sum += r;
    }
    return sum;
}

int number(int x, int first, int last, int other)
{
    return x >= first && x <= last ? VALUE(x) : other;
}

kernel void check(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    int x = in[i], sum = 0, y = x & 31;
    bool right = returned(x) == number(x, -8, 7, -x);
    right &= stored(x) == (x == 3 ? VALUE(3) : number(x, 5, 20, 0) ? (float)number(x, 5, 20, 0) : 0.5f);
    right &= filled(x) == (x == 0 || x == 2 || x == 30 || x == 35 ? VALUE(x) : number(x, 8, 23, 99));
    right &= computed(x) == number((uchar)x, 1, 16, (uchar)x * 3 + 1);
    short4 v = x >= 1 && x <= 16 ? (short4)(VALUE(x), x, -x, 1) : (short4)2;
    right &= all(vector(x) == v);
    for (int n = 0; n < 3; n++)
        sum += number(y + n, 0, 15, 0);
    out[i] = right && in_loop(y) == sum;
}
