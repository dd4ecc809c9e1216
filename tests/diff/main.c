// SPDX-License-Identifier: Apache-2.0
// Differential fuzzing: diff [options]
//
// For each seed: generates a program, interprets it, builds and runs it on the first OpenCL device, and compares
// every buffer.
//   --first N --count N   the seeds (default 1, 30)
//   --out FOLDER          where failing kernels go, shrunk: SEED.cl, for exec_run (default: not written)
//   --matrices PERCENT    of the programs have matrices (default: 20 on devices that have them); --units: only of shapes
//                         that devices have matrix units for
//   --deep PERCENT        of the programs have deep and wide control flow (default 10)
//   --arms PERCENT        of the programs have variables that get their value in one arm of an if, while the other one
//                         ends in jumps (default 10)
//   --calls PERCENT       of the programs have many functions that call each other (default 10)
//   --weight N            after inlining, such a function counts as at most N functions (default 60)
//   --print SEED          prints the program and exits; options that select features go before it (default: no matrices)
//   --bits 32|64          size of pointers and size_t, for --print (else taken from the device)
//   --patience SECONDS    time limit for one kernel (default 600); if given, a slower one counts as skipped
//   --shrink SECONDS      time limit for shrinking one kernel, which is then written as far as it was shrunk
//   --options TEXT        additional build options      --keep: do not shrink      --time: print the slowest kernels
//   --apart               runs each attempt in a process of its own, so that crashes can be shrunk too
//   --il SCRIPT           programs are compiled to SPIR-V by this script (tests/il/module.sh), alternately with -O0 and -O2;
//                         if it rejects a program, the seed counts as skipped
//   --modules FOLDER      with --il: writes the modules to FOLDER/SEED.spv and runs nothing; without: reads them from there,
//                         for machines without a compiler (seeds without a module count as skipped, nothing is shrunk)
// The seeds run in a child process; if it crashes or hangs, that is reported and the next seed starts in a new one.
// Prints 'N passed, N failed, N skipped'. Exit status: 0 none failed, 1 some failed, 77 no device.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "module.h"
#include "tree.h"

#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SHRINK_RUNS = 1500, SHRINK_PATIENCE = 30, DEFAULT_PERCENT = 101 };

struct options {
    uint64_t first, count;
    const char *out, *build, *il, *modules;
    bool keep, time, isolated;
    unsigned patience, shrink;
    struct features features;
};

// In memory shared with the child process.
struct progress {
    volatile uint64_t seed, passed, failed, skipped, slow, refused;
    volatile int shrinking, no_device;
};

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    struct features features;
    const char *options, *why; // why: the failure that the shrinker must preserve
    const char *il;            // script that compiles modules
    // Folder for modules; without a script they are read from there; both NULL: programs are given as source.
    const char *modules;
    bool no_tools;             // the script reports missing tools
    bool isolated;                // each attempt opens the device in its own process
    unsigned runs, patience;
    time_t until; // time limit for shrinking; 0: none
};

static bool has_extension(struct host *h, const char *name)
{
    static char all[16384];
    *all = 0;
    clGetDeviceInfo(h->device, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL);
    return strstr(all, name);
}

static bool has_matrices(struct host *h)
{
    static cl_name_version all[256];
    size_t size = 0;
    bool found = false;
    clGetDeviceInfo(h->device, CL_DEVICE_OPENCL_C_FEATURES, sizeof all, all, &size);
    for (size_t i = 0; i < size / sizeof *all; i++)
        found |= !strcmp(all[i].name, "__opencl_c_ext_cooperative_matrix");
    return found;
}

static bool host_open(struct host *h)
{
    cl_platform_id platform;
    cl_bool generic = CL_FALSE;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL))
        return false;
    h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, NULL);
    h->queue = clCreateCommandQueue(h->context, h->device, 0, NULL);
    clGetDeviceInfo(h->device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof generic, &generic,
                    NULL);
    h->features.generic = generic;
    cl_uint bits = 0;
    clGetDeviceInfo(h->device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL);
    h->features.address_bits = bits;
    h->features.halves = has_extension(h, "cl_khr_fp16");
    h->features.doubles = has_extension(h, "cl_khr_fp64");
    if (!has_matrices(h) || h->il || h->modules) // other compilers do not support matrices
        h->features.matrices = 0;
    else if (h->features.matrices == DEFAULT_PERCENT)
        h->features.matrices = 20;
    h->features.smalls = h->features.matrices; // devices with matrices support all component types
    return h->context && h->queue;
}

