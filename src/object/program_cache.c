// SPDX-License-Identifier: Apache-2.0
// The cache of builds on disk: what one process has compiled, the next one loads.
//
// An entry consists of a key, the included files and the program binary. The key contains all
// inputs completely, so a hash collision cannot return a wrong program; files are identified by
// hashes, and files that were not found are recorded too. The key's hash selects one of a fixed
// number of places, where a new entry replaces the old one, so the cache cannot grow without limit
// and needs no cleanup. Programs that compile very quickly are not cached, nor builds with the
// compiler's debug switches.
#include "object/program_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"
#include "vulkan/cache.h"

#define WORTH_NS UINT64_C(1000000) // compile time above which a program is cached
enum { PLACES = 4096, LARGEST = 4 << 20 };

static bool is_wanted(const struct kc_input *input)
{
    static const enum option_id watching[] = {OPTION_DUMP, OPTION_SKIP, OPTION_VERIFY,
                                              OPTION_REPLACE_DIR};
    for (size_t i = 0; i < sizeof watching / sizeof *watching; i++)
        if (option_get(watching[i]))
            return false;
    return !input->header_count;
}

// ---- bytes --------------------------------------------------------------------------------------

// Appends bytes after their size and returns the new offset; `to` NULL: only computes it.
static size_t put(unsigned char *to, size_t at, const void *bytes, size_t size)
{
    uint64_t wide = size;
    if (to) {
        memcpy(to + at, &wide, sizeof wide);
        memcpy(to + at + sizeof wide, size ? bytes : "", size);
    }
    return at + sizeof wide + size;
}

struct reader {
    const unsigned char *at, *end;
};

static bool take(struct reader *r, const void **bytes, size_t *size)
{
    uint64_t wide;
    if ((size_t)(r->end - r->at) < sizeof wide)
        return false;
    memcpy(&wide, r->at, sizeof wide);
    r->at += sizeof wide;
    if (wide > (uint64_t)(r->end - r->at))
        return false;
    *bytes = r->at;
    *size = (size_t)wide;
    r->at += wide;
    return true;
}

// ---- keys ---------------------------------------------------------------------------------------

static size_t put_key(unsigned char *to, const void *id, size_t id_size,
                      const struct kc_input *input, const struct kc_target *target)
{
    size_t at = put(to, 0, id, id_size);
    at = put(to, at, target, sizeof *target); // caps are zeroed first, so padding is 0
    at = put(to, at, input->options, strlen(input->options));
    at = put(to, at, input->source, input->source ? input->length : 0);
    at = put(to, at, input->il, input->il_size);
    for (size_t i = 0; i < input->spec_value_count; i++) {
        const struct kc_spec_value *value = &input->spec_values[i];
        const uint64_t words[] = {value->id, value->size, value->bits};
        at = put(to, at, words, sizeof words);
    }
    return at;
}

void program_cache_begin(struct program_cache *entry, const struct vk_facts *facts,
                         const struct kc_input *input, const struct kc_target *target)
{
    size_t id_size;
    const void *id = library_build_id(&id_size);
    *entry = (struct program_cache){.facts = facts, .target = target};
    if (!is_wanted(input) || !id)
        return;
    entry->key_size = put_key(NULL, id, id_size, input, target);
    entry->key = malloc(entry->key_size);
    if (!entry->key)
        return;
    put_key(entry->key, id, id_size, input, target);
    snprintf(entry->name, sizeof entry->name, "program%03x",
             (unsigned)(hash_bytes64(entry->key, entry->key_size) % PLACES));
    entry->began = thread_now_ns();
}

void program_cache_end(struct program_cache *entry)
{
    free(entry->key);
}

// ---- files --------------------------------------------------------------------------------------

static size_t put_files(unsigned char *to, size_t at, const struct kc_program *program)
{
    uint64_t count = program->file_count;
    at = put(to, at, &count, sizeof count);
    for (uint32_t i = 0; i < program->file_count; i++) {
        const struct kc_file *file = &program->files[i];
        at = put(to, at, &file->hash, sizeof file->hash);
        at = put(to, at, file->path, strlen(file->path) + 1);
    }
    return at;
}

static bool take_number(struct reader *r, uint64_t *number)
{
    const void *bytes;
    size_t size;
    if (!take(r, &bytes, &size) || size != sizeof *number)
        return false;
    memcpy(number, bytes, size);
    return true;
}

// Whether all files are unchanged.
static bool take_files(struct reader *r)
{
    uint64_t count;
    if (!take_number(r, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct kc_file file;
        const void *path;
        size_t size;
        if (!take_number(r, &file.hash) || !take(r, &path, &size) || !size ||
            ((const char *)path)[size - 1])
            return false;
        file.path = path;
        if (!kc_file_is_same(&file))
            return false;
    }
    return true;
}

// ---- entries ------------------------------------------------------------------------------------

static struct kc_program *parse_entry(const struct program_cache *entry, const unsigned char *data,
                                      size_t size)
{
    struct program_binary binary = {0};
    struct reader r = {data + entry->key_size, data + size};
    if (!take_files(&r))
        return NULL;
    program_binary_read(r.at, (size_t)(r.end - r.at), entry->target, &binary);
    free(binary.options);
    return binary.program;
}

struct kc_program *program_cache_load(const struct program_cache *entry)
{
    struct kc_program *program = NULL;
    size_t size;
    unsigned char *data = entry->key ? vk_cache_load(entry->facts, entry->name, &size) : NULL;
    if (data && size > entry->key_size && !memcmp(data, entry->key, entry->key_size))
        program = parse_entry(entry, data, size);
    if (program)
        log_write(LOG_BUILD, "the program comes from the cache");
    free(data);
    return program;
}

void program_cache_store(const struct program_cache *entry, const struct program_build *build)
{
    unsigned char *binary = NULL, *whole = NULL;
    const struct kc_program *program = build->code->program;
    size_t size, at = put_files(NULL, entry->key_size, program);
    if (!entry->key || thread_now_ns() - entry->began < WORTH_NS)
        return;
    if (program_binary_write(build, &(struct program_text){0}, entry->target, &binary, &size) == CL_SUCCESS &&
        at + size <= LARGEST)
        whole = malloc(at + size);
    if (whole) {
        memcpy(whole, entry->key, entry->key_size);
        put_files(whole, entry->key_size, program);
        memcpy(whole + at, binary, size);
        vk_cache_store(entry->facts, entry->name, whole, at + size);
    }
    free(whole);
    free(binary);
}
