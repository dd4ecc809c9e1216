// SPDX-License-Identifier: Apache-2.0
// The cost of programs from SPIR-V: how fast modules are read, by size; and the same kernels as
// SPIR-V and as source, side by side: from IR to SPIR-V for Vulkan, the whole compiler, and
// creation + build by the API on every platform that supports both.
//
//   bench_il [--source=FOLDER] MODULE.spv|FOLDER...
//
// FOLDER/NAME.cl is the source of NAME.spv, NAME.O0.spv and NAME.O2.spv (tests/il/module.sh
// creates such modules); its `// options:` line applies. Times are medians of several runs of this
// thread's CPU time, or of wall time for the API; refused modules are counted.
#include "bench.h"
#include "cc/presets.h"
#include "driver.h"
#include "ir/ir.h"
#include "reader/read.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 9, PLATFORMS = 8 };
static const char *source_folder;

struct module {
    char path[512], name[256]; // `name`: of its source file
    uint32_t *words;
    size_t size;
};

struct text {
    char *bytes;
    size_t size;
};

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double median(double *samples)
{
    qsort(samples, RUNS, sizeof *samples, bench_compare);
    return samples[RUNS / 2];
}

// ---- files ---------------------------------------------------------------------------------------

static struct text read_file(const char *path)
{
    struct text text = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return text;
    fseek(file, 0, SEEK_END);
    text.size = (size_t)ftell(file);
    rewind(file);
    text.bytes = calloc(1, text.size + 1);
    if (!text.bytes || fread(text.bytes, 1, text.size, file) != text.size)
        exit(1);
    fclose(file);
    return text;
}

static struct module *modules;
static size_t module_count;

static void add_module(const char *path)
{
    struct text text = read_file(path);
    if (!text.bytes)
        return;
    modules = realloc(modules, (module_count + 1) * sizeof *modules);
    struct module *m = &modules[module_count++];
    const char *base = strrchr(path, '/');
    memset(m, 0, sizeof *m);
    snprintf(m->path, sizeof m->path, "%s", path);
    snprintf(m->name, sizeof m->name, "%s", base ? base + 1 : path);
    m->words = (uint32_t *)text.bytes;
    m->size = text.size;
    static const char *const ends[] = {".spv", ".O0", ".O2"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(m->name), tail = strlen(ends[i]);
        if (length > tail && !strcmp(m->name + length - tail, ends[i]))
            m->name[length - tail] = 0;
    }
}

static void add_modules(const char *path)
{
    DIR *folder = opendir(path);
    char inner[512];
    if (!folder) {
        add_module(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".spv"))
            add_module(inner);
    }
    closedir(folder);
}

// ---- reading
// -------------------------------------------------------------------------------------

// Reads a module as kc.c does; `separate`: as for clCompileProgram. Negative: the module is
// refused.
static double read_once(const struct module *m, const struct kc_target *target, bool separate, size_t *memory)
{
    struct arena arena, work;
    struct intern intern;
    struct diag diag;
    jmp_buf unwound;
    const struct gen_options options = {.optimize = true, .separate = separate};
    double start = cpu_now();
    arena_init(&arena, 0, &unwound);
    arena_init(&work, 0, &unwound);
    volatile bool read = false;
    if (!setjmp(unwound)) {
        diag_init(&diag, &arena, &unwound);
        intern_init(&intern, &arena);
        struct reader_input in = {.arena = &arena, .work = &work, .intern = &intern, .diag = &diag, .target = target,
                                  .options = &options, .il = m->words, .size = m->size};
        reader_read(&in);
        read = true;
    }
    *memory = arena.total + work.total;
    arena_finish(&work);
    arena_finish(&arena);
    return read ? cpu_now() - start : -1;
}

static const struct class {
    const char *name;
    size_t most; // bytes
} classes[] = {{"to 4 KB", 4 << 10}, {"to 20 KB", 20 << 10}, {"to 200 KB", 200 << 10}, {"to 1 MB", 1 << 20}, {"larger", SIZE_MAX}};
enum { CLASSES = sizeof classes / sizeof *classes };

