// SPDX-License-Identifier: Apache-2.0
// Compiles programs for the first Vulkan device and has its driver create a pipeline for each
// kernel. Nothing is executed, so drivers without their hardware suffice (on.sh):
//   drivers_pipelines [--expected=FILE] [--write=FILE] [--table=FILE] [--seconds=N] [--megabytes=N] FILE.cl...
// `// instructions: A 1.2 B` in a file: the driver's code of kernel A has at most 1.2 times the
// instructions of B. `// local: X Y` is the work-group size, default 64. `// options:` in a file are build options; a file with `// build: error` is
// skipped, one with `// needs:` may fail to build. @LIST is a list of files with options, in the
// format of the manifests of tests/corpus.
//
// Child processes do the work: if one crashes or exceeds its CPU time or memory, only the current
// kernel fails. --table writes a line for each kernel: the outcome, CPU time, the driver's
// statistics. Outcomes other than compiled without spills are compared with --expected, which
// --write writes. Exit status: 0 as expected, 1 not, 77 no device, or differences with another
// version of the driver than FILE's.
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/internal.h"
#include "command/kernel.h"
#include "device.h"
#include "pumice/kc.h"

enum {
    NAME = 256,
    LINE = 8192,
    LOCAL_BYTES = 4096,
    BATCH = 100, // programs of a child: the shims' memory is small, and what drivers keep fills it
};

struct program {
    char path[1024], options[LINE];
    const char *label; // its folder and name
    bool may_fail;     // the build may fail
    uint32_t local[3]; // the work-group size
};

struct outcome {
    char program[NAME], kernel[NAME], verdict[NAME];
};

static struct {
    unsigned seconds, megabytes;
    const char *expected, *write, *table;
} options = {.seconds = 60, .megabytes = 8192};

enum { RULES = 64 };
static struct rule { // of program `program`: instructions of the first kernel are at most `factor` times those of the second
    unsigned program;
    double factor;
    char names[2][NAME];
    double counts[2]; // 0: unknown
} rules[RULES];
static unsigned rule_count;

static struct program *programs;
static unsigned program_count;
static struct outcome *outcomes; // all but those compiled without spills
static unsigned outcome_count;
static unsigned kernel_count;
static double cpu_ms;
static char driver_version[NAME];

static void *grow(void *list, unsigned count, size_t size)
{
    if (count & (count - 1))
        return list;
    void *more = realloc(list, (count ? 2 * (size_t)count : 1) * size);
    if (!more)
        abort();
    return more;
}

// ---- programs -----------------------------------------------------------------------------------

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && (text = calloc((size_t)size + 1, 1))) {
        rewind(f);
        if (fread(text, 1, (size_t)size, f) != (size_t)size)
            text[0] = 0;
    }
    if (f)
        fclose(f);
    return text;
}

static const char *label_of(const char *path)
{
    int slashes = 0;
    const char *at = path + strlen(path);
    while (at > path && (slashes += at[-1] == '/') < 2)
        at--;
    return at;
}

// Reads the comments at the start of a test. False: the file is skipped.
static bool read_comments(struct program *p)
{
    char *text = read_file(p->path), *rest, *line;
    bool wanted = text != NULL;
    for (line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        size_t length = strlen(p->options);
        if (!strncmp(line, "// options: ", 12))
            snprintf(p->options + length, sizeof p->options - length, " %s", line + 12);
        p->may_fail |= !strncmp(line, "// needs: ", 10);
        sscanf(line, "// local: %" SCNu32 " %" SCNu32 " %" SCNu32, &p->local[0], &p->local[1], &p->local[2]);
        struct rule *rule = &rules[rule_count];
        if (rule_count < RULES && sscanf(line, "// instructions: %255s %lf %255s", rule->names[0], &rule->factor, rule->names[1]) == 3)
            rules[rule_count++].program = program_count;
        wanted &= strncmp(line, "// build: error", 15) != 0;
    }
    free(text);
    return wanted;
}

