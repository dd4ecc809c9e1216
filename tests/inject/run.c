// SPDX-License-Identifier: Apache-2.0
// Runs programs with the n-th Vulkan call failing, for n = 1, 1 + stride ... up to the last call,
// for each kind of failure.
//
//   inject_run [--runs=N] [--kind=host|memory|lost|init] [--first=N] [--seconds=S]
//       [--only=FUNCTION,...] [--for-good] [--slow=MS] PROGRAM...
//   inject_run --memory=MIB PROGRAM...   once each, on devices with that little memory
//   inject_run --heap=MIB PROGRAM...     that report heaps of that size, without a limit
//   inject_run --budget=MIB [--used=MIB] PROGRAM...   that report that budget, of which that much is
//       used at the start (a negative number wraps around), without a limit
//   inject_run --entry=KIB PROGRAM...    with a pipeline cache whose entries have that size
//   inject_run [--gpu] [--vulkan=1.1|1.2] [--without=FEATURE,...] [--limit=NAME=VALUE]... PROGRAM...
//       that report a GPU, that version, without these features and with these limits; errors of
//       the validation layer are failures. With --runs or --only calls fail as well
//   inject_run --fds ...   the same, on devices with semaphores by fds (fds.c)
//
// --runs: the maximum for each program and kind, spread evenly, with different calls for each kind
// and program (default: every call). --only: only calls of these functions. --for-good: later ones
// fail as well. --slow: the failing call takes that long, so that others overlap it.
// A program must end by itself and in time: with status 0 or 77, or with 1 if one of its calls
// returned an error that OpenCL defines. Failures are: a signal, a sanitizer's report (99), an
// undefined error code (98), a wrong result without an error (97), a timeout.
#include "inject.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

enum { SHOWN = 12, SLICE_US = 1000 };

static const struct kind {
    const char *name;
    VkResult result;
} kinds[] = {
    {"host", VK_ERROR_OUT_OF_HOST_MEMORY},
    {"memory", VK_ERROR_OUT_OF_DEVICE_MEMORY},
    {"lost", VK_ERROR_DEVICE_LOST},
    {"init", VK_ERROR_INITIALIZATION_FAILED},
};

static const struct verdict {
    int status;
    const char *what;
} bad_exits[] = {
    {97, "a wrong result without an error"},
    {98, "an error that does not exist"},
    {99, "a sanitizer complains"},
};

static char scratch[] = "/tmp/inject.XXXXXX";
static char file_path[64], log_path[64], cache_path[64];
static struct inject *shared;
static double seconds = 1200; // until a run counts as hung: a busy machine takes ten times as long
                              // as an idle one
static uint64_t memory, heap, budget, used;
static bool as_gpu, for_good;
static const char *without;
static uint32_t version;
static const char *only = "";
static uint32_t slow_us, entry_size, limit_count;
static struct inject limited; // limits for the devices

// ---- one run ------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_option(const char *name, const char *option)
{
    char text[1024];
    const char *old = getenv(name);
    snprintf(text, sizeof text, "%s%s%s", old ? old : "", old && *old ? ":" : "", option);
    setenv(name, text, 1);
}

static void set_environment(void)
{
    setenv("INJECT_FILE", file_path, 1);
    setenv("PUMICE_CACHE_DIR", cache_path, 1);
    unsetenv("VK_LAYER_PATH");
    setenv("VK_ADD_LAYER_PATH", INJECT_LAYERS, 1); // in addition to the validation layer's
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_PUMICE_inject", 1);
    setenv("NODEVICE_SELECT", "1", 1); // Mesa's device selection layer crashes on injected failures
    add_option("ASAN_OPTIONS", "exitcode=99");
    add_option("LSAN_OPTIONS", "exitcode=99");
    add_option("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99");
    add_option("TSAN_OPTIONS", "exitcode=99");
}

static void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char name[512];
    while (folder && (entry = readdir(folder))) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (*entry->d_name != '.')
            unlink(name);
    }
    if (folder)
        closedir(folder);
}

