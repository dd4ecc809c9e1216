// SPDX-License-Identifier: Apache-2.0
// struct kc_program, or an object of separate compilation <-> bytes, for CL_PROGRAM_BINARIES and
// clCreateProgramWithBinary.
//
// Layout: a header, the code, and the source that it was built from, if that is known. The header and the source remain
// as they are in all versions: of another version, or for a device that has changed since, the source is built again, so
// that programs which keep binaries without regard to CL_DRIVER_VERSION work after an update.
//
// Each struct is described once, by a stream_*() function that reads or writes depending on the stream, so both
// directions are always consistent. Little-endian, no padding, strings with their length. Reading
// validates everything: counts against the remaining bytes; indices, offsets and kinds against what
// they refer to.
#include "object/program.h"

#include <stdlib.h>
#include <string.h>

#include "util/arena.h"
#include "util/hash.h"
#include "util/log.h"

enum { BINARY_MAGIC = 0x324d5550, BINARY_VERSION = 25 };

struct stream {
    bool writing, bad;
    unsigned char *data;
    size_t at, size, capacity;
    struct arena *arena; // for results of reading
};

// ---- bytes --------------------------------------------------------------------------------------

static void stream_reserve(struct stream *stream, size_t size)
{
    if (stream->size + size <= stream->capacity)
        return;
    size_t capacity = stream->capacity * 2 + size + 256;
    unsigned char *data = realloc(stream->data, capacity);
    if (!data) {
        stream->bad = true;
        return;
    }
    stream->data = data;
    stream->capacity = capacity;
}

static void stream_bytes(struct stream *stream, void *bytes, size_t size)
{
    if (stream->writing)
        stream_reserve(stream, size);
    else if (size > stream->size - stream->at)
        stream->bad = true;
    if (stream->bad) {
        if (!stream->writing)
            memset(bytes, 0, size);
        return;
    }
    if (!size)
        return;
    if (stream->writing) {
        memcpy(stream->data + stream->size, bytes, size);
        stream->size += size;
    } else {
        memcpy(bytes, stream->data + stream->at, size);
        stream->at += size;
    }
}

static void stream_u64(struct stream *stream, uint64_t *value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(*value >> (8 * i));
    stream_bytes(stream, bytes, sizeof bytes);
    if (stream->writing)
        return;
    *value = 0;
    for (int i = 0; i < 8; i++)
        *value |= (uint64_t)bytes[i] << (8 * i);
}

static void stream_u32(struct stream *stream, uint32_t *value)
{
    uint64_t wide = *value;
    stream_u64(stream, &wide);
    if (wide > UINT32_MAX)
        stream->bad = true;
    *value = (uint32_t)wide;
}

static void stream_bool(struct stream *stream, bool *value)
{
    uint32_t number = *value;
    stream_u32(stream, &number);
    stream->bad |= number > 1;
    *value = number != 0;
}

// Streams a number below `end`.
static uint32_t stream_below(struct stream *stream, uint32_t value, uint32_t end)
{
    stream_u32(stream, &value);
    if (value >= end) {
        stream->bad = true;
        value = 0;
    }
    return value;
}

// Streams a count of items of at least `least` bytes each.
static void stream_count(struct stream *stream, uint32_t *count, size_t least)
{
    stream_u32(stream, count);
    if (!stream->writing && (stream->bad || *count > (stream->size - stream->at) / least)) {
        stream->bad = true;
        *count = 0;
    }
}

static void stream_string(struct stream *stream, const char **text)
{
    uint32_t length = stream->writing ? (uint32_t)strlen(*text ? *text : "") : 0;
    stream_count(stream, &length, 1);
    char *bytes = (char *)*text;
    if (!stream->writing)
        *text = bytes = arena_zalloc(stream->arena, (size_t)length + 1);
    stream_bytes(stream, bytes, length);
    if (!stream->writing && memchr(bytes, 0, length))
        stream->bad = true;
}

