// SPDX-License-Identifier: Apache-2.0
// Code that is both C and OpenCL C, so that the kernels of module_cases.cl and the program that
// runs them compute the same. `in` has COUNT numbers.
#ifndef MODULE_CASES_H
#define MODULE_CASES_H

enum { CASE_COUNT = 64, CASE_GROUP = 16 };

// ---- unions ------------------------------------------------------------------------------------------

union word {
    int i;
    unsigned u;
    float f;
    unsigned char bytes[4];
    struct {
        short low, high;
    } halves;
};

// Written as one type and read as another, at indices known only at run time.
static int seen_otherwise(int i, int x)
{
    union word w[4];
    for (int k = 0; k < 4; k++)
        w[k].f = (float)(x + k);
    w[i & 3].bytes[3] ^= 0x80;
    w[(i + 1) & 3].halves.low = (short)(i * 257);
    unsigned sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (unsigned)(w[k].i >> (k & i & 7) ^ w[k].halves.high ^ w[k].bytes[i >> 2 & 3]);
    return (int)sum;
}

struct tagged {
    int tag;
    union {
        float f;
        int i[2];
        struct {
            unsigned char small[6];
            short wide;
        };
    };
};

static int by_tag(struct tagged t)
{
    switch (t.tag) {
    case 0: return (int)(t.f * 2);
    case 1: return t.i[0] - t.i[1];
    default: return t.small[t.tag % 6] + t.wide;
    }
}

static int tagged_values(int i, int x)
{
    struct tagged t = {.tag = i % 9};
    if (t.tag == 0) {
        t.f = x * 0.5f;
    } else if (t.tag == 1) {
        t.i[0] = x;
        t.i[1] = i * 3;
    } else {
        for (int k = 0; k < 6; k++)
            t.small[k] = (unsigned char)(x + 50 * k);
        t.wide = (short)-x;
    }
    struct tagged copies[2];
    copies[i & 1] = t;
    return by_tag(copies[i & 1]);
}

// ---- control flow other than ifs and loops
// -----------------------------------------------------------

static int into_the_loop(int i, int x)
{
    int sum = 0, k = 0;
    if (i & 1)
        goto middle; // into a loop
    while (k < 5 + (i & 3)) {
        sum += k * x;
    middle:
        sum ^= 3 * k + i;
        k++;
    }
    return sum;
}

// Two blocks that jump to each other, both entered from outside.
static int two_doors(int i, int x)
{
    int n = 12 + (i & 7), sum = x;
    if (i % 3)
        goto second;
first:
    sum = sum * 3 + n;
    if (--n <= 0)
        return sum;
second:
    sum ^= n << 2;
    n -= (sum & 1) + 1;
    if (n > 0)
        goto first;
    return sum - i;
}

// A switch with cases inside a loop.
static int some_at_once(int i, int x)
{
    int left = (i + 4) / 4, sum = 0, at = x;
    switch (i & 1) {
    case 0:
        do {
            sum += at++;
            if (at & 2)
                break;
            // fall through
        case 1: sum = (sum << 1) - at++;
        } while (--left > 0);
    }
    return sum;
}

// Jumps out of two loops, back before them, and past the ends of others.
static int here_and_there(int i, int x)
{
    int tries = 0, sum = 0;
again:
    for (int a = 0; a < 4; a++)
        for (int b = 0;; b++) {
            sum += a * b + 1;
            if (b == 3)
                break;
            if (sum % 7 == i % 7 && tries < 3)
                goto out;
            if (a == b && (x >> b & 1))
                goto next;
        }
next:
    sum += 100;
    if (tries++ < 2)
        goto again;
    return sum;
out:
    tries++;
    sum += 5;
    goto again;
}

// ---- pointers into private memory --------------------------------------------------------------------

struct node {
    struct node *next;
    int value;
};

// Reverses a linked list in an array.
static int turned_list(int i, int x)
{
    struct node nodes[6], *head = 0, *turned = 0;
    for (int k = 0; k < 6; k++) {
        int at = (k * 5 + (i & 1)) % 6;
        nodes[at].next = head;
        nodes[at].value = x + k * k;
        head = &nodes[at];
    }
    while (head) {
        struct node *next = head->next;
        head->next = turned;
        turned = head;
        head = next;
    }
    int sum = 0, place = 1;
    for (struct node *n = turned; n; n = n->next)
        sum += n->value * place++;
    return sum;
}

static void exchange(int **a, int **b)
{
    int *kept = *a;
    *a = *b;
    *b = kept;
}

static int *larger(int *a, int *b) { return *a > *b ? a : b; }

// Pointers to pointers that are compared, subtracted and returned, and whose targets change.
static int by_several_hands(int i, int x)
{
    int first[4] = {x, x + 1, x + 2, x + 3}, second[4] = {3 * i, 2 * i, i, -i};
    int *from[3] = {first, second, second + 2}, *a = from[i % 3], *b = from[(i + 1) % 3];
    exchange(&a, &b);
    *larger(a, b) += 100;
    a[1]--;
    if (a == second || b == first)
        exchange(&from[0], &from[2]);
    int steps = 0;
    for (int *p = first; p != first + 4; p += 1 + (i & 1))
        steps += *p + (int)(p - first);
    return steps * 10 + *from[0] + a[0] * 3 + b[1];
}

#endif