// The status from waitpid(); -1: the process had to be killed.
static int run(const char *program, uint32_t fail_at, VkResult result)
{
    int status;
    empty_folder(cache_path);
    memset(shared, 0, sizeof *shared);
    shared->fail_at = fail_at;
    shared->result = result;
    shared->memory = memory;
    shared->heap = heap;
    shared->budget = budget;
    shared->used = used;
    shared->as_gpu = as_gpu;
    shared->for_good = for_good;
    shared->entry = entry_size;
    strncpy(shared->without, without ? without : "", sizeof shared->without - 1);
    memcpy(shared->limits, limited.limits, sizeof shared->limits);
    shared->version = version;
    shared->slow_us = slow_us;
    strncpy(shared->only, only, sizeof shared->only - 1);
    pid_t child = fork();
    if (!child) {
        int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        setpgid(0, 0);
        dup2(log, 1);
        dup2(log, 2);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    setpgid(child, child);
    for (double end = now() + seconds; waitpid(child, &status, WNOHANG) != child;) {
        if (now() > end) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        usleep(SLICE_US);
    }
    return status;
}

static const char *complaint(int status)
{
    static char text[64];
    if (status < 0)
        return "does not end";
    if (WIFSIGNALED(status)) {
        snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
        return text;
    }
    for (size_t i = 0; i < sizeof bad_exits / sizeof *bad_exits; i++)
        if (WEXITSTATUS(status) == bad_exits[i].status)
            return bad_exits[i].what;
    if (WEXITSTATUS(status) > 1 && WEXITSTATUS(status) != 77) {
        snprintf(text, sizeof text, "status %d", WEXITSTATUS(status));
        return text;
    }
    return NULL;
}

// PUMICE_VALIDATE=1: the validation layer reported an error, or is missing.
static bool log_complains(void)
{
    char line[256];
    FILE *file = fopen(log_path, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        found = strstr(line, "validation: ") || strstr(line, "PUMICE_VALIDATE: ");
    if (file)
        fclose(file);
    return found;
}

static void show_log(void)
{
    char line[256];
    FILE *file = fopen(log_path, "r");
    for (int i = 0; file && i < SHOWN && fgets(line, sizeof line, file); i++)
        printf("    %s", line);
    if (file)
        fclose(file);
}

// ---- all runs -----------------------------------------------------------------------------------

// Programs start in the same way, so that each tests other calls: an offset from its name, in
// 256ths of a stride.
static uint32_t part_of(const char *program)
{
    uint32_t hash = 2166136261; // FNV-1a
    const char *name = strrchr(program, '/');
    for (const char *c = name ? name : program; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619;
    return (hash >> 16) % 256;
}

static int run_kind(const char *program, const struct kind *kind, uint32_t calls, uint32_t first,
                    uint32_t runs)
{
    int bad = 0;
    uint32_t stride = runs && calls > runs ? (calls + runs - 1) / runs : 1;
    uint64_t place = 256 * (uint64_t)(kind - kinds) + part_of(program);
    uint32_t offset = (uint32_t)(stride * place / (256 * sizeof kinds / sizeof *kinds));
    for (uint32_t n = first + offset; n <= calls; n += stride) {
        const char *why = complaint(run(program, n, kind->result));
        if (!why)
            continue;
        printf("%s, call %u (%s, %s): %s\n", program, n, shared->failed, kind->name, why);
        show_log();
        fflush(stdout);
        bad++;
    }
    return bad;
}

static int run_program(const char *program, const char *kind, uint32_t first, uint32_t runs)
{
    int bad = 0, status = run(program, 0, VK_SUCCESS);
    uint32_t calls = shared->calls;
    double begin = now();
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 77)
        return 0;
    bool only_once = (memory || heap || budget || without || version || limit_count || entry_size) &&
                     !*only && !runs;
    if (!status && (without || version) && log_complains()) {
        printf("%s: the validation layer complains\n", program);
        show_log();
        return 1;
    }
    if (!status && only_once)
        return 0;
    if (status || !calls) {
        printf("%s: fails without failures: status %x, %u calls\n", program, status, calls);
        show_log();
        return 1;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!kind || !strcmp(kind, kinds[i].name))
            bad += run_kind(program, &kinds[i], calls, first, runs);
    printf("%s: %u calls, %d bad, %.1f s\n", program, calls, bad, now() - begin);
    fflush(stdout);
    return bad;
}

// Checks that the layer wraps every function that Pumice calls and that may fail.
static int missing_calls(void)
{
    static const char *const ours[] = {
#define PROC(name) #name,
#define PROC_OPTIONAL(name) #name,
#include "vulkan/procs.def"
    };
    static const char *const wrapped[] = {
#define CALL(name, lost, parameters, arguments) #name,
#include "calls.def"
    };
    static const char *const may_fail[] = {"Create", "Allocate", "Bind", "Map",
                                           "Queue",  "Wait",     "Begin", "End"};
    int missing = 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        bool may = false, has = false;
        for (size_t j = 0; j < sizeof may_fail / sizeof *may_fail; j++)
            may |= !strncmp(ours[i], may_fail[j], strlen(may_fail[j]));
        for (size_t j = 0; j < sizeof wrapped / sizeof *wrapped; j++)
            has |= !strcmp(ours[i], wrapped[j]);
        if (may && !has)
            printf("calls.def has no row for vk%s\n", ours[i]);
        missing += may && !has;
    }
    return missing;
}

static bool make_files(void)
{
    if (!mkdtemp(scratch))
        return false;
    snprintf(file_path, sizeof file_path, "%s/counts", scratch);
    snprintf(log_path, sizeof log_path, "%s/log", scratch);
    snprintf(cache_path, sizeof cache_path, "%s/cache", scratch);
    int fd = open(file_path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *shared))
        return false;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return shared != MAP_FAILED;
}

