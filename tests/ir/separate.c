// SPDX-License-Identifier: Apache-2.0
// Compiling and linking a program gives the same kernels as building it: separate FILE.cl...
//
// Each source is compiled to an object, and to a library of that object; the kernels linked from them
// must be equal. Data may have another order: then only sizes are compared. Every truncation of an
// object and a flip in every byte must be refused; changed contents with a correct checksum may link
// or not, but do no harm. Other devices get a program or an error.
#include "cc/presets.h"
#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kc_target target;
static unsigned failures, compared, hostile, taken;

static void fail(const char *file, const char *what, const char *log)
{
    failures++;
    printf("FAIL %s: %s\n%s", file, what, log ? log : "");
}

static bool same_kernel(const struct kc_kernel *a, const struct kc_kernel *b, bool words)
{
    // Names of blocks are not needed.
    bool same = (!strcmp(a->name, b->name) || (a->block && b->block)) && a->arg_count == b->arg_count &&
                a->push_size == b->push_size && !strcmp(a->attributes, b->attributes) &&
                a->local_memory == b->local_memory && a->spec_count == b->spec_count &&
                a->uses_barrier == b->uses_barrier && a->scratch_bytes == b->scratch_bytes && a->scratch_lanes == b->scratch_lanes;
    for (uint32_t i = 0; same && i < a->arg_count; i++)
        same = !strcmp(a->args[i].name, b->args[i].name) &&
               !strcmp(a->args[i].type_name, b->args[i].type_name) &&
               a->args[i].kind == b->args[i].kind && a->args[i].size == b->args[i].size;
    if (!same || !words)
        return same;
    return a->spirv_words == b->spirv_words && !memcmp(a->spirv, b->spirv, a->spirv_words * 4);
}

static void compare(const char *file, const char *way, const struct kc_program *want,
                    const struct kc_program *got)
{
    if (got->status != KC_OK) {
        fail(file, way, got->log);
        return;
    }
    bool same = want->kernel_count == got->kernel_count &&
                want->uniform_work_groups == got->uniform_work_groups;
    for (uint32_t i = 0; same && i < want->kernel_count; i++)
        same =
            same_kernel(&want->kernels[i], &got->kernels[i], !want->data_size && !got->data_size);
    if (!same)
        fail(file, way, "other kernels\n");
    compared++;
}

static struct kc_program *link_one(const void *bytes, size_t size)
{
    struct kc_bytes one = {bytes, size};
    return kc_link(&(struct kc_link_input){&one, 1, NULL}, &target);
}

static void check_library(const char *file, const struct kc_object *object,
                          const struct kc_program *want)
{
    struct kc_bytes one = {object->bytes, object->size};
    struct kc_object *library =
        kc_link_library(&(struct kc_link_input){&one, 1, "-create-library"}, &target);
    if (library->status != KC_OK) {
        fail(file, "library", library->log);
    } else {
        struct kc_program *linked = link_one(library->bytes, library->size);
        compare(file, "linked from a library", want, linked);
        kc_program_destroy(linked);
    }
    kc_object_destroy(library);
}

static void check_damage(const char *file, const struct kc_object *object)
{
    unsigned char *copy = malloc(object->size);
    size_t step = object->size / 200 + 1;
    for (size_t size = 0; size < object->size; size += size < 64 ? 1 : step) {
        memcpy(copy, object->bytes, object->size);
        if (kc_check_object(copy, size, &target))
            fail(file, "a part was accepted", NULL);
        copy[size] ^= (unsigned char)(1 << size % 8);
        if (kc_check_object(copy, object->size, &target))
            fail(file, "a flipped bit was accepted", NULL);
    }
    free(copy);
}

enum { HEADER = 40 };

static void put_u64(unsigned char *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t next_random(uint32_t *seed)
{
    return (*seed = *seed * 1664525 + 1013904223) >> 8;
}

struct word {
    size_t at, length;
};

static bool word_char(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_.$%@-", c);
}

static struct word random_word(const unsigned char *bytes, size_t size, uint32_t *seed)
{
    size_t at = HEADER + next_random(seed) % (size - HEADER), end;
    while (at < size && (!bytes[at] || !word_char(bytes[at])))
        at++;
    while (at > HEADER && at < size && word_char(bytes[at - 1]))
        at--;
    for (end = at; end < size && bytes[end] && word_char(bytes[end]);)
        end++;
    return (struct word){at, end - at};
}

// Replaces one word of the text by another word of it.
static size_t mutate(unsigned char *bytes, size_t size, size_t room, uint32_t *seed)
{
    unsigned char text[256];
    struct word to = random_word(bytes, size, seed), from = random_word(bytes, size, seed);
    if (from.length > sizeof text || size + from.length > room)
        return size;
    memcpy(text, bytes + from.at, from.length);
    memmove(bytes + to.at + from.length, bytes + to.at + to.length, size - to.at - to.length);
    memcpy(bytes + to.at, text, from.length);
    return size - to.length + from.length;
}

static void check_hostile(const struct kc_object *object, unsigned rounds)
{
    size_t room = object->size + 1024;
    unsigned char *copy = malloc(room);
    uint32_t seed = (uint32_t)object->size + rounds;
    for (unsigned round = 0; round < rounds; round++) {
        size_t size = object->size;
        memcpy(copy, object->bytes, size);
        for (unsigned i = 0; i <= round % 3; i++)
            size = mutate(copy, size, room, &seed);
        put_u64(copy + 16, size - HEADER);
        put_u64(copy + 8, hash_bytes64(copy + 16, size - 16));
        struct kc_program *linked = link_one(copy, size);
        hostile++;
        taken += linked->status == KC_OK;
        kc_program_destroy(linked);
    }
    free(copy);
}

// For devices with fewer features: built, or refused with a reason.
static void check_others(const char *file, const struct kc_input *input)
{
    static const char *const others[] = {"lavapipe", "lavapipe32", "h200", "minimal"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct kc_target other;
        preset_find(others[i], &other);
        struct kc_program *built = kc_build(input, &other);
        if (built->status != KC_OK && (!built->log || !strstr(built->log, "error: ")))
            fail(file, "refused without a reason", built->log);
        kc_program_destroy(built);
    }
}

static void check(const char *file, const char *source, unsigned rounds)
{
    struct kc_input input = {
        .source = source, .length = strlen(source), .options = "-w -cl-std=CL2.0"};
    struct kc_program *want = kc_build(&input, &target);
    check_others(file, &input);
    struct kc_object *object = want->status == KC_OK ? kc_compile(&input, &target) : NULL;
    if (object && object->status != KC_OK) {
        fail(file, "compile", object->log);
    } else if (object) {
        struct kc_program *linked = link_one(object->bytes, object->size);
        compare(file, "compiled and linked", want, linked);
        kc_program_destroy(linked);
        check_library(file, object, want);
        check_damage(file, object);
        check_hostile(object, rounds);
    }
    kc_object_destroy(object);
    kc_program_destroy(want);
}

int main(int count, char **files)
{
    static char source[1 << 20];
    preset_find("full", &target);
    unsigned rounds = count > 1 ? (unsigned)atoi(files[1]) : 0;
    for (int i = 2; i < count; i++) {
        FILE *f = fopen(files[i], "rb");
        size_t size = f ? fread(source, 1, sizeof source - 1, f) : 0;
        source[size] = 0;
        if (f)
            fclose(f);
        check(files[i], source, rounds);
    }
    printf("%u compared, %u failures; %u of %u hostile objects linked\n", compared, failures, taken,
           hostile);
    return failures || !compared;
}
