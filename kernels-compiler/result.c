// SPDX-License-Identifier: Apache-2.0
// Makes kc_program: a deep copy of a build's result in an arena that is freed with it.
#include "result.h"

#include <stdlib.h>
#include <string.h>

struct result {
    struct kc_program program; // must be first: callers hold a pointer to it
    struct arena arena;
    jmp_buf full;
};

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strndup(arena, text, strlen(text)) : "";
}

struct kc_kernel result_copy_kernel(struct arena *arena, const struct kc_kernel *from)
{
    struct kc_kernel k = *from;
    struct kc_arg *args = arena_copy(arena, from->args, from->arg_count * sizeof *args);
    for (uint32_t i = 0; i < from->arg_count; i++) {
        args[i].name = copy_text(arena, args[i].name);
        args[i].type_name = copy_text(arena, args[i].type_name);
    }
    k.name = copy_text(arena, from->name);
    k.attributes = copy_text(arena, from->attributes);
    k.args = args;
    k.spirv = arena_copy(arena, from->spirv, from->spirv_words * 4);
    k.push = arena_copy(arena, from->push, from->push_count * sizeof *k.push);
    k.bindings = arena_copy(arena, from->bindings, from->binding_count * sizeof *k.bindings);
    k.places = from->places ? arena_copy(arena, from->places, from->arg_count * sizeof *k.places) : NULL;
    k.specs = arena_copy(arena, from->specs, from->spec_count * sizeof *k.specs);
    return k;
}

static void copy_contents(struct result *r, const struct result_source *from)
{
    struct kc_program *p = &r->program;
    struct kc_kernel *kernels = ARENA_ARRAY(&r->arena, struct kc_kernel, from->kernel_count);
    for (uint32_t i = 0; i < from->kernel_count; i++)
        kernels[i] = result_copy_kernel(&r->arena, &from->kernels[i]);
    struct kc_file *files = arena_copy(&r->arena, from->files, from->file_count * sizeof *files);
    for (uint32_t i = 0; i < from->file_count; i++)
        files[i].path = copy_text(&r->arena, files[i].path);
    p->files = files;
    p->file_count = from->file_count;
    p->log = copy_text(&r->arena, from->log);
    p->kernels = kernels;
    p->kernel_count = from->kernel_count;
    p->data = arena_copy(&r->arena, from->data, from->data_size);
    p->data_size = from->data_size;
    p->data_writable = from->data_writable;
    p->uniform_work_groups = from->uniform_work_groups;
    p->relocations = arena_copy(&r->arena, from->relocations, from->relocation_count * sizeof *p->relocations);
    p->relocation_count = from->relocation_count;
    p->data_layout = from->data_layout;
    p->spirv = arena_copy(&r->arena, from->spirv, from->spirv_words * 4);
    p->spirv_words = from->spirv_words;
    p->shared = arena_copy(&r->arena, from->shared, from->shared_count * sizeof *p->shared);
    p->shared_count = from->shared_count;
    p->samplers = arena_copy(&r->arena, from->samplers, from->sampler_count * sizeof *p->samplers);
    p->sampler_count = from->sampler_count;
    p->object = from->object ? arena_copy(&r->arena, from->object, from->object_size) : NULL;
    p->object_size = (uint32_t)from->object_size;
}

static const char *no_empty_log(enum kc_status status, const char *log)
{
    if (status == KC_OK || *log)
        return log;
    return status == KC_OUT_OF_MEMORY ? "error: out of memory\n" : "error: the build failed\n";
}

struct kc_program *result_create(const struct result_source *source)
{
    struct result *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->program.status = source->status;
    arena_init(&r->arena, 0, &r->full);
    if (!setjmp(r->full)) {
        copy_contents(r, source);
    } else {
        arena_finish(&r->arena);
        r->program = (struct kc_program){.status = KC_OUT_OF_MEMORY, .log = ""};
    }
    r->program.log = no_empty_log(r->program.status, r->program.log);
    return &r->program;
}

// The object, its log and its bytes share one allocation.
struct kc_object *result_object(enum kc_status status, const char *log, const void *bytes, size_t size)
{
    log = no_empty_log(status, log ? log : "");
    size_t length = strlen(log) + 1;
    struct kc_object *object = malloc(sizeof *object + size + length);
    if (!object)
        return NULL;
    unsigned char *at = (unsigned char *)(object + 1);
    if (size)
        memcpy(at, bytes, size);
    memcpy(at + size, log, length);
    *object = (struct kc_object){status, (const char *)at + size, at, size};
    return object;
}

void kc_object_destroy(struct kc_object *object) { free(object); }

void kc_program_destroy(struct kc_program *program)
{
    struct result *r = (struct result *)program;
    if (!r)
        return;
    arena_finish(&r->arena);
    free(r);
}
