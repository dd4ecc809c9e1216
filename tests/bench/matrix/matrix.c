// SPDX-License-Identifier: Apache-2.0
// The speed of a device's matrix units: the same product of n x n matrices in GLSL on plain Vulkan
// and in OpenCL C, with several types, sizes and shapes of blocks; a sample of the results is
// checked.
//
//   OCL_ICD_VENDORS=libpumice.so bench_matrix [OPTION ...] [compare|sweep|tables|attention]
//     --forms   khr, khr_sets: GLSL, matrices of sub-groups, buffers by address or by descriptor;
//               nv2: GLSL, matrices of work-groups; plain: GLSL without matrices;
//               cl: gemm.cl; cl_plain: plain.cl
//     --types   f16f32,f16f16,bf16f32,bf16bf16,i8i32,f32f32     --n 1024,4096,8192
//     --columns (B is column-major)   --rounds R   --folder F (of gemm.cl)
//     --shapes BMxBNxBK/WMxWN/TMxTNxTK/pPAD/sSTAGES/gGROUP,... (omitted parts at the end: as before)
//     --seconds S (no new shape in a sweep after S)   --device NAME (part of a name; without OpenCL)
//     --constant (GLSL: n known at compile time)   --statistics (GLSL: the driver's code statistics)
// A sweep tries many shapes, `tables` prints the driver's matrix shapes, `attention` runs
// attention.cl for each n. TFLOP/s are medians of the device's times; `wall` is measured for
// several products at once, `ratio` is relative to the first row of that size, `build` excludes
// compilation in the first launch.
#include <string.h>

#include "../bench.h"
#include "attention.h"
#include "glsl.h"
#include "opencl.h"

struct options {
    const char *mode, *forms, *types, *sizes, *folder;
    const char *device; // a part of its name
    const char *shapes; // NULL: the form's own
    double seconds;
    unsigned rounds;
    bool columns, constant, statistics;
};

// ---- forms --------------------------------------------------------------------------------------

enum units { SUB_GROUPS, WORK_GROUPS, NONE }; // whose matrices are used

// Shapes that are the fastest on an H200.
static const struct form {
    const char *name;
    enum units units;
    const char *kernel; // of OpenCL C; NULL: GLSL
    const char *shape;  // without --shape
    const char *byte_shape;
} forms[] = {
    {"khr", SUB_GROUPS, NULL, "128x128x64/2x2/16x16x16/p16/s1/g32",
     "128x128x128/2x2/16x16x32/p16/s1/g32"},
    {"khr_sets", SUB_GROUPS, NULL, "128x128x64/2x2/16x16x16/p16/s1/g32",
     "128x128x128/2x2/16x16x32/p16/s1/g32"},
    {"nv2", WORK_GROUPS, NULL, "128x128x64/2x2/16x16x16/p16/s1/g32",
     "128x128x64/2x2/16x16x16/p16/s1/g32"},
    {"plain", NONE, NULL, "128x128x16/2x4/16x16x16/p16/s1/g8", "128x128x16/2x4/16x16x16/p16/s1/g8"},
    {"cl", SUB_GROUPS, "gemm", "128x128x64/2x2/16x16x16/p16/s1/g32",
     "128x128x128/2x2/16x16x32/p16/s1/g32"},
    {"cl_plain", NONE, "plain", "128x128x16/2x4/16x16x16/p16/s1/g8",
     "128x128x16/2x4/16x16x16/p16/s1/g8"},
};

static const struct form *form_find(const char *name)
{
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, name))
            return &forms[i];
    return NULL;
}

// Shape `index` of a sweep; false: no more.
static bool swept_shape(bool whole_groups, bool bytes, unsigned index, struct shape *s)
{
    static const char *const blocks[] = {"128x128x32/2x2", "128x128x32/2x4", "128x128x32/4x2",
                                         "256x128x32/4x2", "256x128x32/2x4", "128x256x32/2x4",
                                         "128x256x32/4x2", "64x128x32/2x2",  "256x256x32/4x4"};
    static const char *const groups[] = {"128x128x32/2x2", "128x128x32/2x4", "128x256x32/2x4",
                                         "256x128x32/2x4", "256x256x32/2x4", "64x128x32/2x2",
                                         "128x256x32/2x2", "256x128x32/2x2"};
    enum { BLOCKS = sizeof blocks / sizeof *blocks, GROUPS = sizeof groups / sizeof *groups };
    static const uint32_t depths[] = {32, 64, 16, 128};
    unsigned count = whole_groups ? GROUPS : BLOCKS, depth_count = whole_groups ? 4 : 3;
    *s = (struct shape){
        .tm = 16, .tn = 16, .tk = bytes ? 32 : 16, .pad = 16, .stages = 1, .group = 8};
    shape_read(s, whole_groups ? groups[index % count] : blocks[index % count]);
    index /= count;
    s->bk = depths[index % depth_count] * (bytes ? 2 : 1);
    index /= depth_count;
    if (whole_groups)
        return !index;
    s->stages = index % 2 ? 1 : 2;
    index /= 2;
    s->tn = index % 2 ? 8 : 16;
    return index < 2;
}