static void measure_reading(const struct kc_target *target)
{
    struct {
        double bytes, memory, seconds, slowest;
        const char *slowest_path;
        unsigned count, refused;
    } sums[CLASSES] = {0};
    for (size_t i = 0; i < module_count; i++) {
        const struct module *m = &modules[i];
        double samples[RUNS];
        size_t k = 0, memory;
        while (m->size > classes[k].most)
            k++;
        bool separate = read_once(m, target, false, &memory) < 0;
        if (separate && read_once(m, target, true, &memory) < 0) {
            sums[k].refused++;
            continue;
        }
        for (int run = 0; run < RUNS; run++)
            samples[run] = read_once(m, target, separate, &memory);
        double seconds = median(samples), rate = (double)m->size / seconds;
        sums[k].bytes += (double)m->size;
        sums[k].memory += (double)memory;
        sums[k].seconds += seconds;
        if (!sums[k].count++ || rate < sums[k].slowest) {
            sums[k].slowest = rate;
            sums[k].slowest_path = m->path;
        }
    }
    printf("%-10s %8s %8s %10s %10s %9s %9s\n", "reading", "modules", "refused", "MB", "MB memory", "MB/s", "slowest");
    for (size_t k = 0; k < CLASSES; k++)
        if (sums[k].count)
            printf("%-10s %8u %8u %10.3f %10.3f %9.1f %9.1f %s\n", classes[k].name, sums[k].count, sums[k].refused,
                   sums[k].bytes * 1e-6, sums[k].memory * 1e-6, sums[k].bytes / sums[k].seconds * 1e-6, sums[k].slowest * 1e-6, sums[k].slowest_path);
}

// ---- compared with the source
// --------------------------------------------------------------------

struct times {
    double front, back, whole; // to IR; from IR to SPIR-V; the whole build
    bool ok;
};

static struct times build_once(const struct kc_input *input, const struct kc_target *target)
{
    struct driver driver = {0};
    struct times times = {0};
    struct kc_program *program = driver_build(input, target, &driver);
    times.ok = program && program->status == KC_OK;
    for (int stage = 0; stage < DRIVER_STAGE_COUNT; stage++) {
        bool back = stage == DRIVER_LINK || stage == DRIVER_PASSES || stage == DRIVER_SPIRV;
        times.whole += (double)driver.ns[stage] * 1e-9;
        times.back += back ? (double)driver.ns[stage] * 1e-9 : 0;
        times.front += stage <= DRIVER_GEN ? (double)driver.ns[stage] * 1e-9 : 0;
    }
    kc_program_destroy(program);
    return times;
}

static struct times build(const struct kc_input *input, const struct kc_target *target)
{
    double front[RUNS], back[RUNS], whole[RUNS];
    struct times times = build_once(input, target);
    for (int run = 0; run < RUNS && times.ok; run++) {
        struct times one = build_once(input, target);
        front[run] = one.front;
        back[run] = one.back;
        whole[run] = one.whole;
    }
    if (times.ok) {
        times.front = median(front);
        times.back = median(back);
        times.whole = median(whole);
    }
    return times;
}

// Copies the options from the line `// options: ...` of a case.
static void find_options(const struct text *source, char *options, size_t room)
{
    static const char mark[] = "// options: ";
    const char *at = source->bytes ? strstr(source->bytes, mark) : NULL;
    size_t length = at ? strcspn(at + strlen(mark), "\n") : 0;
    snprintf(options, room, "%.*s", (int)length, at ? at + strlen(mark) : "");
}

struct ratios {
    double *items, ours, theirs, most;
    const char *worst;
    size_t count;
};

static void add_ratio(struct ratios *r, const struct module *m, double il, double source)
{
    r->items = realloc(r->items, (r->count + 1) * sizeof *r->items);
    r->items[r->count++] = il / source;
    if (il / source > r->most) {
        r->most = il / source;
        r->worst = m->path;
    }
    r->ours += il;
    r->theirs += source;
}