// Allocates an array when reading; returns the array itself when writing.
static void *stream_array(struct stream *stream, const void *items, size_t count, size_t size)
{
    return stream->writing ? (void *)items
                           : arena_zalloc(stream->arena, (count ? count : 1) * size);
}

// ---- the structs --------------------------------------------------------------------------------

// Streams an array item, which is copied first when writing, because other threads may read it.
#define STREAM_ITEM(s, item, stream_it, ...)                                                                                       \
    do {                                                                                                                           \
        __typeof__(item) own = (item);                                                                                             \
        stream_it((s), &own __VA_OPT__(, ) __VA_ARGS__);                                                                           \
        if (!(s)->writing)                                                                                                         \
            (item) = own;                                                                                                          \
    } while (0)

static bool are_arguments(const struct kc_kernel *kernel, uint64_t bits)
{
    return kernel->arg_count >= 64 || !(bits >> kernel->arg_count);
}

static void stream_arg(struct stream *s, struct kc_arg *arg, const struct kc_kernel *kernel)
{
    stream_string(s, &arg->name);
    stream_string(s, &arg->type_name);
    arg->kind = (enum kc_arg_kind)stream_below(s, arg->kind, KC_ARG_QUEUE + 1);
    arg->address = (enum kc_address_qualifier)stream_below(s, arg->address, KC_ADDRESS_PRIVATE + 1);
    arg->access = (enum kc_access_qualifier)stream_below(s, arg->access, KC_ACCESS_READ_WRITE + 1);
    arg->type_qualifiers = stream_below(s, arg->type_qualifiers, 2 * KC_TYPE_PIPE);
    stream_u32(s, &arg->size);
    stream_u32(s, &arg->align);
    stream_u32(s, &arg->elem_size);
    stream_bool(s, &arg->clustered);
    stream_bool(s, &arg->written);
    stream_bool(s, &arg->numbered);
    stream_bool(s, &arg->aligned);
    stream_bool(s, &arg->bounded);
    stream_u64(s, &arg->disjoint);
    s->bad |= !are_arguments(kernel, arg->disjoint);
    s->bad |= arg->size > 1 << 20 || !arg->align || arg->align & (arg->align - 1);
    s->bad |= (arg->clustered || arg->numbered || arg->aligned || arg->bounded || arg->disjoint) && arg->kind != KC_ARG_GLOBAL && arg->kind != KC_ARG_CONSTANT;
}

static void stream_push(struct stream *s, struct kc_push *push, const struct kc_kernel *kernel)
{
    bool of_arg, of_image;
    push->kind = (enum kc_push_kind)stream_below(s, push->kind, KC_PUSH_ITEMS + 1);
    of_image = push->kind >= KC_PUSH_IMAGE_ORDER && push->kind <= KC_PUSH_IMAGE_SIZE;
    of_arg = push->kind == KC_PUSH_ARG || push->kind == KC_PUSH_BUFFER_NUMBER || push->kind == KC_PUSH_LOCAL_ARG || of_image;
    push->dim = stream_below(s, push->dim, 4);
    stream_u32(s, &push->arg);
    stream_u32(s, &push->offset);
    stream_u32(s, &push->size);
    s->bad |= push->offset % 4 || push->offset > kernel->push_size ||
              push->size > kernel->push_size - push->offset ||
              (of_arg && push->arg >= kernel->arg_count);
    s->bad |= of_image && (push->size != 4 || s->bad || kernel->args[push->arg].kind != KC_ARG_IMAGE);
    s->bad |= push->kind == KC_PUSH_BUFFER_NUMBER && (s->bad || !kernel->args[push->arg].numbered);
}

static bool may_bind(const struct kc_arg *arg, bool image)
{
    return image ? arg->kind == KC_ARG_IMAGE : arg->kind == KC_ARG_GLOBAL || arg->kind == KC_ARG_CONSTANT;
}

