// SPDX-License-Identifier: Apache-2.0
// Builds that the cache on disk keeps: what one process has compiled the next one loads.
//
// A kept build is its program binary behind its key: all that it was made of, whole, so that no other is ever taken for
// it. By a hash of the key it has one of a fixed number of places, where the last one written stays; so nothing grows
// without end, and nobody has to look after it. What compiles in no time is not kept, nor what depends on files. Who uses
// the compiler's own switches wants to see it at work.
#include "object/program_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/build_id.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"
#include "vulkan/cache.h"

#define WORTH_NS UINT64_C(1000000) // to compile
enum { PLACES = 4096, LARGEST = 4 << 20 };

static bool is_wanted(const struct kc_input *input)
{
    static const enum option_id watching[] = {OPTION_DUMP, OPTION_SKIP, OPTION_VERIFY, OPTION_REPLACE_DIR};
    for (size_t i = 0; i < sizeof watching / sizeof *watching; i++)
        if (option_get(watching[i]))
            return false;
    return !input->header_count;
}

// ---- keys ---------------------------------------------------------------------------------------

static size_t put(unsigned char *to, size_t at, const void *bytes, size_t size)
{
    uint64_t wide = size;
    if (to) {
        memcpy(to + at, &wide, sizeof wide);
        memcpy(to + at + sizeof wide, size ? bytes : "", size);
    }
    return at + sizeof wide + size;
}

// Its size; where `to` is not NULL, it is written there.
static size_t put_key(unsigned char *to, const struct kc_input *input, const struct kc_target *target)
{
    size_t id_size, at = 0;
    const void *id = build_id(&id_size);
    at = put(to, at, id, id_size);
    at = put(to, at, target, sizeof *target); // caps are zeroed first: padding too
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

void program_kept_begin(struct program_kept *kept, const struct vk_facts *facts, const struct kc_input *input,
                        const struct kc_target *target)
{
    size_t id_size;
    *kept = (struct program_kept){.facts = facts, .target = target};
    if (!is_wanted(input) || !build_id(&id_size))
        return;
    kept->key_size = put_key(NULL, input, target);
    kept->key = malloc(kept->key_size);
    if (!kept->key)
        return;
    put_key(kept->key, input, target);
    snprintf(kept->name, sizeof kept->name, "program%03x", (unsigned)(hash_bytes64(kept->key, kept->key_size) % PLACES));
    kept->began = thread_now_ns();
}

void program_kept_end(struct program_kept *kept)
{
    free(kept->key);
}

// ---- what is kept -------------------------------------------------------------------------------

struct kc_program *program_kept_load(const struct program_kept *kept)
{
    struct program_binary binary = {0};
    size_t size;
    unsigned char *data = kept->key ? vk_cache_load(kept->facts, kept->name, &size) : NULL;
    if (data && size > kept->key_size && !memcmp(data, kept->key, kept->key_size))
        program_binary_read(data + kept->key_size, size - kept->key_size, kept->target, &binary);
    if (binary.program)
        log_write(LOG_BUILD, "a program is taken from the cache");
    free(binary.options);
    free(data);
    return binary.program;
}

void program_kept_store(const struct program_kept *kept, const struct program_build *build)
{
    unsigned char *binary = NULL, *whole = NULL;
    size_t size;
    bool wanted = kept->key && !build->code->program->of_files && thread_now_ns() - kept->began >= WORTH_NS;
    if (wanted && program_binary_write(build, kept->target, &binary, &size) == CL_SUCCESS &&
        size + kept->key_size <= LARGEST)
        whole = malloc(kept->key_size + size);
    if (whole) {
        memcpy(whole, kept->key, kept->key_size);
        memcpy(whole + kept->key_size, binary, size);
        vk_cache_store(kept->facts, kept->name, whole, kept->key_size + size);
    }
    free(whole);
    free(binary);
}
