// SPDX-License-Identifier: Apache-2.0
// Programs that have much of one thing, of any size.
#ifndef BENCH_LARGE_H
#define BENCH_LARGE_H

#include "pumice/kc.h"

#include <stdbool.h>
#include <stddef.h>

// Text of a shape. A part is written once; one that begins with '*' for each of 0 ... n-1, one with '^' for each of n-1 ... 0.
// In it @ is that number, @+ the next, @- the one before (of 0 it is 0), @n is n, @% the number modulo 61, @# another for each, of many
// digits.
struct shape {
    const char *group, *name;
    unsigned most; // largest n that is measured
    enum how { WHOLE, FAILS, HEADERS, UNITS } how; // FAILS: it is wrong; HEADERS: the first part is a header for each number, UNITS: a source for each
    const char *parts[8];
};

extern const struct shape shapes[];
extern const size_t shape_count;

struct text {
    char *bytes;
    size_t size, room;
};

void text_part(struct text *to, const char *part, unsigned n);
void text_one(struct text *to, const char *part, unsigned i, unsigned n); // for number `i` alone

// What one build cost.
struct cost {
    double seconds;          // CPU time
    unsigned long long work; // instructions of the processor in user mode; 0: the system does not count them
    double megabytes;        // peak above what the process had before
    const char *why;         // it was refused; NULL: built
};

struct point {
    unsigned n;
    struct cost cost;
};

enum { POINTS = 5 }; // the first is the smallest program, which is no point of the curve
struct curve {
    const struct shape *shape;
    struct point points[POINTS];
    unsigned count;
};

bool plot_large(const struct curve *curves, size_t count, const char *path);

#endif