static void host_close(struct host *h)
{
    if (h->queue)
        clReleaseCommandQueue(h->queue);
    if (h->context)
        clReleaseContext(h->context);
}

// Writes a description of the failure to `why`; empty: none.
static void describe_build_failure(struct host *h, cl_program program, char *why, size_t size)
{
    static char log[4096];
    *log = 0;
    clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    snprintf(why, size, "does not build: %.500s", log);
}

static void set_args(struct host *h, struct program *p, cl_kernel kernel, cl_mem *buffers)
{
    for (cl_uint i = 0; i < p->args.count; i++) {
        struct arg *arg = &p->args.items[i];
        if (arg->kind == ARG_BUFFER) {
            buffers[i] =
                clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, arg->size, arg->initial, NULL);
            clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
        } else {
            clSetKernelArg(kernel, i, arg->size, arg->kind == ARG_VALUE ? arg->initial : NULL);
        }
    }
}

// Prints the actual and the expected value of the element at byte `at`, as hexadecimal numbers.
static void describe_difference(const struct arg *arg, unsigned index, unsigned at, const unsigned char *got, char *why,
                                size_t size)
{
    unsigned bytes = arg->param->type->of->size;
    int length = snprintf(why, size, "differs: argument %u (%s), element %u of %u: 0x", index, arg->param->name,
                          at / bytes, arg->size / bytes);
    for (unsigned i = bytes; i-- && length + 8 < (int)size;)
        length += snprintf(why + length, size - (size_t)length, "%02x", got[at + i]);
    length += snprintf(why + length, size - (size_t)length, ", not 0x");
    for (unsigned i = bytes; i-- && length + 3 < (int)size;)
        length += snprintf(why + length, size - (size_t)length, "%02x", arg->expected[at + i]);
}

// For floats, zeros of either sign are equal.
static bool same_lane(const struct arg *arg, const unsigned char *got, unsigned at)
{
    enum base base = arg->param->type->of->base;
    uint64_t a = 0, b = 0;
    memcpy(&a, got + at, base_bits[base] / 8);
    memcpy(&b, arg->expected + at, base_bits[base] / 8);
    return a == b || (base_is_float(base) && (a | b) << (65 - base_bits[base]) == 0);
}

static void compare(struct host *h, struct program *p, cl_mem *buffers, char *why, size_t size)
{
    for (unsigned i = 0; i < p->args.count && !*why; i++) {
        struct arg *arg = &p->args.items[i];
        if (arg->kind != ARG_BUFFER || !arg->compare)
            continue;
        unsigned char *got = arena_alloc(p->arena, arg->size);
        cl_int error =
            clEnqueueReadBuffer(h->queue, buffers[i], CL_TRUE, 0, arg->size, got, 0, NULL, NULL);
        unsigned at = 0, bytes = arg->param->type->of->size;
        while (at < arg->size && same_lane(arg, got, at))
            at += base_bits[arg->param->type->of->base] / 8;
        if (error)
            snprintf(why, size, "reading argument %u: error %d", i, error);
        else if (at < arg->size)
            describe_difference(arg, i, at - at % bytes, got, why, size);
    }
}

