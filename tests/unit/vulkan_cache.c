// SPDX-License-Identifier: Apache-2.0
// Cache files: read back as written; damaged, truncated, longer ones, those of another driver and
// special files are ignored; old ones are removed.
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vulkan/cache.h"

enum { SIZE = 1003, HEAD = 64 };

static const uint8_t key[VK_UUID_SIZE] = {1, 2, 3}, other_key[VK_UUID_SIZE] = {1, 2, 4};

static bool readable(const char *path, const uint8_t *with)
{
    struct vk_cache_file file;
    bool found = vk_cache_file_read(path, with, &file);
    free(file.data);
    return found;
}

static void damage(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 1 << at % 8, file);
    fclose(file);
}

// The cache of a driver whose caches contain no code is not queried: there is no function to call
// here.
static void check_without(void)
{
    static struct vk_facts facts;
    static struct vk_device device;
    facts.props12.driverID = VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
    device.facts = &facts;
    CHECK(vk_cache_open(&device) == VK_SUCCESS && !device.cache);
}

static void check_notes(void)
{
    char folder[] = "/tmp/pumice_notes_XXXXXX", command[64];
    static struct vk_facts facts = {.props.pipelineCacheUUID = {9, 8, 7}}, other;
    uint64_t value = 0;
    CHECK(mkdtemp(folder) && !setenv("PUMICE_CACHE_DIR", folder, 1));
    CHECK(!vk_cache_load_note(&facts, "svm", &value, sizeof value));
    vk_cache_store(&facts, "svm", &(uint64_t){77}, sizeof value);
    CHECK(vk_cache_load_note(&facts, "svm", &value, sizeof value) && value == 77);
    CHECK(!vk_cache_load_note(&facts, "svm", &value, 4));
    CHECK(!vk_cache_load_note(&facts, "other", &value, sizeof value));
    CHECK(!vk_cache_load_note(&other, "svm", &value, sizeof value));
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

enum { PROCESSES = 4, ROUNDS = 200 };

// Several processes write their own contents; readers see one of these, complete.
static int use_at_once(const char *path)
{
    int failed = 0, status;
    for (int p = 0; p < PROCESSES; p++) {
        if (fork())
            continue;
        static uint8_t data[SIZE * PROCESSES];
        int bad = 0;
        memset(data, p + 1, sizeof data);
        for (int i = 0; i < ROUNDS; i++) {
            struct vk_cache_file file;
            bad += !vk_cache_file_write(path, key, data, SIZE * (size_t)(p + 1), 5);
            vk_cache_file_read(path, key, &file);
            uint8_t *seen = file.data;
            bad += !seen || seen[0] * (size_t)SIZE != file.size;
            for (size_t b = 0; seen && b < file.size; b++)
                bad += seen[b] != seen[0];
            free(seen);
        }
        _exit(bad != 0);
    }
    for (int p = 0; p < PROCESSES; p++)
        failed += wait(&status) < 0 || status != 0;
    return failed;
}

static void check_limit(const char *path)
{
    size_t size = ((size_t)64 << 20) + 1;
    uint8_t *data = calloc(1, size);
    CHECK(data && !vk_cache_file_write(path, key, data, size, 5));
    free(data);
}

// The path of a file in the test's folder.
static const char *in(const char *folder, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *path, int days_old, int minutes_old)
{
    struct timespec then[2];
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file)
        return;
    fputs("something", file);
    fclose(file);
    clock_gettime(CLOCK_REALTIME, &then[0]);
    then[0].tv_sec -= days_old * 86400 + minutes_old * 60;
    then[1] = then[0];
    CHECK(!utimensat(AT_FDCWD, path, then, 0));
}

static bool exists(const char *path)
{
    return !access(path, F_OK);
}

#define DRIVER "00112233445566778899aabbccddeeff"

