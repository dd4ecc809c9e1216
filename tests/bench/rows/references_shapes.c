// SPDX-License-Identifier: Apache-2.0
// Like references.c, for lavamd.cl and the kernels after it in the table of programs, which are
// modelled on widely used programs.
#include "rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static double f32(const void *data, size_t index) { return (double)((const float *)data)[index]; }
static uint32_t u32(const void *data, size_t index) { return ((const uint32_t *)data)[index]; }
static double squared(double x) { return x * x; }

double expect_lavamd(const struct inputs *in, size_t index)
{
    enum { PARTICLES = 100, NEIGHBOURS = 13 };
    size_t me = index / 4, box = me / PARTICLES, part = index % 4;
    double sum = 0;
    for (long way = -NEIGHBOURS; way <= NEIGHBOURS; way++) {
        size_t other = (size_t)((long)box + way + in->n) % (size_t)in->n * PARTICLES;
        for (size_t j = other; j < other + PARTICLES; j++) {
            double square = 0;
            for (size_t i = 1; i < 4; i++)
                square += squared(f32(in->a, me * 4 + i) - f32(in->a, j * 4 + i));
            double near = exp(-0.5 * square) * f32(in->b, j);
            sum += part ? 2 * near * (f32(in->a, index) - f32(in->a, j * 4 + part)) : near;
        }
    }
    return sum;
}

double expect_gemm_rows(const struct inputs *in, size_t index)
{
    size_t n = (size_t)in->n, row = index % n, column = index / n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += f32(in->a, k * n + row) * f32(in->b, column * n + k);
    return sum;
}

double expect_gemv_small(const struct inputs *in, size_t index)
{
    double sum = 0;
    for (size_t k = 0; k < (size_t)in->n; k++)
        sum += f32(in->a, k * (size_t)in->n + index) * f32(in->b, k);
    return sum;
}

double expect_dot_product(const struct inputs *in, size_t index)
{
    double sum = 0;
    for (size_t start = index * 64; start < (size_t)in->n; start += in->items)
        for (size_t i = start; i < start + 64; i++)
            sum += f32(in->a, i) * f32(in->b, i);
    return sum;
}

double expect_fill_matrix(const struct inputs *in, size_t index) { return (double)(index / (size_t)in->n); }

static uint32_t next_random(uint32_t seed) { return seed * 1664525u + 1013904223u; }

// The grid index is found in single precision, as in the kernel; only the rounding of the last step
// differs.
double expect_lookup(const struct inputs *in, size_t index)
{
    enum { MATERIALS = 12, KINDS = 5 };
    const float *grid = in->a;
    uint32_t seed = next_random((uint32_t)index * 977u);
    float energy = (float)(seed >> 8) * 0x1p-24f;
    size_t low = 0, high = (size_t)in->n - 1, count = MATERIALS / 2 + (seed >> 5) % (MATERIALS / 2);
    double sum[KINDS] = {0}, most;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(grid[middle] > energy ? &high : &low) = middle;
    }
    double part = ((double)energy - (double)grid[low]) / ((double)grid[low + 1] - (double)grid[low]);
    for (size_t k = 0; k < count; k++) {
        seed = next_random(seed);
        size_t row = (low * MATERIALS + (seed >> 8) % MATERIALS) * (KINDS + 1), next = row + MATERIALS * (KINDS + 1);
        for (size_t i = 0; i < KINDS; i++)
            sum[i] += 0.25 * (f32(in->b, row + i) + part * (f32(in->b, next + i) - f32(in->b, row + i)));
    }
    most = sum[0];
    for (int i = 1; i < KINDS; i++)
        most = fmax(most, sum[i]);
    return most;
}

double expect_path(const struct inputs *in, size_t index)
{
    uint32_t best = u32(in->b, index) & 0xffff;
    for (long way = -1; way <= 1; way += 2) {
        long at = (long)index + way;
        if (at >= 0 && at < in->n && (u32(in->b, (size_t)at) & 0xffff) < best)
            best = u32(in->b, (size_t)at) & 0xffff;
    }
    return best + (u32(in->a, index) & 15);
}