static void print_ratios(const char *what, struct ratios *r)
{
    if (!r->count)
        return;
    qsort(r->items, r->count, sizeof *r->items, bench_compare);
    printf("%-28s %6zu pairs: SPIR-V %9.2f ms, source %9.2f ms, %5.2f; median %5.2f, worst tenth from %5.2f, worst %5.2f %s\n", what,
           r->count, r->ours * 1e3, r->theirs * 1e3, r->ours / r->theirs, r->items[r->count / 2], r->items[r->count * 9 / 10],
           r->most, r->worst);
}

static struct text source_of(const struct module *m)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.cl", source_folder, m->name);
    return read_file(path);
}

static void compare_compilers(const struct kc_target *target)
{
    struct ratios front = {0}, back = {0}, whole = {0};
    for (size_t i = 0; i < module_count; i++) {
        struct text source = source_of(&modules[i]);
        char options[512];
        find_options(&source, options, sizeof options);
        if (!source.bytes)
            continue;
        struct kc_input from_source = {.source = source.bytes, .length = source.size, .options = options};
        struct kc_input from_il = {.il = modules[i].words, .il_size = modules[i].size, .options = options};
        struct times il = build(&from_il, target), text = build(&from_source, target);
        if (il.ok && text.ok) {
            add_ratio(&front, &modules[i], il.front, text.front);
            add_ratio(&back, &modules[i], il.back, text.back);
            add_ratio(&whole, &modules[i], il.whole, text.whole);
        }
        free(source.bytes);
    }
    print_ratios("to IR", &front);
    print_ratios("IR to Vulkan's SPIR-V", &back);
    print_ratios("the compiler", &whole);
}

// ---- through the API
// -----------------------------------------------------------------------------

static double create_and_build(cl_context context, cl_device_id device, const struct module *m, const struct text *source, const char *options)
{
    cl_int error;
    const char *text = source->bytes;
    double start = bench_now();
    cl_program program = m ? clCreateProgramWithIL(context, m->words, m->size, &error)
                           : clCreateProgramWithSource(context, 1, &text, &source->size, &error);
    if (!error)
        error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    double seconds = bench_now() - start;
    if (program)
        clReleaseProgram(program);
    return error ? -1 : seconds;
}

static double api_median(cl_context context, cl_device_id device, const struct module *m, const struct text *source, const char *options)
{
    double samples[RUNS];
    for (int run = 0; run < RUNS; run++)
        samples[run] = create_and_build(context, device, m, source, options);
    return median(samples);
}

static void compare_builds(cl_platform_id platform)
{
    cl_device_id device;
    char il[256] = "", name[200] = "", what[256];
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof il, il, NULL) || !*il)
        return;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    struct ratios builds = {0};
    for (size_t i = 0; context && i < module_count; i++) {
        struct text source = source_of(&modules[i]);
        char options[512];
        find_options(&source, options, sizeof options);
        if (!source.bytes)
            continue;
        double from_il = api_median(context, device, &modules[i], &source, options);
        double from_source = api_median(context, device, NULL, &source, options);
        if (from_il > 0 && from_source > 0)
            add_ratio(&builds, &modules[i], from_il, from_source);
        free(source.bytes);
    }
    snprintf(what, sizeof what, "create + build, %.12s", name);
    print_ratios(what, &builds);
    if (context)
        clReleaseContext(context);
}

int main(int argc, char **argv)
{
    static const char option[] = "--source=";
    struct kc_target target;
    if (!preset_find("lavapipe", &target))
        return 1;
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], option, strlen(option)))
            source_folder = argv[i] + strlen(option);
        else
            add_modules(argv[i]);
    if (!module_count) {
        fprintf(stderr, "usage: bench_il [--source=FOLDER] MODULE.spv|FOLDER...\n");
        return 2;
    }
    measure_reading(&target);
    if (!source_folder)
        return 0;
    compare_compilers(&target);
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    clGetPlatformIDs(PLATFORMS, platforms, &count);
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        compare_builds(platforms[i]);
    return 0;
}
