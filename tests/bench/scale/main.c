// SPDX-License-Identifier: Apache-2.0
// How time and memory of OpenCL runtimes grow with the number of commands, objects, kernels,
// threads: on all platforms side by side. Linear is good; the cost of a unit must not grow.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_scale [options]
//     --only=TEXT    shapes with TEXT in their name; repeatable
//     --part=N       1/N of the usual largest sizes, but for threads and devices (default 1)
//     --cpu          CPU time of the process instead of wall time: for machines with other work
//     --patience=S   seconds for one measurement (default 60); a longer one ends its curve
//     --svg=FILE     draw the curves
// Each measurement runs in a process of its own, after the same work of size 1. The slope is that
// of the logarithms between the two largest sizes: 1 is linear. A curve ends where the platform
// refuses the size. Turn caches off: PUMICE_CACHE_DIR=none POCL_KERNEL_CACHE=0.
#include "../bench.h"
#include "../curves.h"
#include "scale.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAMES = 32, PLATFORMS = 4, NAME_SIZE = 60, FEW = 100 };
#define STEEP 1.2

static const struct {
    const char *name, *time, *memory;
} colours[PLATFORMS] = {{"red", "#c33", "#e99"}, {"blue", "#36c", "#9bf"}, {"green", "#393", "#9d9"}, {"grey", "#888", "#bbb"}};

static struct settings {
    const char *only[NAMES], *svg;
    unsigned only_count, part, patience;
    bool cpu;
} settings = {.part = 1, .patience = 60};

// Results from the child process.
static struct report {
    char platform[NAME_SIZE];
    double seconds, megabytes;
    bool opened, done;
} *report;

// ---- one measurement ----------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(settings.cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Of this process, which has just started.
static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void child(const struct shape *shape, unsigned platform, size_t n)
{
    struct scale scale = {0};
    alarm(settings.patience);
    report->opened = scale_open(&scale, platform);
    if (!report->opened)
        return;
    clGetPlatformInfo(scale.platform, CL_PLATFORM_NAME, NAME_SIZE, report->platform, NULL);
    if (!n || !shape->run(&scale, 1))
        return;
    double before = peak_megabytes(), begin = now();
    report->done = shape->run(&scale, n);
    report->seconds = now() - begin;
    report->megabytes = peak_megabytes() - before;
}

// N = 0 only opens the platform.
static void measure(const struct shape *shape, unsigned platform, size_t n)
{
    memset(report, 0, sizeof *report);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child(shape, platform, n);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

// ---- curves -------------------------------------------------------------------------------------

static double slope(const struct plot_curve *curve)
{
    if (curve->count < 2)
        return NAN;
    const struct curve_point *b = &curve->points[curve->count - 1], *a = b - 1;
    return log(b->cost / a->cost) / log(b->n / a->n);
}

static void say(const char *platform, const struct shape *shape, const struct plot_curve *time, const struct plot_curve *memory)
{
    printf("%-24.24s %-50s", platform, shape->name);
    for (unsigned i = 0; i < time->count; i++)
        printf(" %8.3g", time->points[i].cost * 1e3 / time->points[i].n);
    if (time->count) {
        const struct curve_point *last = &memory->points[memory->count - 1];
        printf("  up to %g %s, %.0f bytes each, slope %.2f%s", last->n, shape->unit, last->cost * 1048576 / last->n, slope(time),
               slope(time) > STEEP ? " !" : "");
    }
    puts("");
}

// Fills a curve of time (ms) and one of memory (MB).
static void run_shape(const struct shape *shape, unsigned platform, struct plot_curve lines[2])
{
    char name[NAME_SIZE] = "";
    bool few = shape->most < FEW; // threads, devices: 1, 2, 4, ...
    size_t most = few ? shape->most : shape->most / settings.part, factor = few ? 2 : 10;
    for (int k = 0; k < 2; k++)
        lines[k] = (struct plot_curve){.panel = shape->name, .colour = k ? colours[platform].memory : colours[platform].time, .dashed = k};
    for (size_t n = few ? 1 : 10; n <= most && lines[0].count < CURVE_POINTS; n *= factor) {
        measure(shape, platform, n);
        if (!report->done)
            break;
        memcpy(name, report->platform, NAME_SIZE);
        lines[0].points[lines[0].count++] = (struct curve_point){(double)n, report->seconds * 1e3};
        lines[1].points[lines[1].count++] = (struct curve_point){(double)n, report->megabytes};
    }
    lines[0].label = lines[1].label = strdup(name);
    say(name, shape, &lines[0], &lines[1]);
}

static bool is_chosen(const struct shape *shape)
{
    for (unsigned i = 0; i < settings.only_count; i++)
        if (strstr(shape->name, settings.only[i]))
            return true;
    return !settings.only_count;
}

static unsigned list_platforms(char *legend, size_t room)
{
    unsigned count = 0;
    size_t end = (size_t)snprintf(legend, room, "%s in ms", settings.cpu ? "CPU time" : "time");
    for (; count < PLATFORMS; count++) {
        measure(shapes, count, 0);
        if (!report->opened)
            break;
        printf("platform %u: %s\n", count, report->platform);
        end += (size_t)snprintf(legend + end, room - end, "%s %s: %s", count ? ";" : ",", colours[count].name, report->platform);
    }
    snprintf(legend + end, room - end, "; finely dashed: peak memory in MB; dashed: linear");
    return count;
}

// ---- the command --------------------------------------------------------------------------------

static bool read_word(const char *word)
{
    if (!strncmp(word, "--only=", 7) && settings.only_count < NAMES)
        settings.only[settings.only_count++] = word + 7;
    else if (!strncmp(word, "--part=", 7))
        settings.part = (unsigned)strtoul(word + 7, NULL, 10);
    else if (!strncmp(word, "--patience=", 11))
        settings.patience = (unsigned)strtoul(word + 11, NULL, 10);
    else if (!strncmp(word, "--svg=", 6))
        settings.svg = word + 6;
    else if (!strcmp(word, "--cpu"))
        settings.cpu = true;
    else
        return false;
    return settings.part > 0;
}

int main(int argc, char **argv)
{
    char legend[400];
    for (int i = 1; i < argc; i++)
        if (!read_word(argv[i])) {
            fprintf(stderr, "bench_scale: what is '%s'?\n", argv[i]);
            return 2;
        }
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct plot_curve *lines = calloc(shape_count * PLATFORMS, 2 * sizeof *lines);
    unsigned platforms = list_platforms(legend, sizeof legend);
    size_t count = 0;
    if (!platforms)
        return 77;
    printf("%-24s %-50s us for each, sizes 10, 100, ... (threads, devices: 1, 2, 4, ...)\n", "platform", "work");
    for (size_t i = 0; i < shape_count; i++)
        for (unsigned p = 0; p < platforms && is_chosen(&shapes[i]); p++, count += 2)
            run_shape(&shapes[i], p, &lines[count]);
    const char *title = "What an OpenCL program costs by how many of one thing it has";
    return settings.svg && !plot_curves(settings.svg, title, legend, 0.01, lines, count) ? 2 : 0;
}