static void stream_binding(struct stream *s, struct kc_binding *binding, const struct kc_kernel *kernel)
{
    binding->kind = (enum kc_binding_kind)stream_below(s, binding->kind, KC_BINDING_PUSH + 1);
    binding->dim = (enum kc_image_dim)stream_below(s, binding->dim, KC_DIM_BUFFER + 1);
    binding->texel = (enum kc_texel)stream_below(s, binding->texel, KC_TEXEL_UINT + 1);
    stream_bool(s, &binding->depth);
    binding->level = (uint8_t)stream_below(s, binding->level, KC_LEVELS);
    stream_u32(s, &binding->arg);
    stream_u32(s, &binding->binding);
    bool texels = binding->kind == KC_BINDING_UNIFORM_TEXELS || binding->kind == KC_BINDING_STORAGE_TEXELS;
    if (binding->kind >= KC_BINDING_SAMPLERS && binding->kind != KC_BINDING_BUFFER)
        return;
    bool image = binding->kind != KC_BINDING_BUFFER;
    s->bad |= binding->arg >= kernel->arg_count || (image && texels != (binding->dim == KC_DIM_BUFFER));
    s->bad |= s->bad || !may_bind(&kernel->args[binding->arg], image);
}

static void stream_spec(struct stream *s, struct kc_spec *spec, const struct kc_kernel *kernel)
{
    spec->kind = (enum kc_spec_kind)stream_below(s, spec->kind, KC_SPEC_GUARD + 1);
    stream_u32(s, &spec->id);
    spec->dim = stream_below(s, spec->dim, 3);
    stream_u32(s, &spec->arg);
    stream_u32(s, &spec->unit);
    s->bad |= (spec->kind == KC_SPEC_LOCAL_ARG || spec->kind == KC_SPEC_SAMPLER) && spec->arg >= kernel->arg_count;
    s->bad |= spec->kind != KC_SPEC_LOCAL_SIZE && !spec->unit;
    s->bad |= spec->kind == KC_SPEC_GUARD && spec->arg > 1;
}

static bool stores_image(const struct kc_kernel *kernel, uint32_t binding)
{
    return binding < kernel->binding_count && (kernel->bindings[binding].kind == KC_BINDING_STORAGE ||
                                               kernel->bindings[binding].kind == KC_BINDING_STORAGE_TEXELS);
}

static void stream_words(struct stream *s, struct kc_kernel *kernel)
{
    uint32_t count = (uint32_t)kernel->spirv_words;
    stream_count(s, &count, 4);
    kernel->spirv_words = count;
    uint32_t *words = stream_array(s, kernel->spirv, count, sizeof *words);
    kernel->spirv = words;
    stream_bytes(s, words, (size_t)count * 4);
    s->bad |= count < 5 || (!s->bad && words[0] != 0x07230203);
}

static void stream_sizes(struct stream *s, struct kc_kernel *kernel)
{
    for (int i = 0; i < 3; i++) {
        stream_u32(s, &kernel->reqd_local_size[i]);
        stream_u32(s, &kernel->local_size_hint[i]);
    }
    stream_u32(s, &kernel->reqd_sub_groups);
    stream_u32(s, &kernel->reqd_sub_group_size);
    stream_u32(s, &kernel->local_memory);
    stream_u32(s, &kernel->local_per_item);
    stream_u32(s, &kernel->local_static_shared);
    stream_u32(s, &kernel->private_memory);
    stream_u32(s, &kernel->scratch_bytes);
    stream_u32(s, &kernel->scratch_lanes);
    stream_bool(s, &kernel->partial_groups);
    stream_bool(s, &kernel->uses_barrier);
    stream_bool(s, &kernel->uses_printf);
    stream_bool(s, &kernel->enqueues);
    stream_bool(s, &kernel->block);
    stream_bool(s, &kernel->uses_subgroups);
    stream_bool(s, &kernel->lockstep);
    stream_bool(s, &kernel->whole_sub_groups);
    stream_bool(s, &kernel->matrix_units);
}

// Arguments with a shared binding have exactly one, and it has at least one argument.
static bool has_cluster(const struct kc_kernel *kernel)
{
    bool wanted = false, found = false;
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        wanted |= kernel->args[i].clustered;
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        found |= kernel->bindings[i].kind == KC_BINDING_CLUSTER;
    return wanted == found;
}

