// SPDX-License-Identifier: Apache-2.0
// The cache's file: read back as written; damaged, cut, longer or another driver's: ignored.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vulkan/cache.h"

enum { SIZE = 1003 };

static const uint8_t key[VK_UUID_SIZE] = {1, 2, 3}, other_key[VK_UUID_SIZE] = {1, 2, 4};

static bool readable(const char *path, const uint8_t *with)
{
    size_t size;
    void *data = vk_cache_file_read(path, with, &size);
    free(data);
    return data != NULL;
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

static void check_notes(void)
{
    char folder[] = "/tmp/pumice_notes_XXXXXX", command[64];
    static struct vk_facts facts = {.props.pipelineCacheUUID = {9, 8, 7}}, other;
    uint64_t value = 0;
    CHECK(mkdtemp(folder) && !setenv("PUMICE_CACHE_DIR", folder, 1));
    CHECK(!vk_cache_load_note(&facts, "svm", &value, sizeof value));
    vk_cache_store_note(&facts, "svm", &(uint64_t){77}, sizeof value);
    CHECK(vk_cache_load_note(&facts, "svm", &value, sizeof value) && value == 77);
    CHECK(!vk_cache_load_note(&facts, "svm", &value, 4));
    CHECK(!vk_cache_load_note(&facts, "other", &value, sizeof value));
    CHECK(!vk_cache_load_note(&other, "svm", &value, sizeof value));
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

enum { PROCESSES = 4, ROUNDS = 200 };

// Several processes write what is theirs; whoever reads sees one of these, whole.
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
            size_t size = 0;
            bad += !vk_cache_file_write(path, key, data, SIZE * (size_t)(p + 1));
            uint8_t *seen = vk_cache_file_read(path, key, &size);
            bad += !seen || seen[0] * (size_t)SIZE != size;
            for (size_t b = 0; seen && b < size; b++)
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
    CHECK(data && !vk_cache_file_write(path, key, data, size));
    free(data);
}

int main(void)
{
    check_notes();
    char path[] = "/tmp/pumice_cache_test_XXXXXX", missing[64];
    uint8_t data[SIZE];
    size_t size;
    close(mkstemp(path));
    for (int i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 7);
    CHECK(!readable(path, key)); // empty
    CHECK(vk_cache_file_write(path, key, data, SIZE));
    uint8_t *back = vk_cache_file_read(path, key, &size);
    CHECK(back && size == SIZE && !memcmp(back, data, SIZE));
    free(back);
    CHECK(!readable(path, other_key));
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    CHECK(length > SIZE);
    for (long at = 0; at < length; at++) {
        CHECK(vk_cache_file_write(path, key, data, SIZE));
        damage(path, at);
        CHECK(!readable(path, key));
        CHECK(vk_cache_file_write(path, key, data, SIZE));
        CHECK(truncate(path, at) == 0 && !readable(path, key));
    }
    CHECK(use_at_once(path) == 0);
    check_limit(path);
    CHECK(vk_cache_file_write(path, key, data, SIZE));
    CHECK(readable(path, key));
    file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    CHECK(!readable(path, key));
    CHECK(vk_cache_file_write(path, key, data, SIZE));
    CHECK(truncate(path, SIZE) == 0 && !readable(path, key));
    snprintf(missing, sizeof missing, "%s/no/folder", path);
    CHECK(!vk_cache_file_write(missing, key, data, SIZE) && !readable(missing, key));
    unlink(path);
    return check_result();
}
