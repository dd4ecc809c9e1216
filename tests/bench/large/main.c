// SPDX-License-Identifier: Apache-2.0
// Checks that the compiler is linear: CPU time, instructions and memory of builds of generated
// programs with a growing number of one construct.
//
//   bench_large [options]
//     --only=TEXT     shapes with TEXT in their group or name; repeatable
//     --shape=TEXT    the shape with that name         --list  print the shapes
//     --print=N       print the program of size N and exit
//     --part=N        1/N of the usual sizes (default 1)
//     --target=NAME   device of pumice-cc (default full)      --options=TEXT  build options (default -cl-std=CL3.0)
//     --objects       build by clCompileProgram and clLinkProgram
//     --il=SCRIPT     convert programs to SPIR-V by SCRIPT (tests/il/module.sh) first; skip those that it refuses
//     --valgrind      count instructions: builds all programs again, fifty times slower
//     --build=N       build the program of size N and exit
//     --patience=S    CPU seconds for one build (default 60)
//     --svg=FILE      draw the curves
//     --check=SLOPE   exit with status 1 if a curve is steeper
// The slope is that of the logarithms between the two largest sizes, after subtracting the cost of
// the smallest program; 1 is linear. It is the slope of instructions if the system counts them
// (perf_event_paranoid 2 or less) or valgrind does, otherwise of time, which grows faster than the
// work for programs that outgrow the CPU's caches. Each build runs in a separate process.
#include "large.h"
#include "../curves.h"
#include "cc/presets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif
#if defined __has_include
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

enum { NAMES = 64, SMALLEST = 2, STEP_BITS = 2, REPEAT_BELOW_MS = 200, REPEATS = 3 };
#define STEEP 1.15

static struct settings {
    const char *only[NAMES];
    unsigned only_count, part, patience;
    const char *options, *il, *svg, *shape;
    double check;
    bool objects, list, valgrind, counted;
    unsigned print, build;
    struct kc_target target;
} settings = {.part = 1, .patience = 60, .options = "-cl-std=CL3.0"};

// Results from the child process.
static struct report {
    struct cost cost;
    bool refused;
    char why[200];
} *report;

// ---- counting ------------------------------------------------------------------------------------

static int open_counter(void)
{
#ifdef __linux__
    struct perf_event_attr counted = {.type = PERF_TYPE_HARDWARE, .size = sizeof counted, .config = PERF_COUNT_HW_INSTRUCTIONS,
                                      .exclude_kernel = 1, .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &counted, 0, -1, -1, 0);
#else
    return -1;
#endif
}