// Whether a launch has the memory for the binding.
static bool has_memory(const struct kc_binding *binding, const struct kc_kernel *kernel,
                       const struct kc_program *program)
{
    switch (binding->kind) {
    case KC_BINDING_DATA:
        return program->data_size > 0;
    case KC_BINDING_PRINTF:
        return kernel->uses_printf;
    case KC_BINDING_SCRATCH:
        return kernel->scratch_bytes > 0;
    case KC_BINDING_PUSH:
        return kernel->push_indirect;
    default:
        return true;
    }
}

static void stream_kernel(struct stream *s, struct kc_kernel *kernel, const struct kc_program *program)
{
    stream_string(s, &kernel->name);
    stream_string(s, &kernel->attributes);
    stream_count(s, &kernel->arg_count, 8);
    struct kc_arg *args = stream_array(s, kernel->args, kernel->arg_count, sizeof *args);
    kernel->args = args;
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        STREAM_ITEM(s, args[i], stream_arg, kernel);
    stream_words(s, kernel);
    stream_u32(s, &kernel->push_size);
    stream_bool(s, &kernel->push_indirect);
    stream_count(s, &kernel->push_count, 8);
    struct kc_push *push = stream_array(s, kernel->push, kernel->push_count, sizeof *push);
    kernel->push = push;
    for (uint32_t i = 0; i < kernel->push_count; i++)
        STREAM_ITEM(s, push[i], stream_push, kernel);
    stream_count(s, &kernel->spec_count, 8);
    struct kc_spec *specs = stream_array(s, kernel->specs, kernel->spec_count, sizeof *specs);
    kernel->specs = specs;
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        STREAM_ITEM(s, specs[i], stream_spec, kernel);
    stream_count(s, &kernel->binding_count, 8);
    struct kc_binding *bindings = stream_array(s, kernel->bindings, kernel->binding_count, sizeof *bindings);
    kernel->bindings = bindings;
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        STREAM_ITEM(s, bindings[i], stream_binding, kernel);
        s->bad |= bindings[i].binding != i;
    }
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        s->bad |= kernel->specs[i].kind == KC_SPEC_IMAGE_FORMAT && !stores_image(kernel, kernel->specs[i].arg);
    stream_sizes(s, kernel);
    for (uint32_t i = 0; i < kernel->spec_count && !s->bad; i++)
        s->bad |= kernel->specs[i].kind == KC_SPEC_LOCAL_ITEMS && kernel->specs[i].unit > kernel->local_per_item;
    s->bad |= !s->bad && !has_cluster(kernel);
    for (uint32_t i = 0; i < kernel->binding_count && !s->bad; i++)
        s->bad |= !has_memory(&bindings[i], kernel, program);
}

static void stream_relocation(struct stream *s, struct kc_relocation *relocation)
{
    stream_u32(s, &relocation->offset);
    stream_u64(s, &relocation->addend);
}

static void stream_data(struct stream *s, struct kc_program *program)
{
    stream_count(s, &program->data_size, 1);
    uint8_t *data = stream_array(s, program->data, program->data_size, 1);
    program->data = data;
    stream_bytes(s, data, program->data_size);
    stream_bool(s, &program->data_writable);
    stream_bool(s, &program->uniform_work_groups);
    stream_count(s, &program->relocation_count, 8);
    struct kc_relocation *relocations =
        stream_array(s, program->relocations, program->relocation_count, sizeof *relocations);
    program->relocations = relocations;
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        STREAM_ITEM(s, relocations[i], stream_relocation);
        s->bad |= program->data_size < 8 || relocations[i].offset > program->data_size - 8;
    }
    stream_u64(s, &program->data_layout);
}

// Not validated here: its own reader does that.
static void stream_whole(struct stream *s, struct kc_program *program)
{
    stream_count(s, &program->object_size, 1);
    uint8_t *whole = stream_array(s, program->object, program->object_size, 1);
    program->object = program->object_size ? whole : NULL;
    stream_bytes(s, whole, program->object_size);
}