// ---- running ------------------------------------------------------------------------------------

struct run {
    const struct options *options;
    struct glsl *glsl;     // NULL: no Vulkan
    struct opencl *opencl; // NULL: no OpenCL
    struct job job;
    const struct form *form;
    double best, first; // TFLOP/s: of the form's shapes; of the first form at this size
    char best_shape[96];
    unsigned wrong;
};

static const char *refused_glsl(const struct run *r, const struct shape *shape)
{
    bool whole = r->form->units == WORK_GROUPS;
    if (!r->glsl)
        return "no Vulkan device";
    if (!shader_find(r->form->name, r->job.types->name))
        return "the GLSL compiler of this build does not know it";
    if (r->form->units != NONE && (whole ? !r->glsl->work_group_matrices : !r->glsl->matrices))
        return "the device has no such matrices";
    if (r->job.types->in == BFLOAT && !r->glsl->bfloats)
        return "the device has no bfloat16";
    if (r->form->units == SUB_GROUPS && shape_shared(shape, &r->job) > r->glsl->most_shared)
        return "too much shared memory";
    return NULL;
}

static const char *refused_opencl(const struct run *r, const struct shape *shape)
{
    enum number in = r->job.types->in;
    if (!r->opencl)
        return "no OpenCL device";
    if (r->form->units != NONE && !r->opencl->matrices)
        return "the device has no such matrices";
    if (in == HALF && !r->opencl->halves)
        return "the device has no cl_khr_fp16";
    if (in == BFLOAT && !r->opencl->bfloats)
        return "the compiler has no type for bfloat16";
    if (r->form->units == SUB_GROUPS && shape_shared(shape, &r->job) > r->opencl->most_local)
        return "too much local memory";
    return NULL;
}

static const char *refused(const struct run *r, const struct shape *shape)
{
    const char *why = r->form->kernel ? refused_opencl(r, shape) : refused_glsl(r, shape);
    uint32_t n = r->job.n;
    if (why)
        return why;
    uint32_t items =
        shape->wm * shape->wn * (r->form->kernel ? r->opencl->sub_group : r->glsl->sub_group);
    if (r->form->units == SUB_GROUPS)
        return shape_fault(shape, &r->job, items);
    if (r->form->units == NONE && items * 64 != shape->bm * shape->bn)
        return "not 64 results a work-item";
    return n % shape->bm || n % shape->bn || n % shape->bk ? "blocks do not divide n" : NULL;
}

static bool measure(struct run *r, const struct shape *shape, struct timing *timing)
{
    unsigned rounds = r->options->rounds;
    if (r->form->kernel)
        return opencl_run(r->opencl, &r->job, r->form->kernel, shape, rounds, timing);
    const struct shader *shader = shader_find(r->form->name, r->job.types->name);
    return glsl_run(r->glsl, &r->job, shader, shape, rounds, timing);
}

static bool is_right(struct run *r)
{
    return job_check(&r->job, r->form->kernel ? opencl_result(r->opencl, &r->job)
                                              : glsl_result(r->glsl, &r->job));
}

static void try_shape(struct run *r, const struct shape *shape, bool quiet)
{
    char text[96];
    struct timing t;
    const char *why = refused(r, shape);
    if (why && quiet)
        return;
    shape_write(shape, text, sizeof text);
    printf("%-8s %-8s n %5u  %-40s", r->form->name, r->job.types->name, r->job.n, text);
    if (why) {
        printf(" %s\n", why);
        return;
    }
    fflush(stdout);
    if (!measure(r, shape, &t)) {
        r->wrong++;
        return;
    }
    double work = job_operations(&r->job) * 1e-12, rate = work / t.device;
    bool right = is_right(r);
    if (!(r->first > 0))
        r->first = rate;
    printf(" %8.2f %8.2f %6.2f %5.2f s  %s\n", rate, work / t.wall, rate / r->first, t.build,
           right ? "PASS" : "FAIL");
    fflush(stdout);
    r->wrong += !right;
    if (right && rate > r->best) {
        r->best = rate;
        memcpy(r->best_shape, text, sizeof text);
    }
}

static void sweep(struct run *r)
{
    double begin = bench_now();
    struct shape shape;
    for (unsigned i = 0; bench_now() - begin < r->options->seconds; i++) {
        bool whole = r->form->units == WORK_GROUPS;
        if (!swept_shape(whole, r->job.types->in == CHAR, i, &shape))
            break;
        try_shape(r, &shape, true);
    }
    if (r->best > 0)
        printf("BEST %s %s n %u: %s %.1f\n", r->form->name, r->job.types->name, r->job.n,
               r->best_shape, r->best);
}