static unsigned long long read_counter(int counter)
{
    unsigned long long count = 0;
    return counter >= 0 && read(counter, &count, sizeof count) == sizeof count ? count : 0;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Of this process, which has just started.
static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

// ---- one build -----------------------------------------------------------------------------------

struct program {
    struct kc_input *inputs; // the last is the program, the others are units
    size_t count;
};

static void *list_of(size_t count, size_t size)
{
    void *list = calloc(count, size);
    if (!list)
        exit(1);
    return list;
}

static char *name_header(unsigned i)
{
    char name[32];
    snprintf(name, sizeof name, "h%u.h", i);
    return strdup(name);
}

static void add_headers(struct kc_input *input, const struct shape *shape, unsigned n)
{
    struct kc_header *headers = list_of(n, sizeof *headers);
    for (unsigned i = 0; i < n; i++) {
        struct text text = {0};
        text_one(&text, shape->parts[0], i, n);
        headers[i] = (struct kc_header){name_header(i), text.bytes, text.size};
    }
    input->headers = headers;
    input->header_count = n;
}

static struct program make_program(const struct shape *shape, unsigned n)
{
    struct program p = {.count = 1 + (shape->how == UNITS ? n : 0)};
    struct text text = {0};
    p.inputs = list_of(p.count, sizeof *p.inputs);
    for (size_t i = shape->how >= HEADERS; i < sizeof shape->parts / sizeof *shape->parts && shape->parts[i]; i++)
        text_part(&text, shape->parts[i], n);
    for (size_t i = 0; i + 1 < p.count; i++) {
        struct text unit = {0};
        text_one(&unit, shape->parts[0], (unsigned)i, n);
        p.inputs[i] = (struct kc_input){.source = unit.bytes, .length = unit.size};
    }
    struct kc_input *last = &p.inputs[p.count - 1];
    *last = (struct kc_input){.source = text.bytes, .length = text.size};
    if (shape->how == HEADERS)
        add_headers(last, shape, n);
    for (size_t i = 0; i < p.count; i++)
        p.inputs[i].options = settings.options;
    return p;
}

static struct text read_file(const char *path)
{
    struct text text = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return text;
    fseek(file, 0, SEEK_END);
    text.size = (size_t)ftell(file);
    rewind(file);
    text.bytes = list_of(text.size + 1, 1);
    if (fread(text.bytes, 1, text.size, file) != text.size)
        exit(1);
    fclose(file);
    return text;
}

// Converts a source to a SPIR-V module. False: the script refuses it.
static bool make_module(struct kc_input *input)
{
    char folder[] = "/tmp/bench_largeXXXXXX", command[2048], source[64], module[64];
    if (!mkdtemp(folder))
        return false;
    snprintf(source, sizeof source, "%s/a.cl", folder);
    snprintf(module, sizeof module, "%s/a.spv", folder);
    FILE *file = fopen(source, "w");
    if (!file || fwrite(input->source, 1, input->length, file) != input->length || fclose(file))
        return false;
    snprintf(command, sizeof command, "sh '%s' %s %s -O0 -fbracket-depth=4096 >%s/log 2>&1", settings.il, source, module, folder);
    struct text words = system(command) ? (struct text){0} : read_file(module);
    snprintf(command, sizeof command, "rm -r %s", folder);
    input->il = words.bytes;
    input->il_size = words.size;
    return !system(command) && words.bytes;
}

static bool make_modules(struct program *p)
{
    bool made = true;
    for (size_t i = 0; settings.il && i < p->count && made; i++)
        made = make_module(&p->inputs[i]);
    return made;
}

static void refuse(const char *why)
{
    report->refused = true;
    snprintf(report->why, sizeof report->why, "%.*s", (int)strcspn(why, "\n"), why);
}

static void link_all(const struct program *p)
{
    struct kc_object **objects = list_of(p->count, sizeof *objects);
    struct kc_bytes *bytes = list_of(p->count, sizeof *bytes);
    for (size_t i = 0; i < p->count; i++) {
        objects[i] = kc_compile(&p->inputs[i], &settings.target);
        if (!objects[i] || objects[i]->status != KC_OK) {
            refuse(objects[i] ? objects[i]->log : "no memory");
            return;
        }
        bytes[i] = (struct kc_bytes){objects[i]->bytes, objects[i]->size};
    }
    struct kc_link_input input = {.objects = bytes, .count = p->count};
    struct kc_program *program = kc_link(&input, &settings.target);
    if (!program || program->status != KC_OK)
        refuse(program ? program->log : "no memory");
    kc_program_destroy(program);
}

static void build(const struct program *p)
{
    if (p->count > 1 || settings.objects) {
        link_all(p);
        return;
    }
    struct kc_program *program = kc_build(p->inputs, &settings.target);
    if (!program || program->status != KC_OK)
        refuse(program ? program->log : "no memory");
    kc_program_destroy(program);
}

static void child(const struct shape *shape, unsigned n)
{
    struct program p = make_program(shape, n);
    if (!make_modules(&p)) {
        refuse("no module");
        return;
    }
    struct rlimit seconds = {settings.patience, settings.patience};
    setrlimit(RLIMIT_CPU, &seconds);
    double before = peak_megabytes();
    report->cost.seconds = HUGE_VAL;
    for (int i = 0; i < REPEATS; i++) {
        int counter = open_counter();
        double start = cpu_now();
        build(&p);
        double seconds_used = cpu_now() - start;
        report->cost.seconds = fmin(seconds_used, report->cost.seconds);
        report->cost.work = read_counter(counter);
        if (counter >= 0)
            close(counter);
        if (i == 0)
            report->cost.megabytes = peak_megabytes() - before;
        if (seconds_used * 1e3 > REPEAT_BELOW_MS || report->refused)
            break;
    }
}

// ---- counting by valgrind ------------------------------------------------------------------------

static unsigned long long (*counted)[POINTS]; // by shape and size; NULL: not done

// The sizes: the smallest, then growing ones; 0: no more.
static unsigned size_of(const struct shape *shape, unsigned point)
{
    unsigned most = shape->most / settings.part;
    return !point ? SMALLEST : point >= POINTS ? 0 : most >> STEP_BITS * (POINTS - 1 - point);
}

// Runs all builds in this process under callgrind, which writes a file for each.
static void build_counted(size_t index)
{
#ifdef CALLGRIND_ZERO_STATS
    for (unsigned point = 0; point < POINTS; point++) {
        if (!size_of(&shapes[index], point))
            continue;
        struct program p = make_program(&shapes[index], size_of(&shapes[index], point));
        bool made = make_modules(&p);
        CALLGRIND_ZERO_STATS;
        if (made)
            build(&p);
        CALLGRIND_DUMP_STATS;
        printf("%zu %u\n", index, point);
    }
#endif
    (void)index;
}

static unsigned long long total_in(const char *path)
{
    char line[512];
    unsigned long long total = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "summary:", 8) || !strncmp(line, "totals:", 7))
            total = strtoull(strchr(line, ':') + 1, NULL, 10);
    if (file)
        fclose(file);
    return total;
}

