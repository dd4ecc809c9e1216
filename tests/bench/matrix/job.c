// SPDX-License-Identifier: Apache-2.0
// See job.h.
#include "job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct number_pair number_pairs[] = {
    {"f16f32", HALF, FLOAT}, {"f16f16", HALF, HALF},   {"bf16f32", BFLOAT, FLOAT},
    {"bf16bf16", BFLOAT, BFLOAT}, {"i8i32", CHAR, INT}, {"f32f32", FLOAT, FLOAT},
};
const unsigned number_pair_count = sizeof number_pairs / sizeof *number_pairs;

static const struct {
    size_t size;
    const char *cl;
    double unit; // half the spacing of numbers at 1; 0 for integers
} numbers[] = {
    [HALF] = {2, "half", 0x1p-11}, [BFLOAT] = {2, "__bf16", 0x1p-8}, [FLOAT] = {4, "float", 0x1p-24},
    [CHAR] = {1, "char", 0},       [INT] = {4, "int", 0},
};

const struct number_pair *number_pair_find(const char *name)
{
    for (unsigned i = 0; i < number_pair_count; i++)
        if (!strcmp(number_pairs[i].name, name))
            return &number_pairs[i];
    return NULL;
}

size_t number_size(enum number type)
{
    return numbers[type].size;
}

const char *number_cl(enum number type)
{
    return numbers[type].cl;
}

// ---- shapes -------------------------------------------------------------------------------------

bool shape_read(struct shape *s, const char *text)
{
    int count = sscanf(text, "%ux%ux%u/%ux%u/%ux%ux%u/p%u/s%u/g%u", &s->bm, &s->bn, &s->bk, &s->wm,
                       &s->wn, &s->tm, &s->tn, &s->tk, &s->pad, &s->stages, &s->group);
    return count == 3 || count == 5 || count >= 8;
}

void shape_write(const struct shape *s, char *text, size_t size)
{
    snprintf(text, size, "%ux%ux%u/%ux%u/%ux%ux%u/p%u/s%u/g%u", s->bm, s->bn, s->bk, s->wm, s->wn,
             s->tm, s->tn, s->tk, s->pad, s->stages, s->group);
}

static bool divides(uint32_t part, uint32_t whole)
{
    return part && whole && whole % part == 0;
}

const char *shape_fault(const struct shape *s, const struct job *job, uint32_t items)
{
    uint32_t wide = 16 / (uint32_t)number_size(job->types->in);
    uint32_t b_row = job->by_columns ? s->bk : s->bn, b_rows = job->by_columns ? s->bn : s->bk;
    if (!divides(s->bm, job->n) || !divides(s->bn, job->n) || !divides(s->bk, job->n))
        return "blocks do not divide n";
    if (!divides(s->wm * s->tm, s->bm) || !divides(s->wn * s->tn, s->bn) || !divides(s->tk, s->bk))
        return "tiles do not divide a sub-group's part";
    if (!divides(wide, s->tk) || (!job->by_columns && !divides(wide, s->tn)))
        return "tiles are no whole vectors";
    if (!divides(wide, s->bk) || !divides(wide, b_row) || s->pad % 16)
        return "rows are no whole vectors";
    if (!divides(s->bk / wide, items) || !divides(items / (s->bk / wide), s->bm) ||
        !divides(b_row / wide, items) || !divides(items / (b_row / wide), b_rows))
        return "work-items do not divide the loads";
    return NULL;
}

uint32_t shape_shared(const struct shape *s, const struct job *job)
{
    uint32_t size = (uint32_t)number_size(job->types->in);
    uint32_t b_row = job->by_columns ? s->bk : s->bn, b_rows = job->by_columns ? s->bn : s->bk;
    return s->stages * (s->bm * (s->bk * size + s->pad) + b_rows * (b_row * size + s->pad));
}

// ---- numbers ------------------------------------------------------------------------------------

static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double size = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
    if (exponent == 31)
        size = bits & 1023 ? NAN : INFINITY;
    return bits & 0x8000 ? -size : size;
}

static double bfloat_value(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

double number_at(enum number type, const void *data, size_t i)
{
    switch (type) {
    case HALF:
        return half_value(((const uint16_t *)data)[i]);
    case BFLOAT:
        return bfloat_value(((const uint16_t *)data)[i]);
    case FLOAT:
        return (double)((const float *)data)[i];
    case CHAR:
        return ((const int8_t *)data)[i];
    case INT:
        return ((const int32_t *)data)[i];
    }
    return 0;
}

// `value` as half or bfloat16, in which it is exact.
static uint16_t short_float(enum number type, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == BFLOAT || value == 0)
        return (uint16_t)(bits >> 16);
    return (uint16_t)((bits >> 16 & 0x8000) | (((bits & 0x7fffffff) - 0x38000000) >> 13));
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16 ^ *state >> 8;
}

void *random_numbers(enum number type, size_t count, uint32_t seed)
{
    uint16_t table[2048]; // of short floats
    uint32_t state = seed, steps = type == BFLOAT ? 128 : 1024;
    void *data = malloc(count * number_size(type));
    for (uint32_t i = 0; i < 2 * steps; i++)
        table[i] = short_float(type, ((float)i - (float)steps) / (float)steps);
    for (size_t i = 0; data && i < count; i++) {
        uint32_t bits = next_random(&state);
        if (type == CHAR)
            ((int8_t *)data)[i] = (int8_t)(bits & 255);
        else if (type == FLOAT)
            ((float *)data)[i] = (float)(int32_t)(bits << 8 | bits >> 8) * 0x1p-31f;
        else
            ((uint16_t *)data)[i] = table[bits % (2 * steps)];
    }
    return data;
}

void job_open(struct job *job)
{
    size_t count = (size_t)job->n * job->n;
    job->a = random_numbers(job->types->in, count, 1);
    job->b = random_numbers(job->types->in, count, 77);
}

void job_close(struct job *job)
{
    free((void *)job->a);
    free((void *)job->b);
    job->a = job->b = NULL;
}

double job_operations(const struct job *job)
{
    return 2.0 * job->n * job->n * job->n;
}

static bool right_at(const struct job *job, const void *c, size_t row, size_t column)
{
    double sum = 0, partial = 0, unit = numbers[job->types->out].unit;
    size_t n = job->n;
    for (size_t k = 0; k < n; k++) {
        size_t b_at = job->by_columns ? column * n + k : k * n + column;
        sum += number_at(job->types->in, job->a, row * n + k) *
               number_at(job->types->in, job->b, b_at);
        partial += fabs(sum);
    }
    double got = number_at(job->types->out, c, row * n + column);
    double bound = 2 * unit * partial;
    if (fabs(got - sum) <= bound)
        return true;
    printf("    C[%zu][%zu] is %.9g, not %.9g (within %.3g)\n", row, column, got, sum, bound);
    return false;
}

bool job_check(const struct job *job, const void *c)
{
    enum { SAMPLES = 256 };
    uint32_t state = 12345, wrong = 0;
    for (unsigned i = 0; i < SAMPLES && wrong < 3; i++) {
        size_t row = next_random(&state) % job->n, column = next_random(&state) % job->n;
        if (i < 4) { // the corners
            row = i & 1 ? job->n - 1 : 0;
            column = i & 2 ? job->n - 1 : 0;
        }
        wrong += !right_at(job, c, row, column);
    }
    return !wrong;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double median(double *samples, unsigned count)
{
    qsort(samples, count, sizeof *samples, ascending);
    return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}