static void add_program(const char *path, const char *with)
{
    programs = grow(programs, program_count, sizeof *programs);
    struct program *p = &programs[program_count];
    *p = (struct program){.local = {64, 1, 1}};
    snprintf(p->path, sizeof p->path, "%s", path);
    snprintf(p->options, sizeof p->options, "%s", with);
    program_count += read_comments(p);
}

// Lines FILE OPTION...; `options:` is inserted before those of the following files. Paths are
// relative to the list.
static void add_list(const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) : 0;
    char *text = read_file(path), *rest, common[1024] = "", file[2048], with[LINE];
    if (!text)
        fprintf(stderr, "there is no %s\n", path);
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        size_t length = strcspn(line, " ");
        if (!strncmp(line, "options:", 8))
            snprintf(common, sizeof common, "%s", line + 8);
        if (*line == '#' || !length || line[length - 1] == ':')
            continue;
        snprintf(file, sizeof file, "%.*s/%.*s", slash ? folder : 1, slash ? path : ".", (int)length, line);
        snprintf(with, sizeof with, "-I%.*s %s %s", slash ? folder : 1, slash ? path : ".", common, line + length);
        add_program(file, with);
    }
    free(text);
}

// ---- a child: from source to pipelines ----------------------------------------------------------

static struct compiler_device device;

static uint32_t format_of(const struct kc_binding *binding)
{
    static const uint32_t formats[] = {[KC_TEXEL_FLOAT] = 1, [KC_TEXEL_INT] = 21, [KC_TEXEL_UINT] = 30}; // Rgba32f, i, ui
    return binding->depth ? 3 : formats[binding->texel];                                                 // R32f
}

// A launch with some local memory for each argument.
static void choose_values(const struct program *p, const struct kc_kernel *info, uint32_t *values)
{
    uint32_t shared = info->local_static_shared;
    for (uint32_t i = 0; i < info->arg_count; i++)
        shared += info->args[i].kind == KC_ARG_LOCAL ? LOCAL_BYTES : 0;
    for (uint32_t i = 0; i < info->spec_count; i++) {
        const struct kc_spec *spec = &info->specs[i];
        values[i] = spec->kind == KC_SPEC_LOCAL_SIZE     ? p->local[spec->dim]
                    : spec->kind == KC_SPEC_LOCAL_ARG    ? cmd_local_elements(LOCAL_BYTES, spec->unit)
                    : spec->kind == KC_SPEC_LOCAL_TOTAL  ? cmd_local_elements(shared, spec->unit)
                    : spec->kind == KC_SPEC_LOCAL_ITEMS  ? p->local[0] * p->local[1] * p->local[2] * spec->unit
                    : spec->kind == KC_SPEC_IMAGE_FORMAT ? format_of(&info->bindings[spec->arg])
                                                         : 0;
    }
}

static double cpu_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// Writes a line to the parent: "begin PROGRAM KERNEL-INDEX KERNEL", then "end VERDICT MS
// STATISTICS".
static void tell(int fd, const char *line)
{
    size_t length = strlen(line);
    if (write(fd, line, length) != (ssize_t)length)
        _exit(2);
}

static void tell_begin(int fd, unsigned program, unsigned index, const char *kernel)
{
    char line[NAME + 64];
    snprintf(line, sizeof line, "begin\t%u\t%u\t%.*s\n", program, index, NAME - 1, kernel);
    tell(fd, line);
}

static void tell_end(int fd, const char *verdict, double ms, VkPipeline pipeline)
{
    struct statistic list[STATISTICS];
    char line[LINE];
    uint32_t count = pipeline ? compiler_device_statistics(&device, pipeline, list) : 0;
    int length = snprintf(line, sizeof line, "end\t%s\t%.1f", verdict, ms);
    for (uint32_t i = 0; i < count && length < LINE - NAME - 64; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, "\t%.*s=%.12g", NAME - 1, list[i].name, list[i].value);
    snprintf(line + length, sizeof line - (size_t)length, "\n");
    tell(fd, line);
}