static void launch(struct host *h, struct program *p, cl_program program, char *why, size_t size)
{
    cl_mem buffers[32] = {NULL};
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    size_t global[3], local[3];
    for (unsigned d = 0; d < 3; d++)
        local[d] = p->local[d], global[d] = local[d] * p->groups[d];
    if (kernel) {
        set_args(h, p, kernel, buffers);
        error =
            clEnqueueNDRangeKernel(h->queue, kernel, p->dims, NULL, global, local, 0, NULL, NULL);
    }
    if (error)
        snprintf(why, size, "does not start: error %d", error);
    else
        compare(h, p, buffers, why, size);
    for (unsigned i = 0; i < 32; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (kernel)
        clReleaseKernel(kernel);
}

// As SPIR-V from another compiler. The interpreter guards what C leaves undefined; contraction and type-based
// aliasing differ from C.
static bool find_module(struct host *h, struct program *p, struct str *module, char *why, size_t size)
{
    char options[128];
    struct str text;
    if (!h->il)
        return module_take(h->modules, p->seed, p->arena, module, why, size);
    str_init(&text, p->arena);
    print_program(p, &text);
    snprintf(options, sizeof options, "-O%d -ffp-contract=off -fno-strict-aliasing -cl-std=CL%s", p->seed % 2 ? 2 : 0,
             p->generic ? "3.0" : "1.2");
    enum module_result result = module_make(h->il, &text, options, p->arena, module, why, size);
    h->no_tools = result == MODULE_NO_TOOLS;
    return result == MODULE_MADE;
}

static cl_program create_with_il(struct host *h, struct program *p, char *why, size_t size)
{
    struct str module;
    if (!find_module(h, p, &module, why, size))
        return NULL;
    cl_program program = clCreateProgramWithIL(h->context, module.text, module.length, NULL);
    if (!program)
        snprintf(why, size, "no program of SPIR-V");
    return program;
}

static cl_program create_with_source(struct host *h, struct program *p)
{
    struct str text;
    str_init(&text, p->arena);
    print_program(p, &text);
    return clCreateProgramWithSource(h->context, 1, (const char **)&text.text, NULL, NULL);
}

static void keep_module(struct host *h, struct program *p, char *why, size_t size)
{
    struct str module;
    if (find_module(h, p, &module, why, size) && !module_keep(h->modules, p->seed, &module))
        snprintf(why, size, "cannot be written to %s", h->modules);
}

// Builds and runs one program on the device.
static void try_program(struct host *h, struct program *p, char *why, size_t size)
{
    struct str options;
    bool il = h->il || h->modules;
    *why = 0;
    if (h->il && h->modules) {
        keep_module(h, p, why, size);
        return;
    }
    str_init(&options, p->arena);
    str_printf(&options, "%s %s %s", p->generic && !il ? "-cl-std=CL3.0" : "", p->unoptimised ? "-cl-opt-disable" : "",
               h->options);
    cl_program program = il ? create_with_il(h, p, why, size) : create_with_source(h, p);
    if (!program)
        return;
    if (clBuildProgram(program, 1, &h->device, options.text, NULL, NULL))
        describe_build_failure(h, program, why, size);
    else
        launch(h, p, program, why, size);
    clReleaseProgram(program);
}

// Reads what a child process writes, at most `size` bytes; returns its status.
static int from_child(struct host *h, void (*child)(struct host *h, struct program *p, int to), struct program *p, void *data, size_t size)
{
    int ends[2], status = -1;
    if (pipe(ends))
        return status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(h->patience);
        child(h, p, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && size; size -= (size_t)got, data = (char *)data + got)
        got = read(ends[0], data, size);
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status;
}

static void report_features(struct host *h, struct program *p, int to)
{
    (void)p;
    if (!host_open(h) || write(to, &h->features, sizeof h->features) < 0)
        _exit(1);
}

static void report_failure(struct host *h, struct program *p, int to)
{
    char why[600] = "no device";
    if (host_open(h))
        try_program(h, p, why, sizeof why);
    if (write(to, why, strlen(why) + 1) < 0)
        _exit(1);
}

static void try_isolated(struct host *h, struct program *p, char *why, size_t size)
{
    if (!h->isolated) {
        try_program(h, p, why, size);
        return;
    }
    *why = 0;
    int status = from_child(h, report_failure, p, why, size);
    if (status)
        snprintf(why, size, "the process dies (status %x)", (unsigned)status);
}

static bool fails(struct program *p, void *data)
{
    struct host *h = data;
    char why[600];
    if (++h->runs > MAX_SHRINK_RUNS || (h->until && time(NULL) >= h->until))
        return false;
    alarm(h->patience > SHRINK_PATIENCE ? h->patience : SHRINK_PATIENCE);
    if (!interpret(p))
        return false;
    try_isolated(h, p, why, sizeof why);
    return strncmp(why, h->why, 15) == 0;
}

// As words if the size allows it: the text is shorter, and numbers are recognizable.
static void write_values(FILE *f, const unsigned char *bytes, unsigned size)
{
    unsigned step = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
    fprintf(f, step == 8 ? "ulong" : step == 4 ? "uint" : "uchar");
    for (unsigned i = 0; i < size; i += step) {
        uint64_t value = 0;
        memcpy(&value, bytes + i, step);
        fprintf(f, value > 9 ? " 0x%llx" : " %llu", (unsigned long long)value);
    }
    fprintf(f, "\n");
}

// Writes the directives that exec_run needs to run the kernel.
static void write_launch(FILE *f, const struct program *p)
{
    fprintf(f, "// options:%s%s\n// run: k global", p->generic ? " -cl-std=CL3.0" : "",
            p->unoptimised ? " -cl-opt-disable" : "");
    for (unsigned d = 0; d < p->dims; d++)
        fprintf(f, " %u", p->local[d] * p->groups[d]);
    fprintf(f, " local");
    for (unsigned d = 0; d < p->dims; d++)
        fprintf(f, " %u", p->local[d]);
    fprintf(f, "\n");
    for (unsigned i = 0; i < p->args.count; i++) {
        const struct arg *arg = &p->args.items[i];
        fprintf(f, arg->kind == ARG_BUFFER ? "// arg: buffer " : "// arg: ");
        if (arg->kind == ARG_LOCAL)
            fprintf(f, "local %u\n", arg->size);
        else
            write_values(f, arg->initial, arg->size);
    }
    for (unsigned i = 0; i < p->args.count; i++) {
        const struct arg *arg = &p->args.items[i];
        if (arg->kind != ARG_BUFFER || !arg->compare)
            continue;
        fprintf(f, "// expect: arg%u ", i);
        write_values(f, arg->expected, arg->size);
    }
}

static void write_program(const char *folder, struct program *p, const char *why)
{
    char name[600];
    struct str text;
    snprintf(name, sizeof name, "%s/%llu.cl", folder, (unsigned long long)p->seed);
    FILE *f = fopen(name, "w");
    str_init(&text, p->arena);
    print_program(p, &text);
    if (!f)
        return;
    fprintf(f, "// seed %llu: %s\n", (unsigned long long)p->seed, why);
    write_launch(f, p);
    fwrite(text.text, 1, text.length, f);
    fclose(f);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run_seed(struct host *h, const struct options *o, struct progress *progress,
                     uint64_t seed)
{
    struct arena arena;
    jmp_buf full;
    char why[600];
    arena_init(&arena, (size_t)2 << 30, &full);
    if (setjmp(full)) {
        progress->skipped++;
        arena_finish(&arena);
        return;
    }
    struct program *p = generate(&arena, seed, &h->features);
    if (!interpret(p)) {
        progress->skipped++;
    } else {
        double start = now();
        alarm(h->patience);
        try_isolated(h, p, why, sizeof why);
        if (o->time)
            printf("%8.1f ms  seed %llu\n", (now() - start) * 1e3, (unsigned long long)seed),
                fflush(stdout);
        if (!*why) {
            progress->passed++;
        } else if (!strncmp(why, "no module", 9)) {
            progress->skipped++, progress->refused++;
            progress->no_device |= h->no_tools;
        } else {
            progress->failed++;
            printf("seed %llu: %s\n", (unsigned long long)seed, why);
            fflush(stdout);
            if (o->out)
                write_program(o->out, p, why);
            progress->shrinking = 1;
            h->runs = 0;
            h->until = o->shrink ? time(NULL) + o->shrink : 0;
            h->why = why;
            if (o->out && !o->keep && !o->modules) {
                shrink(p, fails, h);
                interpret(p);
                try_isolated(h, p, why, sizeof why);
                write_program(o->out, p, why);
            }
            progress->shrinking = 0;
        }
    }
    alarm(0);
    arena_finish(&arena);
}

static void run_seeds(const struct options *o, struct progress *progress)
{
    struct host h = {.options = o->build,
                     .il = o->il,
                     .modules = o->modules,
                     .features = o->features,
                     .isolated = o->isolated,
                     .patience = o->patience ? o->patience : 600};
    progress->no_device = o->isolated ? from_child(&h, report_features, NULL, &h.features, sizeof h.features) : !host_open(&h);
    for (; !progress->no_device && progress->seed < o->first + o->count; progress->seed++)
        run_seed(&h, o, progress, progress->seed);
    host_close(&h);
}

static int print_seed(const struct options *o, uint64_t seed)
{
    struct arena arena;
    jmp_buf full;
    struct str text;
    arena_init(&arena, 0, &full);
    if (setjmp(full))
        return 2;
    struct features features = o->features;
    features.matrices = features.matrices == DEFAULT_PERCENT ? 0 : features.matrices;
    struct program *p = generate(&arena, seed, &features);
    if (!interpret(p))
        fprintf(stderr, "runs too long\n");
    str_init(&text, &arena);
    print_program(p, &text);
    fwrite(text.text, 1, text.length, stdout);
    arena_finish(&arena);
    return 0;
}

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--keep"))
            o->keep = true;
        else if (!strcmp(argv[i], "--time"))
            o->time = true;
        else if (!strcmp(argv[i], "--first"))
            o->first = strtoull(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--count"))
            o->count = strtoull(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--out"))
            o->out = value, i++;
        else if (!strcmp(argv[i], "--options"))
            o->build = value, i++;
        else if (!strcmp(argv[i], "--il"))
            o->il = value, i++;
        else if (!strcmp(argv[i], "--modules"))
            o->modules = value, i++;
        else if (!strcmp(argv[i], "--matrices"))
            o->features.matrices = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--deep"))
            o->features.deep = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--arms"))
            o->features.arms = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--calls"))
            o->features.calls = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--weight"))
            o->features.weight = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--bits"))
            o->features.address_bits = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--apart"))
            o->isolated = true;
        else if (!strcmp(argv[i], "--units"))
            o->features.units = true;
        else if (!strcmp(argv[i], "--shrink"))
            o->shrink = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--patience"))
            o->patience = (unsigned)strtoul(value, NULL, 0), i++;
        else if (!strcmp(argv[i], "--print"))
            exit(print_seed(o, strtoull(value, NULL, 0)));
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {.first = 1, .count = 30, .build = "",
                        .features = {.generic = true, .matrices = DEFAULT_PERCENT, .deep = 10, .arms = 10, .calls = 10, .weight = 60, .halves = true, .doubles = true, .smalls = true}};
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr,
                "usage: %s [--first N] [--count N] [--out FOLDER] [--options TEXT] [--il SCRIPT] [--modules FOLDER] "
                "[--matrices PERCENT] [--units] [--deep PERCENT] [--arms PERCENT] [--calls PERCENT] [--weight N] [--bits 32|64] [--keep] [--time] [--apart] [--shrink SECONDS] [--print SEED]\n",
                argv[0]);
        return 2;
    }
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    struct sigaction action = {.sa_handler = stop}; // SIGTERM: stop here; waitpid returns
    sigaction(SIGTERM, &action, NULL);
    for (progress->seed = o.first; progress->seed < o.first + o.count && !progress->no_device;
         progress->seed++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGTERM, SIG_DFL);
            run_seeds(&o, progress);
            exit(0);
        }
        if (waitpid(child, &status, 0) < 0 || stopped) {
            kill(child, SIGKILL);
            break;
        }
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && o.patience &&
            !progress->shrinking) {
            progress->skipped++;
            progress->slow++;
        } else if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
            printf("seed %llu: %s (status %x)%s\n", (unsigned long long)progress->seed,
                   WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "hangs"
                                                                      : "the process dies",
                   (unsigned)status, progress->shrinking ? " while it is shrunk" : "");
            progress->failed += !progress->shrinking;
            progress->shrinking = 0;
        }
    }
    if (progress->no_device)
        return 77;
    if (progress->slow)
        printf("%llu took longer than %u s\n", (unsigned long long)progress->slow, o.patience);
    if (progress->refused)
        printf("%llu have no module: clang or its translator refuses them, or none was made\n", (unsigned long long)progress->refused);
    if (stopped)
        printf("stopped at seed %llu\n", (unsigned long long)progress->seed);
    printf("%llu passed, %llu failed, %llu skipped\n", (unsigned long long)progress->passed,
           (unsigned long long)progress->failed, (unsigned long long)progress->skipped);
    return progress->failed ? 1 : 0;
}
