// SPDX-License-Identifier: Apache-2.0
// malformed FOLDER: invalid kernels must be refused with a message that has a position, without a
// crash or hang.
//
// Written cases: FOLDER/*.cl have many, each after a line "//// name"; the first error must be on a
// line marked "// error", in the given column, which is clang 19's if that reports an error on the
// same line. Cases after "//// todo: name" are known to be accepted or misplaced, and are reported
// when they no longer are. Mutations: each kernel of good.cl must compile; then a bracket is
// deleted, a token inserted, or the end cut off, at every position where that makes it invalid.
#include "pumice/kc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { SECONDS_PER_BUILD = 10, STRAY_STEP = 3, CUT_STEP = 7 };

static int passed, failed, todo;
static char running[200]; // the current case, in case of a crash

static struct kc_target target = {
    .spirv_version = 0x00010500, .local_size_id = true,
    .int8 = true,
    .int16 = true,
    .int64 = true,
    .float64 = true,
    .images = true,
    .storage8 = true,
    .storage16 = true,
    .physical_addressing = true,
    .vulkan_memory_model = true,
    .vulkan_memory_model_device_scope = true,
    .max_push_bytes = 128,
    .max_local_size = {1024, 1024, 64},
    .max_local_invocations = 1024,
    .max_local_memory = 32768,
    .max_function_array = 1024,
    .subgroup_size = 8,
};

static void fail(const char *why, const char *source, const char *log)
{
    failed++;
    printf("FAIL %s: %s\n%s\n--- log\n%s\n", running, why, source, log);
}

// The line of the first error; 0: compiled; -1: failed without a position.
static int first_error(const char *source, size_t length, int *column, char *log, size_t log_size)
{
    struct kc_input input = {.source = source, .length = length, .file_name = "kernel.cl"};
    const struct itimerval limit = {{0, 0}, {SECONDS_PER_BUILD, 0}}, none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &limit, NULL); // of CPU time: SIGPROF ends the test
    struct kc_program *program = kc_build(&input, &target);
    setitimer(ITIMER_PROF, &none, NULL);
    snprintf(log, log_size, "%s", program && program->log ? program->log : "");
    bool good = program && program->status == KC_OK;
    kc_program_destroy(program);
    if (good)
        return 0;
    for (const char *p = log; p; p = strchr(p, '\n')) {
        int line, used = 0;
        p += *p == '\n';
        if (sscanf(p, "kernel.cl:%d:%d: %n", &line, column, &used) == 2 && used &&
            (!strncmp(p + used, "error: ", 7) || !strncmp(p + used, "fatal error: ", 13)))
            return line;
    }
    return -1;
}

// The line after the last one, the end of the text, counts as marked if the last one is.
static bool is_marked(const char *source, int line, int column)
{
    const char *last = source;
    while (line-- > 1) {
        last = source;
        source = strchr(source, '\n');
        if (!source)
            return false;
        source++;
    }
    if (!*source)
        source = last;
    const char *mark = strstr(source, "// error"), *end = strchr(source, '\n');
    int wanted = 0;
    if (!mark || (end && mark > end))
        return false;
    return sscanf(mark, "// error %d", &wanted) != 1 || wanted == column;
}

static void test_case(const char *source)
{
    char log[4000];
    int column = 0, line = first_error(source, strlen(source), &column, log, sizeof log);
    bool right = line > 0 && is_marked(source, line, column);
    if (strstr(running, ": todo: ")) {
        todo++;
        if (right)
            printf("TODO PASSES %s\n", running);
    } else if (right) {
        passed++;
    } else {
        fail(line == 0  ? "compiles"
             : line < 0 ? "fails without a place"
                        : "first error at another place",
             source, log);
    }
}

static void expect_error(const char *source, size_t length)
{
    char log[4000];
    int column, line = first_error(source, length, &column, log, sizeof log);
    if (line > 0)
        passed++;
    else
        fail(line ? "fails without a place" : "compiles", source, log);
}

// ---- mutations ------------------------------------------------------------------------

static char *edited(const char *source, size_t at, size_t remove, const char *insert)
{
    size_t length = strlen(source), added = strlen(insert);
    char *copy = malloc(length + added + 1);
    memcpy(copy, source, at);
    memcpy(copy + at, insert, added);
    memcpy(copy + at + added, source + at + remove, length - at - remove + 1);
    return copy;
}

static void mutate_one(const char *name, const char *what, const char *source, size_t at,
                       size_t remove, const char *insert)
{
    char *copy = edited(source, at, remove, insert);
    snprintf(running, sizeof running, "%.60s: %s at %zu", name, what, at);
    expect_error(copy, strlen(copy));
    free(copy);
}

static bool in_directive(const char *source, size_t at)
{
    while (at > 0 && source[at - 1] != '\n')
        at--;
    return source[at] == '#';
}

static void mutate(const char *name, const char *source)
{
    static const char *const strays[] = {" @ ", " ) ", " } ", " ] ", " else ", " 0x ", " \" "};
    char log[4000];
    unsigned count = 0, depth = 0;
    snprintf(running, sizeof running, "%.60s: unchanged", name);
    int column;
    if (first_error(source, strlen(source), &column, log, sizeof log))
        fail("does not compile", source, log);
    for (size_t i = 0; source[i]; i++) {
        if (in_directive(source, i))
            continue;
        depth += source[i] == '{';
        depth -= source[i] == '}';
        if (strchr("(){}[]", source[i]))
            mutate_one(name, "lost bracket", source, i, 1, "");
        else if (source[i] == ' ' && count++ % STRAY_STEP == 0)
            mutate_one(name, "stray token", source, i, 0,
                       strays[count / STRAY_STEP % (sizeof strays / sizeof *strays)]);
        else if (depth && i % CUT_STEP == 0)
            mutate_one(name, "early end", source, i, strlen(source + i), "");
    }
}

// ---- files ----------------------------------------------------------------------------

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

static void test_file(const char *folder, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_file(path), *at = text ? strstr(text, "//// ") : NULL;
    while (at) {
        char *title = at + 5, *source = strchr(title, '\n'), *next;
        *source++ = 0;
        next = strstr(source, "\n//// ");
        if (next)
            *++next = 0, at = next;
        char *copy = strdup(source);
        snprintf(running, sizeof running, "%s: %s", name, title);
        if (!strcmp(name, "good.cl"))
            mutate(title, copy);
        else
            test_case(copy);
        free(copy);
        if (!next)
            break;
        *next = '/';
    }
    free(text);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    DIR *dir = opendir(folder);
    if (!dir) {
        perror(folder);
        return 2;
    }
    kc_extensions_add(&target.extensions, KC_EXT_FP64);
    kc_extensions_add(&target.extensions, KC_EXT_BYTE_ADDRESSABLE_STORE);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length > 3 && !strcmp(entry->d_name + length - 3, ".cl"))
            test_file(folder, entry->d_name);
    }
    closedir(dir);
    printf("%d todo\n%d passed, %d failed\n", todo, passed, failed);
    return failed || passed < 200;
}
