// SPDX-License-Identifier: Apache-2.0
// What is multiplied and how: number types, sizes, the shape of blocks and tiles; inputs, and
// whether results are right.
#ifndef PUMICE_MATRIX_JOB_H
#define PUMICE_MATRIX_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number { HALF, BFLOAT, FLOAT, CHAR, INT };

void *random_numbers(enum number type, size_t count, uint32_t seed); // as job_open says; malloc'ed
double number_at(enum number type, const void *data, size_t i);

// Components of A and B, and of C.
struct number_pair {
    const char *name; // f16f32
    enum number in, out;
};
extern const struct number_pair number_pairs[];
extern const unsigned number_pair_count;
const struct number_pair *number_pair_find(const char *name); // NULL: none of that name
size_t number_size(enum number type);
const char *number_cl(enum number type); // as OpenCL C names it

// A work-group makes bm x bn of C by slices of bk; its wm x wn sub-groups work with tiles of
// tm x tn x tk. Work-group matrices use bm, bn, bk and the number of work-items alone.
struct shape {
    uint32_t bm, bn, bk;
    uint32_t wm, wn;
    uint32_t tm, tn, tk;
    uint32_t pad;    // bytes behind each row of shared memory
    uint32_t stages; // slices in shared memory, 1 or 2
    uint32_t group;  // blocks of rows that share columns of B in time
};

// "128x128x32/2x4/16x16x16/p16/s2/g8": what is left out at the end stays as it was.
bool shape_read(struct shape *shape, const char *text);
void shape_write(const struct shape *shape, char *text, size_t size);

struct job {
    const struct number_pair *types;
    uint32_t n;
    bool by_columns; // B lies column by column
    bool constant_n; // n is known when the kernel is compiled
    bool verbose;
    const void *a, *b;
};

// A's and B's numbers for n x n: random in [-1, 1), or of all bits for integers.
void job_open(struct job *job);
void job_close(struct job *job);
double job_operations(const struct job *job);

// Whether a sample of C's entries is right: equal for integers; for floats within twice the error
// that adding the products one by one in C's type can make. Why not goes to stdout.
bool job_check(const struct job *job, const void *c);

uint32_t shape_shared(const struct shape *shape, const struct job *job); // bytes

// Whether the shape's blocks and tiles divide one another, n, and the work-items' loads of 128
// bits. NULL: yes.
const char *shape_fault(const struct shape *shape, const struct job *job, uint32_t items);

struct timing { // seconds; a single product's, the device's a median
    double device, wall, build;
};

double median(double *samples, unsigned count); // sorts them

#endif
