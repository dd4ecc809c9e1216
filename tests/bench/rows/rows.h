// SPDX-License-Identifier: Apache-2.0
// Interface between the groups of rows (programs, chains, waits) and the program that prints and
// plots them for all OpenCL platforms side by side. Pumice is platform 0 if available; a row's
// ratio is another platform's time divided by platform 0's: above 1, platform 0 is faster.
#ifndef PUMICE_BENCH_ROWS_H
#define PUMICE_BENCH_ROWS_H

#include "../bench.h"
#include "../bench_cl.h"

enum { PLATFORMS = 4, ROUNDS = 9 };

struct platform {
    char name[128], extensions[8192];
    struct bench_cl cl;
    cl_mem a, b, out; // of `bytes` each
};

enum verdict { NOT_RUN, NOT_CHECKED, PASS, FAIL };

// In seconds, medians; wall: from the enqueue to the end, by the host's clock. 0: not measured.
struct cell {
    double device, wall;
    enum verdict verdict;
};

struct row {
    char group[16], name[48];
    struct cell cells[PLATFORMS];
};

struct bench_rows {
    struct platform platforms[PLATFORMS];
    unsigned count; // of platforms
    bool small;     // sizes for a CPU, if one of the platforms is one
    size_t bytes;   // of each buffer
    void *a, *b, *result; // on the host: the contents of the buffers, and the results read back
    const char *folder;   // of the kernels
    int wanted_count;     // selected rows and groups; 0: all
    char **wanted;
    struct row *rows;
    unsigned row_count, row_room;
};

// Adds a row; NULL: not selected.
struct row *rows_begin(struct bench_rows *bench, const char *group, const char *name);

// Prints the row that was added last.
void rows_end(struct bench_rows *bench);

// Launches a kernel whose arguments are set: once, then ROUNDS times. False: a launch failed.
bool rows_time(const struct platform *p, cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local,
               struct cell *cell);

// Reads the first `bytes` of `out` into bench->result. False: failed.
bool rows_read(struct bench_rows *bench, const struct platform *p, size_t bytes);

// ---- the groups ---------------------------------------------------------------------------------

void programs_run(struct bench_rows *bench);
void chains_run(struct bench_rows *bench);
void waits_run(struct bench_rows *bench);

// ---- references.c: expected results of the programs
// ----------------------------------------------

struct inputs {
    const void *a, *b;
    int n;
    size_t items; // of the launch, in the first dimension
};

typedef double expect_function(const struct inputs *in, size_t index);

expect_function expect_gemm, expect_nbody, expect_reduce, expect_transpose, expect_blur, expect_histogram,
    expect_scan, expect_sha256, expect_mandelbrot, expect_spmv, expect_fft, expect_black_scholes, expect_matvec_half,
    expect_montgomery, expect_median, expect_walk, expect_stencil, expect_bitonic;
// modelled on widely used programs (references_shapes.c)
expect_function expect_lavamd, expect_gemm_rows, expect_gemv_small, expect_dot_product, expect_fill_matrix,
    expect_lookup, expect_path, expect_image, expect_lattice, expect_insertion, expect_probe, expect_edit_distance;

double half_value(unsigned short bits);

// ---- plot.c: plots all ratios to the last platform
// -----------------------------------------------

bool plot_write(const struct bench_rows *bench, const char *path);

#endif