static bool count_all(char **words, int count)
{
    char folder[] = "/tmp/bench_largeXXXXXX", command[8192], path[128];
    size_t index, end;
    unsigned point, file = 0;
    if (!mkdtemp(folder))
        return false;
    end = (size_t)snprintf(command, sizeof command, "valgrind -q --tool=callgrind --callgrind-out-file=%s/c", folder);
    for (int i = 0; i < count && end < sizeof command; i++)
        end += (size_t)snprintf(command + end, sizeof command - end, " '%s'%s", words[i], i ? "" : " --counted");
    FILE *tool = end < sizeof command ? popen(command, "r") : NULL;
    counted = list_of(shape_count, sizeof *counted);
    while (tool && fscanf(tool, "%zu %u", &index, &point) == 2) {
        snprintf(path, sizeof path, "%s/c.%u", folder, ++file);
        counted[index][point] = total_in(path);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    return tool && !pclose(tool) && !system(command) && file;
}

// ---- one measurement -----------------------------------------------------------------------------

// Runs in a separate process, so that the peak memory is that of this build and a build that takes
// too long can be killed.
static struct cost measure(const struct shape *shape, unsigned point)
{
    int status = 0;
    unsigned n = size_of(shape, point);
    memset(report, 0, sizeof *report);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child(shape, n);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        bool late = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
        report->refused = true;
        snprintf(report->why, sizeof report->why, late ? "takes more than %u s" : "dies of signal %u",
                 late ? settings.patience : (unsigned)WTERMSIG(status));
    }
    report->cost.why = report->refused ? strdup(report->why) : NULL;
    if (counted)
        report->cost.work = counted[shape - shapes][point];
    return report->cost;
}

// ---- curves --------------------------------------------------------------------------------------

static double slope(double first, double last, double base, unsigned n, unsigned m)
{
    double a = first - base, b = last - base;
    return a > 0 && b > 0 ? log(b / a) / log((double)m / n) : NAN;
}

static double work_of(struct cost cost) { return cost.work ? (double)cost.work : cost.seconds * 1e9; }

// Smaller differences are ignored.
enum { LEAST_WORK = 2000000, LEAST_MEGABYTES = 4 };

static double work_slope(const struct curve *curve, struct cost base)
{
    const struct point *b = &curve->points[curve->count - 1], *a = b - 1;
    if (curve->count < 2 || work_of(a->cost) - work_of(base) < LEAST_WORK)
        return NAN;
    return slope(work_of(a->cost), work_of(b->cost), work_of(base), a->n, b->n);
}

static double memory_slope(const struct curve *curve, struct cost base)
{
    const struct point *b = &curve->points[curve->count - 1], *a = b - 1;
    if (curve->count < 2 || a->cost.megabytes - base.megabytes < LEAST_MEGABYTES)
        return NAN;
    return slope(a->cost.megabytes, b->cost.megabytes, base.megabytes, a->n, b->n);
}

static void say(const struct curve *curve, double work, double memory)
{
    const struct point *last = &curve->points[curve->count - 1];
    printf("%-13s %-36s %8u %10.1f ms %9.1f Mi %8.1f MB %6.2f %6.2f%s\n", curve->shape->group, curve->shape->name, last->n,
           last->cost.seconds * 1e3, (double)last->cost.work * 1e-6, last->cost.megabytes, work, memory,
           work > STEEP || memory > STEEP ? " !" : "");
    fflush(stdout);
}

// Whether the slope is acceptable. A refused build ends the curve; this is no failure, as sizes may
// reach a limit of the compiler.
static bool run_shape(const struct shape *shape, struct curve *curve)
{
    struct cost base = measure(shape, 0);
    curve->shape = shape;
    for (unsigned point = 1; point < POINTS; point++) {
        unsigned n = size_of(shape, point);
        struct cost cost = n ? measure(shape, point) : base;
        if (cost.why && shape->how != FAILS) {
            printf("%-13s %-36s %8u refused: %s\n", shape->group, shape->name, n, cost.why);
            break;
        }
        if (n)
            curve->points[curve->count++] = (struct point){n, cost};
    }
    if (!curve->count)
        return false;
    double work = work_slope(curve, base), memory = memory_slope(curve, base);
    say(curve, work, memory);
    return !(settings.check && work > settings.check);
}

static bool is_chosen(const struct shape *shape)
{
    char name[128];
    snprintf(name, sizeof name, "%s: %s", shape->group, shape->name);
    if (settings.shape)
        return !strcmp(name, settings.shape);
    for (unsigned i = 0; i < settings.only_count; i++)
        if (strstr(name, settings.only[i]))
            return true;
    return !settings.only_count;
}

