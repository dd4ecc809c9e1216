// SPDX-License-Identifier: Apache-2.0
// The product to compute: number types, sizes, the shape of blocks and tiles; its inputs, and the
// check of its results.
#ifndef PUMICE_MATRIX_JOB_H
#define PUMICE_MATRIX_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number { HALF, BFLOAT, FLOAT, CHAR, INT };

// as in job_open(); allocated by malloc()
void *random_numbers(enum number type, size_t count, uint32_t seed);
double number_at(enum number type, const void *data, size_t i);

// Components of A and B, and of C.
struct number_pair {
    const char *name; // f16f32
    enum number in, out;
};
extern const struct number_pair number_pairs[];
extern const unsigned number_pair_count;
const struct number_pair *number_pair_find(const char *name); // NULL: not found
size_t number_size(enum number type);
const char *number_cl(enum number type); // its name in OpenCL C

// A work-group computes bm x bn of C in slices of bk; its wm x wn sub-groups use tiles of tm x tn x
// tk. Work-group matrices only use bm, bn, bk and the number of work-items.
struct shape {
    uint32_t bm, bn, bk;
    uint32_t wm, wn;
    uint32_t tm, tn, tk;
    uint32_t pad;    // bytes of padding after each row in shared memory
    uint32_t stages; // slices in shared memory, 1 or 2
    uint32_t group;  // blocks of rows that use the same columns of B consecutively
};

// "128x128x32/2x4/16x16x16/p16/s2/g8": parts omitted at the end keep their values.
bool shape_read(struct shape *shape, const char *text);
void shape_write(const struct shape *shape, char *text, size_t size);

struct job {
    const struct number_pair *types;
    uint32_t n;
    bool by_columns; // B is column-major
    bool constant_n; // n is known at compile time
    bool verbose;
    const void *a, *b;
};

// Creates A and B of n x n numbers: random in [-1, 1), or all bits random for integers.
void job_open(struct job *job);
void job_close(struct job *job);
double job_operations(const struct job *job);

// Checks a sample of C's elements: integers must be equal; floats may differ by twice the maximum
// error of adding the products one by one in C's type. Prints a difference to stdout.
bool job_check(const struct job *job, const void *c);

uint32_t shape_shared(const struct shape *shape, const struct job *job); // bytes

// Checks that the shape's blocks and tiles divide one another, n, and the work-items' 128-bit
// loads. Returns the reason if not; NULL: valid.
const char *shape_fault(const struct shape *shape, const struct job *job, uint32_t items);

struct timing { // seconds, of a single product; device: a median
    double device, wall, build;
};

double median(double *samples, unsigned count); // sorts them

#endif