// NAME=VALUE
static void add_limit(const char *text)
{
    const char *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - text) : 0;
    if (!value || limit_count == INJECT_LIMITS || length >= sizeof limited.limits->name) {
        fprintf(stderr, "--limit=%s: no limit, or one too many\n", text);
        exit(2);
    }
    memcpy(limited.limits[limit_count].name, text, length);
    limited.limits[limit_count++].value = strtoull(value + 1, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *kind = NULL;
    uint32_t first = 1, runs = 0;
    int bad = missing_calls();
    if (!make_files())
        return 1;
    set_environment();
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--runs=", 7))
            runs = (uint32_t)atoi(argv[i] + 7);
        else if (!strncmp(argv[i], "--kind=", 7))
            kind = argv[i] + 7;
        else if (!strncmp(argv[i], "--first=", 8))
            first = (uint32_t)atoi(argv[i] + 8);
        else if (!strncmp(argv[i], "--seconds=", 10))
            seconds = atof(argv[i] + 10);
        else if (!strncmp(argv[i], "--only=", 7))
            only = argv[i] + 7;
        else if (!strncmp(argv[i], "--slow=", 7))
            slow_us = 1000 * (uint32_t)atoi(argv[i] + 7);
        else if (!strncmp(argv[i], "--memory=", 9))
            memory = (uint64_t)atoi(argv[i] + 9) << 20;
        else if (!strncmp(argv[i], "--without=", 10))
            without = argv[i] + 10;
        else if (!strncmp(argv[i], "--limit=", 8))
            add_limit(argv[i] + 8);
        else if (!strncmp(argv[i], "--vulkan=1.", 11))
            version = VK_MAKE_API_VERSION(0, 1, (uint32_t)atoi(argv[i] + 11), 0);
        else if (!strcmp(argv[i], "--gpu"))
            as_gpu = true;
        else if (!strcmp(argv[i], "--fds"))
            setenv("VK_INSTANCE_LAYERS", "VK_LAYER_PUMICE_inject:VK_LAYER_PUMICE_fds", 1);
        else if (!strcmp(argv[i], "--for-good"))
            for_good = true;
        else if (!strncmp(argv[i], "--entry=", 8))
            entry_size = (uint32_t)atoi(argv[i] + 8) << 10;
        else if (!strncmp(argv[i], "--heap=", 7))
            heap = (uint64_t)atoi(argv[i] + 7) << 20;
        else if (!strncmp(argv[i], "--budget=", 9))
            budget = (uint64_t)atoi(argv[i] + 9) << 20;
        else if (!strncmp(argv[i], "--used=", 7))
            used = (uint64_t)atoi(argv[i] + 7) << 20;
        else
            bad += run_program(argv[i], kind, first, runs);
    }
    empty_folder(cache_path);
    rmdir(cache_path);
    empty_folder(scratch);
    rmdir(scratch);
    return bad != 0;
}