// ---- the picture ---------------------------------------------------------------------------------

static bool counts_work; // instructions, not time

static double drawn(struct cost cost, bool memory)
{
    return memory ? cost.megabytes : counts_work ? (double)cost.work * 1e-6 : cost.seconds * 1e3;
}

static void add_lines(struct plot_curve lines[2], const struct curve *curve)
{
    for (int memory = 0; memory < 2; memory++) {
        lines[memory] = (struct plot_curve){.panel = curve->shape->group, .label = curve->shape->name,
                                            .colour = memory ? "#4a8" : "#36c", .count = curve->count};
        for (unsigned k = 0; k < curve->count; k++)
            lines[memory].points[k] = (struct curve_point){curve->points[k].n, drawn(curve->points[k].cost, memory)};
    }
}

static bool draw(const struct curve *curves, size_t count)
{
    struct plot_curve *lines = list_of(count + 1, 2 * sizeof *lines);
    for (size_t i = 0; i < count; i++)
        counts_work |= curves[i].count && curves[i].points[0].cost.work;
    for (size_t i = 0; i < count; i++)
        add_lines(&lines[2 * i], &curves[i]);
    return plot_curves(settings.svg, "What a build costs by how much of one thing the program has",
                       counts_work ? "blue: million instructions of the processor; green: peak memory in MB; dashed: linear"
                                   : "blue: CPU time in ms; green: peak memory in MB; dashed: linear",
                       0.1, lines, 2 * count);
}

// ---- the command ---------------------------------------------------------------------------------

static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) || word[length] != '=' ? NULL : word + length + 1;
}

static void take_number(const char *value, void *to) { *(unsigned *)to = (unsigned)strtoul(value, NULL, 10); }
static void take_text(const char *value, void *to) { *(const char **)to = value; }
static void take_slope(const char *value, void *to) { *(double *)to = strtod(value, NULL); }

static void take_name(const char *value, void *to)
{
    (void)to;
    if (settings.only_count < NAMES)
        settings.only[settings.only_count++] = value;
}

static const struct {
    const char *name;
    void (*take)(const char *value, void *to); // NULL: a flag
    void *to;
} words[] = {
    {"--only", take_name, NULL},
    {"--list", NULL, &settings.list},
    {"--print", take_number, &settings.print},
    {"--part", take_number, &settings.part},
    {"--options", take_text, &settings.options},
    {"--build", take_number, &settings.build},
    {"--shape", take_text, &settings.shape},
    {"--valgrind", NULL, &settings.valgrind},
    {"--counted", NULL, &settings.counted},
    {"--objects", NULL, &settings.objects},
    {"--il", take_text, &settings.il},
    {"--patience", take_number, &settings.patience},
    {"--svg", take_text, &settings.svg},
    {"--check", take_slope, &settings.check},
};

static bool read_word(const char *word)
{
    const char *value = value_of(word, "--target");
    if (value)
        return preset_find(value, &settings.target);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!words[i].take && !strcmp(word, words[i].name))
            return *(bool *)words[i].to = true;
        value = words[i].take ? value_of(word, words[i].name) : NULL;
        if (value) {
            words[i].take(value, words[i].to);
            return true;
        }
    }
    return false;
}

static bool show(const struct shape *shape)
{
    if (settings.list)
        printf("%s: %s, %u\n", shape->group, shape->name, shape->most);
    for (struct program p = settings.print ? make_program(shape, settings.print) : (struct program){0}; p.count--;)
        fwrite(p.inputs[p.count].source, 1, p.inputs[p.count].length, stdout);
    if (settings.counted)
        build_counted((size_t)(shape - shapes));
    if (settings.build) {
        struct program p = make_program(shape, settings.build);
        build(&p);
    }
    return settings.list || settings.print || settings.build || settings.counted;
}

int main(int argc, char **argv)
{
    preset_find("full", &settings.target);
    for (int i = 1; i < argc; i++)
        if (!read_word(argv[i])) {
            fprintf(stderr, "bench_large: what is '%s'?\n", argv[i]);
            return 2;
        }
    if (settings.valgrind && !settings.counted && !count_all(argv, argc)) {
        fprintf(stderr, "bench_large: no valgrind, or it was not known when this was built\n");
        return 77;
    }
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct curve *curves = list_of(shape_count, sizeof *curves);
    size_t count = 0, steep = 0;
    for (size_t i = 0; i < shape_count; i++)
        if (is_chosen(&shapes[i]) && !show(&shapes[i]))
            steep += !run_shape(&shapes[i], &curves[count++]);
    if (settings.svg && !draw(curves, count))
        return 2;
    if (settings.check)
        printf("%zu curves, %zu steeper than %.2f\n", count, steep, settings.check);
    return steep > 0;
}