static void make_pipeline(int fd, const struct program *p, const struct kc_kernel *info)
{
    uint32_t values[VK_SPEC_MAX];
    struct cmd_kernel *kernel;
    VkPipeline pipeline = VK_NULL_HANDLE;
    bool first = false;
    double begin = cpu_now_ms();
    VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
    if (info->spec_count <= VK_SPEC_MAX && cmd_kernel_create(&device.device, info, false, &kernel) == CL_SUCCESS) {
        choose_values(p, info, values);
        result = cmd_kernel_pipeline(kernel, values, &pipeline, &first);
        tell_end(fd, result == VK_SUCCESS ? "ok" : vk_result_name(result), cpu_now_ms() - begin, pipeline);
        cmd_kernel_destroy(kernel);
        return;
    }
    tell_end(fd, vk_result_name(result), 0, VK_NULL_HANDLE);
}

static void make_pipelines(int fd, unsigned number, unsigned from)
{
    const struct program *p = &programs[number];
    char *source = read_file(p->path);
    struct kc_input input = {.source = source, .length = source ? strlen(source) : 0, .file_name = p->path, .options = p->options};
    tell_begin(fd, number, 0, "-");
    double begin = cpu_now_ms();
    struct kc_program *built = kc_build(&input, &device.caps.target);
    bool ok = built && built->status == KC_OK;
    tell_end(fd, ok || p->may_fail ? "built" : "not built", cpu_now_ms() - begin, VK_NULL_HANDLE);
    if (!ok && !p->may_fail)
        fprintf(stderr, "%s: %s\n", p->label, built ? built->log : "no memory");
    for (uint32_t i = from; ok && i < built->kernel_count; i++) {
        struct rlimit limit = {(rlim_t)(cpu_now_ms() / 1e3) + options.seconds + 1, RLIM_INFINITY};
        setrlimit(RLIMIT_CPU, &limit);
        tell_begin(fd, number, i + 1, built->kernels[i].name);
        make_pipeline(fd, p, &built->kernels[i]);
    }
    kc_program_destroy(built);
    free(source);
}

static void limit_memory(void)
{
    struct rlimit limit = {(rlim_t)options.megabytes << 20, (rlim_t)options.megabytes << 20};
    if (options.megabytes)
        setrlimit(RLIMIT_AS, &limit);
}

static void child(int fd, unsigned number, unsigned from)
{
    char line[NAME + 16];
    const char *missing = compiler_device_open(&device);
    if (missing) {
        fprintf(stderr, "%s\n", missing);
        _exit(77);
    }
    const struct vk_facts *facts = &device.physical.facts;
    snprintf(line, sizeof line, "device\t%.*s\n", NAME - 1, facts->props12.driverInfo);
    tell(fd, line);
    limit_memory();
    for (unsigned end = number + BATCH; number < end && number < program_count; number++, from = 0)
        make_pipelines(fd, number, from);
    _exit(0);
}

// ---- the parent ---------------------------------------------------------------------------------

static FILE *table;

static void add_outcome(const char *program, const char *kernel, const char *verdict)
{
    outcomes = grow(outcomes, outcome_count, sizeof *outcomes);
    struct outcome *o = &outcomes[outcome_count++];
    snprintf(o->program, sizeof o->program, "%s", program);
    snprintf(o->kernel, sizeof o->kernel, "%s", kernel);
    snprintf(o->verdict, sizeof o->verdict, "%s", verdict);
}

// The drivers' counts of spills and fills: RADV counts registers, Intel's and Nouveau's compilers
// instructions. Intel's counts stores to private arrays in memory, too: spills with fewer than 128
// live registers are only those.
static long spills_in(const char *statistics)
{
    long spills = 0;
    for (const char *at = statistics; (at = strchr(at, '\t')); ) {
        const char *value = strchr(++at, '=');
        if (value && (!strncasecmp(at, "spill", 5) || !strncasecmp(at, "num spill", 9)))
            spills += atol(value + 1);
    }
    return spills;
}

