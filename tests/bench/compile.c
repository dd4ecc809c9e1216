// SPDX-License-Identifier: Apache-2.0
// The cost of a build: CPU time and memory of kc_build() for kernels of 10 to 4,000 lines, the
// median of several runs.
// Every line is a statement of ordinary code: arithmetic, calls, conditions, loops, array and vector accesses.
//
//   bench_compile [file.cl]      with a file: that file instead
#include "pumice/kc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 9, TEXT = 1 << 20 };

static const struct kc_target target = {
    .spirv_version = 0x00010500, .local_size_id = true,
    .int8 = true, .int16 = true, .int64 = true, .float16 = true, .float64 = true,
    .storage8 = true, .storage16 = true, .physical_addressing = true,
    .signed_zero_inf_nan_preserve = {true, true, true}, .rounding_rte = {true, true, true},
    .fused_fma = {true, true, true}, .exact_division = {true, true, true},
    .max_push_bytes = 256, .max_local_size = {1024, 1024, 64}, .max_local_invocations = 1024,
    .max_local_memory = 32768, .max_function_array = 1024, .subgroup_size = 32,
};

static const char *const statements[] = {
    "    v%u = v%u * 3 + (int)(i >> %u);\n",
    "    if (v%u > v%u) v0 += %u;\n",
    "    f = mad(f, (float)v%u, q.y) + fabs(q.x) + (float)v%u * %u.5f;\n",
    "    q = q.wzyx * f + (float4)((float)v%u, 1.0f, (float)v%u, %u.0f);\n",
    "    for (int k = 0; k < v%u; k++) v1 ^= k + v%u + %u;\n",
    "    out[i + v%u] = in[(i + (size_t)v%u) & %u] + v2;\n",
    "    v%u = helper(v%u, %u);\n",
    "    part[v%u & 15] = clamp(v%u, -%u, 77);\n",
    "    v3 = (v%u << 2) | (part[v%u & 15] >> %u);\n",
    "    s.a += v%u; s.b = s.a * (float)v%u - %u.25f;\n",
};

static char *generate(unsigned lines)
{
    char *text = malloc(TEXT);
    size_t at = (size_t)snprintf(text, TEXT,
                                 "struct pair { int a; float b; };\n"
                                 "int helper(int a, int b) { return a > b ? a - b : max(b, 3) * a; }\n"
                                 "__kernel void f(__global const int *in, __global int *out, float f)\n{\n"
                                 "    size_t i = get_global_id(0);\n    int v0 = in[i], v1 = 1, v2 = 2, v3 = 3;\n"
                                 "    float4 q = (float4)(f);\n    int part[16] = {0};\n    struct pair s = {1, f};\n");
    unsigned count = sizeof statements / sizeof *statements;
    for (unsigned line = 11; line < lines; line++)
        at += (size_t)snprintf(text + at, TEXT - at, statements[line % count], line * 7 % 4, line * 5 % 4, line % 31);
    snprintf(text + at, TEXT - at, "    out[i] = v0 + v1 + v2 + v3 + (int)(f + q.x + q.y + q.z + q.w) + s.a + (int)s.b;\n}\n");
    return text;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double once(const char *text, size_t *words)
{
    struct kc_input input = {.source = text, .length = strlen(text)};
    double start = cpu_now();
    struct kc_program *program = kc_build(&input, &target);
    double seconds = cpu_now() - start;
    if (!program || program->status != KC_OK) {
        fprintf(stderr, "%s\n", program ? program->log : "no memory");
        exit(1);
    }
    *words = program->kernel_count ? program->kernels[0].spirv_words : 0;
    kc_program_destroy(program);
    return seconds;
}

// Runs in a separate process, so that the peak memory use is this kernel's.
static void measure(const char *name, const char *text)
{
    fflush(stdout);
    pid_t child = fork();
    if (child) {
        waitpid(child, NULL, 0);
        return;
    }
    struct rusage before, after;
    double samples[RUNS];
    size_t words = 0;
    unsigned lines = 0;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    getrusage(RUSAGE_SELF, &before);
    once(text, &words);
    getrusage(RUSAGE_SELF, &after);
    for (int i = 0; i < RUNS; i++)
        samples[i] = once(text, &words);
    qsort(samples, RUNS, sizeof *samples, compare);
    double ms = samples[RUNS / 2] * 1e3;
    printf("%-12s %6u lines %9.3f ms CPU %8.2f us/line %8.1f MB %9zu words\n", name, lines, ms,
           ms * 1e3 / (lines ? lines : 1), (double)(after.ru_maxrss - before.ru_maxrss) / 1024, words);
    exit(0);
}

static const char ten_lines[] = "__kernel void saxpy(__global const float *x,\n"
                                "                    __global float *y,\n"
                                "                    float a,\n"
                                "                    uint n)\n"
                                "{\n"
                                "    size_t i = get_global_id(0);\n"
                                "    if (i >= n)\n"
                                "        return;\n"
                                "    y[i] = a * x[i] + y[i];\n"
                                "}\n";

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, TEXT);
    if (!file || !text || !fread(text, 1, TEXT - 1, file)) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        measure(argv[1], read_file(argv[1]));
        return 0;
    }
    static const unsigned sizes[] = {250, 500, 1000, 2000, 4000};
    measure("ten lines", ten_lines);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure("generated", generate(sizes[i]));
    return 0;
}