static void stream_program(struct stream *s, struct kc_program *program)
{
    stream_string(s, &program->log);
    stream_data(s, program);
    stream_count(s, &program->kernel_count, 8);
    struct kc_kernel *kernels =
        stream_array(s, program->kernels, program->kernel_count, sizeof *kernels);
    program->kernels = kernels;
    for (uint32_t i = 0; i < program->kernel_count && !s->bad; i++)
        STREAM_ITEM(s, kernels[i], stream_kernel, program);
    stream_whole(s, program);
}

// ---- header -------------------------------------------------------------------------------------

struct binary_header {
    uint32_t magic;
    uint64_t checksum; // of everything after it
    uint32_t version;
    uint64_t target, code_size, source_size;
};

static void stream_header(struct stream *s, struct binary_header *header)
{
    stream_u32(s, &header->magic);
    stream_u64(s, &header->checksum);
    stream_u32(s, &header->version);
    stream_u64(s, &header->target);
    stream_u64(s, &header->code_size);
    stream_u64(s, &header->source_size);
}

enum { CHECKED_AT = 16 }; // magic and checksum precede

static void stream_start(struct stream *s, uint32_t *type, const char **options)
{
    stream_u32(s, type);
    stream_string(s, options);
}

// Identifies the target that a binary was compiled for; others are rejected.
static uint64_t binary_target(const struct kc_target *target)
{
    return hash_bytes64(target, sizeof *target); // caps are zeroed first, so padding is 0
}

static void write_code(struct stream *s, const struct program_build *build)
{
    uint32_t type = build->type;
    const char *options = build->options;
    stream_start(s, &type, &options);
    if (build->code) {
        struct kc_program program = *build->code->program;
        stream_program(s, &program);
    } else {
        stream_bytes(s, build->object, build->object_size);
    }
}

static void write_source(struct stream *s, const struct program_build *build, const struct program_text *source)
{
    const char *options = build->options;
    if (!source->text)
        return;
    stream_string(s, &options);
    stream_bytes(s, (char *)source->text, source->length);
}

static void set_checksum(struct stream *s)
{
    struct stream number = {.writing = true};
    uint64_t checksum = s->bad ? 0 : hash_bytes64(s->data + CHECKED_AT, s->size - CHECKED_AT);
    stream_u64(&number, &checksum);
    s->bad |= number.bad;
    if (!s->bad)
        memcpy(s->data + CHECKED_AT - number.size, number.data, number.size);
    free(number.data);
}

