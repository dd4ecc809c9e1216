// SPDX-License-Identifier: Apache-2.0
// The cache's file: read back as written; damaged, cut, longer or another driver's: ignored.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
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

static void damage(const char *path, long at, int byte)
{
    FILE *file = fopen(path, "r+b");
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    fputc(byte, file);
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
    for (long at = 0; at < 300; at += 13) {
        CHECK(vk_cache_file_write(path, key, data, SIZE));
        damage(path, at, 0xaa);
        CHECK(!readable(path, key));
    }
    CHECK(vk_cache_file_write(path, key, data, SIZE));
    damage(path, -1, 0xaa);
    CHECK(!readable(path, key));
    CHECK(vk_cache_file_write(path, key, data, SIZE));
    CHECK(readable(path, key));
    FILE *file = fopen(path, "ab");
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