// Removes temporary files of ended processes and files that have not been used for long, and
// nothing else.
static void check_sweep(void)
{
    static const struct {
        const char *name;
        int days, minutes;
        bool stays;
    } files[] = {
        {DRIVER ".pipelines", 80, 0, true},
        {DRIVER ".pipelines.a1B2c3", 0, 50, true}, // may still be being written
        {DRIVER ".pipelines.a1B2c4", 0, 70, false},
        {DRIVER ".svm", 100, 0, false},
        {DRIVER ".abcdef", 0, 70, true}, // the name of a note
        {"notes.pipelines.a1B2c3", 100, 0, true},
        {DRIVER, 100, 0, true},
    };
    char folder[] = "/tmp/pumice_sweep_XXXXXX", command[64];
    CHECK(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(in(folder, files[i].name), files[i].days, files[i].minutes);
    vk_cache_sweep(in(folder, DRIVER ".pipelines"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        CHECK(exists(in(folder, files[i].name)) == files[i].stays);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

// Opening a pipe does not block, and a folder is not a file.
static void check_others(void)
{
    char folder[] = "/tmp/pumice_others_XXXXXX", command[64];
    uint8_t data[16] = {1};
    CHECK(mkdtemp(folder) != NULL);
    CHECK(!mkfifo(in(folder, "pipe"), 0600) && !mkdir(in(folder, "folder"), 0700));
    alarm(300);
    CHECK(!readable(in(folder, "pipe"), key) && !readable(in(folder, "folder"), key));
    CHECK(!readable("/dev/zero", key) && !readable("/dev/full", key));
    CHECK(vk_cache_file_write(in(folder, "pipe"), key, data, sizeof data, 5));
    CHECK(readable(in(folder, "pipe"), key)); // the pipe was replaced by a file
    alarm(0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

// A file that is read counts as used, even if it was written long ago.
static void check_used(void)
{
    char path[] = "/tmp/pumice_used_XXXXXX";
    uint8_t data[16] = {1};
    struct stat found;
    struct timespec then[2] = {{1000, 0}, {1000, 0}};
    close(mkstemp(path));
    CHECK(vk_cache_file_write(path, key, data, sizeof data, 5));
    CHECK(!utimensat(AT_FDCWD, path, then, 0));
    CHECK(!readable(path, other_key));
    CHECK(!stat(path, &found) && found.st_mtime == 1000);
    CHECK(readable(path, key));
    CHECK(!stat(path, &found) && found.st_mtime > 1000);
    unlink(path);
}

// One writer at a time in a folder; a writer that waits continues after a while.
static void check_lock(void)
{
    char folder[] = "/tmp/pumice_lock_XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/file", folder);
    int first = vk_cache_lock(path), status;
    pid_t child = fork();
    if (!child)
        _exit(flock(open(folder, O_RDONLY | O_DIRECTORY), LOCK_EX | LOCK_NB) == 0);
    CHECK(first >= 0 && waitpid(child, &status, 0) == child && status == 0);
    vk_cache_unlock(vk_cache_lock(path));
    vk_cache_unlock(first);
    CHECK(!rmdir(folder));
}

int main(void)
{
    check_without();
    check_notes();
    check_sweep();
    check_others();
    check_used();
    check_lock();
    char path[] = "/tmp/pumice_cache_test_XXXXXX", missing[64];
    uint8_t data[SIZE];
    close(mkstemp(path));
    for (int i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 7);
    CHECK(!readable(path, key)); // empty
    CHECK(vk_cache_file_write(path, key, data, SIZE, 5));
    struct vk_cache_file back;
    CHECK(vk_cache_file_read(path, key, &back));
    CHECK(back.data && back.size == SIZE && back.began == 5 && !memcmp(back.data, data, SIZE));
    free(back.data);
    CHECK(!readable(path, other_key));
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    CHECK(length > SIZE);
    for (long at = 0; at < length; at += at < HEAD ? 1 : 7) {
        CHECK(vk_cache_file_write(path, key, data, SIZE, 5));
        damage(path, at);
        CHECK(!readable(path, key));
        CHECK(vk_cache_file_write(path, key, data, SIZE, 5));
        CHECK(truncate(path, at) == 0 && !readable(path, key));
    }
    CHECK(use_at_once(path) == 0);
    check_limit(path);
    CHECK(vk_cache_file_write(path, key, data, SIZE, 5));
    CHECK(readable(path, key));
    file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    CHECK(!readable(path, key));
    CHECK(vk_cache_file_write(path, key, data, SIZE, 5));
    CHECK(truncate(path, SIZE) == 0 && !readable(path, key));
    snprintf(missing, sizeof missing, "%s/no/folder", path);
    CHECK(!vk_cache_file_write(missing, key, data, SIZE, 5) && !readable(missing, key));
    unlink(path);
    return check_result();
}
