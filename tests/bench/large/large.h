// SPDX-License-Identifier: Apache-2.0
// Generated programs with a large number of one construct, of any size.
#ifndef BENCH_LARGE_H
#define BENCH_LARGE_H

#include "pumice/kc.h"

#include <stdbool.h>
#include <stddef.h>

// The text of a shape. Each part is written once; a part that begins with '*' is written for each
// of 0 ... n-1, one with '^' for each of n-1 ... 0. In it @ is that number, @+ the next, @- the
// previous one (of 0 it is 0), @n is n, @% the number modulo 61, @# a different number of many
// digits for each.
struct shape {
    const char *group, *name;
    unsigned most; // largest n that is measured
    enum how { WHOLE, FAILS, HEADERS, UNITS } how; // FAILS: does not build; HEADERS: the first part
                                                   // is a header for each number; UNITS: a source
                                                   // for each
    const char *parts[8];
};

extern const struct shape shapes[];
extern const size_t shape_count;

struct text {
    char *bytes;
    size_t size, room;
};

void text_part(struct text *to, const char *part, unsigned n);
void text_one(struct text *to, const char *part, unsigned i, unsigned n); // for number `i` only

// The cost of one build.
struct cost {
    double seconds;          // CPU time
    unsigned long long work; // processor instructions in user mode; 0: the system cannot count them
    double megabytes;        // peak memory above the initial size of the process
    const char *why;         // why it was refused; NULL: built
};

struct point {
    unsigned n;
    struct cost cost;
};

enum { POINTS = 5 }; // the first is the smallest program, which is not part of the curve
struct curve {
    const struct shape *shape;
    struct point points[POINTS];
    unsigned count;
};

#endif