static void visit_form(struct run *r, const char *name)
{
    struct shape shape;
    r->form = form_find(name);
    r->best = 0;
    if (!r->form) {
        fprintf(stderr, "no form %s\n", name);
        r->wrong++;
        return;
    }
    if (!strcmp(r->options->mode, "sweep")) {
        sweep(r);
        return;
    }
    const char *own = r->job.types->in == CHAR ? r->form->byte_shape : r->form->shape;
    shape_read(&shape, own);
    char text[512], *rest = text;
    snprintf(text, sizeof text, "%s", r->options->shapes ? r->options->shapes : own);
    for (char *word; (word = strsep(&rest, ","));) // omitted parts as in the previous one
        if (shape_read(&shape, word))
            try_shape(r, &shape, false);
        else
            fprintf(stderr, "no shape: %s\n", word);
}

// Calls `visit` for each word of a comma-separated list.
static void each_word(const char *list, void (*visit)(struct run *, const char *), struct run *r)
{
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", list);
    for (char *word; (word = strsep(&rest, ","));)
        visit(r, word);
}

static void visit_attention(struct run *r, const char *n)
{
    uint32_t number = (uint32_t)strtoul(n, NULL, 10);
    r->wrong += !r->opencl || !attention_run(r->opencl, number, r->options->rounds);
}

static void visit_size(struct run *r, const char *n)
{
    r->job.n = (uint32_t)strtoul(n, NULL, 10);
    r->first = 0;
    job_open(&r->job);
    if (r->glsl)
        glsl_load(r->glsl, &r->job);
    if (r->opencl)
        opencl_load(r->opencl, &r->job);
    each_word(r->options->forms, visit_form, r);
    if (r->opencl)
        opencl_unload(r->opencl);
    if (r->glsl)
        glsl_unload(r->glsl);
    job_close(&r->job);
}

static void visit_types(struct run *r, const char *types)
{
    r->job.types = number_pair_find(types);
    if (r->job.types)
        each_word(r->options->sizes, visit_size, r);
    else
        fprintf(stderr, "no types %s\n", types);
}

// ---- options ------------------------------------------------------------------------------------

static bool read_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!strcmp(name, "--columns"))
            o->columns = true;
        else if (!strcmp(name, "--constant"))
            o->constant = true;
        else if (!strcmp(name, "--statistics"))
            o->statistics = true;
        else if (strncmp(name, "--", 2) != 0)
            o->mode = name;
        else if (++i == argc)
            return false;
        else if (!strcmp(name, "--forms"))
            o->forms = argv[i];
        else if (!strcmp(name, "--types"))
            o->types = argv[i];
        else if (!strcmp(name, "--n"))
            o->sizes = argv[i];
        else if (!strcmp(name, "--device"))
            o->device = argv[i];
        else if (!strcmp(name, "--shapes"))
            o->shapes = argv[i];
        else if (!strcmp(name, "--folder"))
            o->folder = argv[i];
        else if (!strcmp(name, "--rounds"))
            o->rounds = (unsigned)strtoul(argv[i], NULL, 10);
        else if (!strcmp(name, "--seconds"))
            o->seconds = strtod(argv[i], NULL);
        else
            return false;
    }
    return o->rounds > 0 && o->rounds <= 32;
}

int main(int argc, char **argv)
{
    struct options o = {.mode = "compare",
                        .forms = "khr,khr_sets,nv2,plain,cl,cl_plain",
                        .types = "f16f32,f16f16,bf16f32,bf16bf16,i8i32,f32f32",
                        .sizes = "1024,4096,8192",
                        .folder = ".",
                        .device = "",
                        .seconds = 1e9,
                        .rounds = 7};
    struct glsl glsl = {0};
    struct opencl opencl = {0};
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: see the head of matrix.c\n");
        return 1;
    }
    bool has_opencl = strstr(o.forms, "cl") && opencl_open(&opencl, o.folder);
    bool has_vulkan = glsl_open(&glsl, has_opencl ? opencl.base.name : o.device);
    struct run run = {
        .options = &o,
        .glsl = has_vulkan ? &glsl : NULL,
        .opencl = has_opencl ? &opencl : NULL,
        .job = {.by_columns = o.columns, .constant_n = o.constant, .verbose = o.statistics}};
    if (!strcmp(o.mode, "tables")) {
        if (has_vulkan)
            glsl_tables(&glsl);
    } else if (!strcmp(o.mode, "attention")) {
        each_word(o.sizes, visit_attention, &run);
    } else {
        printf("%-8s %-8s %7s  %-40s %8s %8s %6s %7s\n", "form", "types", "", "shape", "TFLOP/s",
               "wall", "ratio", "build");
        each_word(o.types, visit_types, &run);
    }
    if (has_vulkan)
        glsl_close(&glsl);
    if (has_opencl)
        opencl_close(&opencl);
    return run.wrong != 0;
}