double expect_image(const struct inputs *in, size_t index)
{
    size_t n = (size_t)in->n, x = index % n, y = index / n;
    double sum = 0;
    for (size_t i = 0; i < 16; i++) {
        size_t row = y + i / 4 < n ? y + i / 4 : n - 1, column = x + i % 4 < n ? x + i % 4 : n - 1;
        for (size_t c = 0; c < 4; c++)
            sum += f32(in->a, (row * n + column) * 4 + c);
    }
    return sum;
}

double expect_lattice(const struct inputs *in, size_t index)
{
    static const signed char ways[19][3] = {
        {0, 0, 0},    {1, 0, 0},  {-1, 0, 0},   {0, 1, 0},  {0, -1, 0},   {0, 0, 1},  {0, 0, -1},
        {1, 1, 0},    {-1, -1, 0}, {1, 0, 1},   {-1, 0, -1}, {0, 1, 1},   {0, -1, -1}, {1, -1, 0},
        {-1, 1, 0},   {1, 0, -1}, {-1, 0, 1},   {0, 1, -1}, {0, -1, 1},
    };
    size_t n = (size_t)in->n, cells = n * n * n, cell = index % cells, way = index / cells;
    size_t place[3] = {cell % n, cell / n % n, cell / n / n};
    double f = 0, mass = 0, u[3] = {0}, square = 0, along = 0;
    for (size_t i = 0; i < 19; i++) {
        size_t from = 0;
        for (int d = 2; d >= 0; d--)
            from = from * n + (size_t)((long)(place[d] + n) - ways[i][d]) % n;
        double value = f32(in->a, i * cells + from);
        mass += value;
        f = i == way ? value : f;
        for (int d = 0; d < 3; d++)
            u[d] += value * ways[i][d];
    }
    for (int d = 0; d < 3; d++) {
        square += u[d] * u[d] / (mass * mass);
        along += 3 * u[d] / mass * ways[way][d];
    }
    double weight = way == 0 ? 1.0 / 3 : way < 7 ? 1.0 / 18 : 1.0 / 36;
    return f + 0.6 * (weight * mass * (1 - 1.5 * square + along + 0.5 * along * along) - f);
}

static int by_value(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

double expect_insertion(const struct inputs *in, size_t index)
{
    uint32_t values[400], hash = 0;
    for (size_t i = 0; i < (size_t)in->n; i++)
        values[i] = u32(in->a, index + (u32(in->b, i) & 0xffff));
    qsort(values, (size_t)in->n, sizeof *values, by_value);
    for (size_t i = 0; i < (size_t)in->n; i++)
        hash = hash * 31 + values[i];
    return hash;
}

double expect_probe(const struct inputs *in, size_t index)
{
    uint32_t steps = 0;
    for (size_t i = 0; i < (size_t)in->n; i++) {
        const uint32_t key = u32(in->b, index * (size_t)in->n + i), start = key * 2654435761u >> 12;
        for (uint32_t at = 0; at < 32; at++, steps++) {
            const uint32_t word = u32(in->a, (start + at) % (1u << 20));
            if (word == key || word % 16 == 0)
                break;
        }
    }
    return steps;
}

// By the whole table instead of one row.
double expect_edit_distance(const struct inputs *in, size_t index)
{
    enum { ROWS = 64, LETTERS = 401 };
    static int table[ROWS][LETTERS];
    for (int i = 0; i <= in->n; i++)
        for (int k = 0; k < LETTERS; k++) {
            const int before = i && k ? table[i - 1][k - 1] + (u32(in->a, index + (size_t)i) % 8 != u32(in->b, (size_t)k) % 8) : i + k;
            const int shorter = i && k ? (table[i - 1][k] < table[i][k - 1] ? table[i - 1][k] : table[i][k - 1]) + 1 : i + k;
            table[i][k] = before < shorter ? before : shorter;
        }
    return table[in->n][LETTERS - 1];
}