static void note_instructions(unsigned program, const char *kernel, const char *statistics)
{
    const char *at = strcasestr(statistics, "\tinstruction"), *value = at ? strchr(at, '=') : NULL;
    for (unsigned i = 0; value && i < rule_count; i++)
        for (int k = 0; k < 2; k++)
            if (rules[i].program == program && !strcmp(rules[i].names[k], kernel))
                rules[i].counts[k] = atof(value + 1);
}

static void judge_rules(void)
{
    char verdict[NAME];
    for (unsigned i = 0; i < rule_count; i++) {
        const struct rule *r = &rules[i];
        if (r->counts[0] <= r->factor * r->counts[1])
            continue;
        snprintf(verdict, sizeof verdict, "longer than %.200s", r->names[1]);
        add_outcome(programs[r->program].label, r->names[0], verdict);
    }
}

struct reading {
    unsigned program, index; // the kernel begun last
    char kernel[NAME];
    bool open; // it is still running
};

static void end_kernel(struct reading *r, char *text)
{
    char verdict[NAME];
    const char *label = programs[r->program].label;
    double ms = 0;
    int length = (int)strcspn(text, "\t");
    snprintf(verdict, sizeof verdict, "%.*s", length, text);
    r->open = false;
    sscanf(text + length, "\t%lf", &ms);
    if (!strcmp(verdict, "built"))
        return;
    bool ok = !strcmp(verdict, "ok");
    long spills = spills_in(text);
    kernel_count++;
    cpu_ms += ms;
    note_instructions(r->program, r->kernel, text);
    if (table)
        fprintf(table, "%s\t%s\t%s\n", label, r->kernel, text);
    if (ok && spills)
        snprintf(verdict, sizeof verdict, "spills %ld", spills);
    if (!ok || spills)
        add_outcome(label, r->kernel, verdict);
}

static void read_line(struct reading *r, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "device\t", 7))
        snprintf(driver_version, sizeof driver_version, "%.*s", NAME - 1, line + 7);
    else if (!strncmp(line, "end\t", 4))
        end_kernel(r, line + 4);
    else if (sscanf(line, "begin\t%u\t%u\t%255[^\n]", &r->program, &r->index, r->kernel) == 3)
        r->open = true;
}

static const char *death(int status)
{
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return signal == SIGXCPU || signal == SIGALRM ? "time-out" : signal == SIGKILL ? "killed" : "crash";
}

// Runs a child, starting with that kernel of that program. False: there is no device.
static bool run_child(unsigned *program, unsigned *from)
{
    struct reading r = {.program = *program};
    static char line[LINE];
    int pipes[2], status;
    if (pipe(pipes))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        close(pipes[0]);
        child(pipes[1], *program, *from);
    }
    close(pipes[1]);
    FILE *f = fdopen(pipes[0], "r");
    while (f && fgets(line, sizeof line, f))
        read_line(&r, line);
    if (f)
        fclose(f);
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 77))
        return false;
    if (r.open) {
        char text[NAME];
        snprintf(text, sizeof text, "%s\t0", death(status));
        end_kernel(&r, text);
        *program = r.program + !r.index; // the next program if Pumice's compiler crashed
        *from = r.index;
    } else {
        *program += BATCH;
        *from = 0;
    }
    return *driver_version != 0;
}

// ---- expectations -------------------------------------------------------------------------------

static bool write_expected(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "# What the driver does not plainly compile. Written by drivers_pipelines --write.\nversion %s\n", driver_version);
    for (unsigned i = 0; i < outcome_count; i++)
        fprintf(f, "%s %s %s\n", outcomes[i].program, outcomes[i].kernel, outcomes[i].verdict);
    return !fclose(f);
}

static const struct outcome *find_outcome(const struct outcome *wanted)
{
    for (unsigned i = 0; i < outcome_count; i++)
        if (!strcmp(outcomes[i].program, wanted->program) && !strcmp(outcomes[i].kernel, wanted->kernel))
            return &outcomes[i];
    return NULL;
}

static bool has_program(const char *label)
{
    for (unsigned i = 0; i < program_count; i++)
        if (!strcmp(programs[i].label, label))
            return true;
    return false;
}