cl_int program_binary_write(const struct program_build *build, const struct program_text *source,
                            const struct kc_target *target, unsigned char **data, size_t *size)
{
    struct stream whole = {.writing = true}, code = {.writing = true}, text = {.writing = true};
    *data = NULL;
    *size = 0;
    if (!build->code && !build->object)
        return CL_SUCCESS;
    write_code(&code, build);
    write_source(&text, build, source);
    struct binary_header header = {BINARY_MAGIC, 0, BINARY_VERSION, binary_target(target), code.size, text.size};
    stream_header(&whole, &header);
    stream_bytes(&whole, code.data, code.size);
    stream_bytes(&whole, text.data, text.size);
    set_checksum(&whole);
    bool bad = code.bad || text.bad || whole.bad;
    free(code.data);
    free(text.data);
    if (bad) {
        free(whole.data);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *data = whole.data;
    *size = whole.size;
    return CL_SUCCESS;
}

// ---- reading ------------------------------------------------------------------------------------

struct loaded {
    struct kc_program program; // first member: the argument of program_binary_free()
    uint32_t type;
    const char *options;
    struct arena arena;
    jmp_buf full;
};

// What is wrong with all of it; NULL: nothing. Afterwards `s` ends with the code.
static const char *check_header(struct stream *s, struct binary_header *header)
{
    stream_header(s, header);
    if (s->bad || header->magic != BINARY_MAGIC)
        return "not a Pumice binary";
    size_t remaining = s->size - s->at;
    if (header->code_size > remaining || header->source_size != remaining - header->code_size)
        return "cut short";
    if (header->checksum != hash_bytes64(s->data + CHECKED_AT, s->size - CHECKED_AT))
        return "damaged";
    s->size -= header->source_size;
    return NULL;
}

// Why the code is of no use here.
static const char *check_code(const struct binary_header *header, uint64_t target)
{
    if (header->version != BINARY_VERSION)
        return "made by another version";
    return header->target == target ? NULL : "for another device";
}

static cl_int read_source(const unsigned char *data, size_t size, struct program_binary *binary)
{
    struct stream s = {.data = (unsigned char *)data, .size = size};
    uint32_t length;
    if (!size)
        return CL_SUCCESS;
    stream_count(&s, &length, 1);
    const char *options = (const char *)data + s.at;
    s.at += length;
    if (s.bad || memchr(options, 0, length))
        return CL_INVALID_BINARY;
    binary->source = (struct program_text){(const char *)data + s.at, size - s.at};
    binary->options = calloc(1, (size_t)length + 1);
    if (!binary->options)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(binary->options, options, length);
    return CL_SUCCESS;
}

// False: out of memory. setjmp() is in a function of its own, so no caller's locals are affected.
static bool binary_fill(struct stream *s, struct loaded *loaded)
{
    if (setjmp(loaded->full))
        return false;
    arena_init(&loaded->arena, s->size * 64 + (1 << 20), &loaded->full);
    s->arena = &loaded->arena;
    stream_start(s, &loaded->type, &loaded->options);
    if (loaded->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        stream_program(s, &loaded->program);
    return true;
}

static struct loaded *binary_load(struct stream *s)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded || binary_fill(s, loaded))
        return loaded;
    program_binary_free(&loaded->program);
    return NULL;
}

// The rest of the data is an object.
static bool binary_object(const struct stream *s, const struct kc_target *target,
                          struct program_binary *binary)
{
    bool known = binary->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                 binary->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
    binary->object = s->data + s->at;
    binary->object_size = s->size - s->at;
    return !s->bad && known && kc_check_object(binary->object, binary->object_size, target);
}

static cl_int read_code(struct stream *s, const struct kc_target *target, struct program_binary *binary)
{
    struct loaded *loaded = binary_load(s);
    if (!loaded)
        return CL_OUT_OF_HOST_MEMORY;
    binary->type = loaded->type;
    bool executable = loaded->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    bool good = executable ? !s->bad && s->at == s->size : binary_object(s, target, binary);
    cl_int error = good ? CL_SUCCESS : CL_INVALID_BINARY;
    if (good && !binary->options && !(binary->options = strdup(loaded->options)))
        error = CL_OUT_OF_HOST_MEMORY;
    if (executable && !error)
        binary->program = &loaded->program;
    else
        program_binary_free(&loaded->program);
    return error;
}

cl_int program_binary_read(const unsigned char *data, size_t size, const struct kc_target *target,
                           struct program_binary *binary)
{
    struct stream s = {.data = (unsigned char *)data, .size = size};
    struct binary_header header = {0};
    const char *why = check_header(&s, &header);
    *binary = (struct program_binary){.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
    cl_int error = why ? CL_INVALID_BINARY : read_source(data + s.size, header.source_size, binary);
    const char *no_code = why ? why : check_code(&header, binary_target(target));
    if (no_code)
        log_write(LOG_BUILD, "the program binary is unusable: %s%s", no_code, binary->source.text ? "; its source is built again" : "");
    if (!error && !no_code)
        error = read_code(&s, target, binary);
    else if (!error && !binary->source.text)
        error = CL_INVALID_BINARY;
    if (error) {
        free(binary->options);
        binary->options = NULL;
    }
    return error;
}

void program_binary_free(struct kc_program *program)
{
    struct loaded *loaded = (struct loaded *)program;
    arena_finish(&loaded->arena);
    free(loaded);
}