enum { SPILLS_FREE = 8 }; // plus a quarter: variation by unrelated changes

// The number of spills; 0 for a kernel compiled without spills; -1 for one that is not compiled.
static long verdict_spills(const char *verdict)
{
    return !verdict ? 0 : strncmp(verdict, "spills ", 7) ? -1 : atol(verdict + 7);
}

// Better results are as expected. On a faster machine a kernel may compile that is expected to time
// out.
static bool is_as_expected(const char *found, const char *wanted)
{
    long spills = verdict_spills(found), most = verdict_spills(wanted);
    if (wanted && !strcmp(wanted, "time-out"))
        return spills >= 0 || !strcmp(found, wanted);
    if (spills < 0 || most < 0)
        return found && wanted && !strcmp(found, wanted);
    return spills <= most + most / 4 + SPILLS_FREE;
}

static unsigned compare_one(const char *program, const char *kernel, const char *found, const char *wanted)
{
    static const char *const plain = "plainly compiled";
    if (is_as_expected(found, wanted))
        return 0;
    printf("%s %s: %s, expected: %s\n", program, kernel, found ? found : plain, wanted ? wanted : plain);
    return 1;
}

// Prints each difference; returns their number.
static unsigned compare(const char *path, bool *same_version)
{
    char *text = read_file(path), *rest;
    struct outcome row;
    unsigned differences = 0;
    bool *seen = calloc(outcome_count + 1, sizeof *seen);
    if (!text || !seen) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!strncmp(line, "version ", 8)) // the upstream version: distributions append their own
            *same_version = !strncmp(line + 8, driver_version, strcspn(line + 8, "-"));
        else if (*line != '#' && sscanf(line, "%255s %255s %255[^\n]", row.program, row.kernel, row.verdict) == 3 &&
                 has_program(row.program)) {
            const struct outcome *found = find_outcome(&row);
            if (found)
                seen[found - outcomes] = true;
            differences += compare_one(row.program, row.kernel, found ? found->verdict : NULL, row.verdict);
        }
    }
    for (unsigned i = 0; i < outcome_count; i++)
        if (!seen[i])
            differences += compare_one(outcomes[i].program, outcomes[i].kernel, outcomes[i].verdict, NULL);
    free(seen);
    free(text);
    return differences;
}

// ---- the command --------------------------------------------------------------------------------

static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(word, name, length) && word[length] == '=' ? word + length + 1 : NULL;
}

static void read_arguments(int count, char **words)
{
    const char *value;
    for (int i = 1; i < count; i++) {
        if ((value = value_of(words[i], "--expected")))
            options.expected = value;
        else if ((value = value_of(words[i], "--write")))
            options.write = value;
        else if ((value = value_of(words[i], "--table")))
            options.table = value;
        else if ((value = value_of(words[i], "--seconds")))
            options.seconds = (unsigned)atoi(value);
        else if ((value = value_of(words[i], "--megabytes")))
            options.megabytes = (unsigned)atoi(value);
        else if (*words[i] == '@')
            add_list(words[i] + 1);
        else
            add_program(words[i], "");
    }
    for (unsigned i = 0; i < program_count; i++) // the list is complete, so pointers into it are
                                                 // valid
        programs[i].label = label_of(programs[i].path);
}

int main(int count, char **words)
{
    bool same_version = true;
    unsigned differences = 0;
    read_arguments(count, words);
    table = options.table ? fopen(options.table, "w") : NULL;
    for (unsigned program = 0, from = 0; program < program_count;)
        if (!run_child(&program, &from))
            return 77;
    judge_rules();
    if (table && fclose(table))
        return 1;
    if (options.write && !write_expected(options.write))
        return 1;
    if (options.expected)
        differences = compare(options.expected, &same_version);
    printf("%s: %u kernels of %u programs, %u not plainly compiled, %.1f s CPU time\n", driver_version, kernel_count, program_count,
           outcome_count, cpu_ms * 1e-3);
    if (differences && !same_version)
        printf("expected is what another version of the driver does\n");
    return !differences ? 0 : same_version ? 1 : 77;
}
