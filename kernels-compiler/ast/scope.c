// SPDX-License-Identifier: Apache-2.0
// Scopes and the predefined type names of OpenCL C.
//
// An empty scope allocates nothing. Predefined type names are not entered in a scope: a name that is in no scope is
// parsed (element type, lanes) when it first occurs, so a compilation pays only for the names it uses.
#include "ast/scope.h"
#include "ast/types.h"
#include "util/str.h"
#include <string.h>

void scope_push(struct ast *ast)
{
    struct scope *scope = ARENA_NEW(ast->arena, struct scope);
    scope->outer = ast->scope;
    ast->scope = scope;
}

void scope_pop(struct ast *ast)
{
    ast->scope = ast->scope->outer;
}

struct decl *scope_find_here(const struct ast *ast, const char *name)
{
    return map_get(&ast->scope->names, name);
}

struct decl *scope_find(const struct ast *ast, const char *name)
{
    for (const struct scope *scope = ast->scope; scope; scope = scope->outer) {
        struct decl *decl = scope->names.count ? map_get(&scope->names, name) : NULL;
        if (decl)
            return decl;
    }
    return NULL;
}

void scope_add(struct ast *ast, struct decl *decl)
{
    map_set(ast->arena, &ast->scope->names, decl->name, decl);
}

struct type *scope_find_tag(const struct ast *ast, const char *name, bool here_only)
{
    for (const struct scope *scope = ast->scope; scope; scope = here_only ? NULL : scope->outer) {
        struct type *type = scope->tags.count ? map_get(&scope->tags, name) : NULL;
        if (type)
            return type;
    }
    return NULL;
}

void scope_add_tag(struct ast *ast, const char *name, struct type *type)
{
    map_set(ast->arena, &ast->scope->tags, name, type);
}

// ---- predefined types ------------------------------------------------------------------------------

struct word {
    const char *name;
    enum type_kind kind;
};

static const struct word elements[] = {
    {"char", TYPE_CHAR},   {"uchar", TYPE_UCHAR}, {"short", TYPE_SHORT}, {"ushort", TYPE_USHORT},
    {"int", TYPE_INT},     {"uint", TYPE_UINT},   {"long", TYPE_LONG},   {"ulong", TYPE_ULONG},
    {"half", TYPE_HALF},   {"float", TYPE_FLOAT}, {"double", TYPE_DOUBLE},
};

// Pointer-sized types: see scope_narrowed().
static const struct word names[] = {
    {"size_t", TYPE_ULONG}, {"ptrdiff_t", TYPE_LONG}, {"intptr_t", TYPE_LONG}, {"uintptr_t", TYPE_ULONG},
};

// Types with a leading underscore: storage-only float formats.
static const struct word storage_floats[] = {
    {"__bf16", TYPE_BF16}, {"__fp8_e4m3", TYPE_E4M3}, {"__fp8_e5m2", TYPE_E5M2},
};

// coop_matrix_*: parameter types of cooperative matrix functions.
static const char *const matrix_types[] = {"scope_t", "use_t", "layout_t", "operands_t"};

// Atomic objects have the type of their value; OpenCL C does not restrict how programs access them.
static const struct word atomics[] = {
    {"int", TYPE_INT}, {"uint", TYPE_UINT}, {"long", TYPE_LONG}, {"ulong", TYPE_ULONG}, {"half", TYPE_HALF},
    {"float", TYPE_FLOAT}, {"double", TYPE_DOUBLE}, {"flag", TYPE_INT}, {"size_t", TYPE_ULONG}, {"ptrdiff_t", TYPE_LONG},
    {"intptr_t", TYPE_LONG}, {"uintptr_t", TYPE_ULONG},
};

enum type_kind scope_narrowed(const struct ast *ast, enum type_kind kind)
{
    return kc_pointer_bytes(ast->target) == 8 ? kind : kind == TYPE_LONG ? TYPE_INT : TYPE_UINT;
}

bool scope_type_available(const struct ast *ast, enum type_kind kind, const char **why)
{
    *why = NULL;
    if (kind == TYPE_DOUBLE && !ast->target->float64)
        *why = "requires cl_khr_fp64 support";
    if (kind == TYPE_HALF && !ast->target->float16)
        *why = "requires cl_khr_fp16 support";
    return !*why;
}

static struct type *element_or_vector(struct ast *ast, const char *name, const char **why)
{
    size_t length = strcspn(name, "0123456789");
    const char *digits = name + length;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (strlen(elements[i].name) != length || memcmp(elements[i].name, name, length))
            continue;
        struct type *scalar = type_basic(ast->types, elements[i].kind);
        unsigned lanes = !strcmp(digits, "2") ? 2 : !strcmp(digits, "3") ? 3 : !strcmp(digits, "4") ? 4
                       : !strcmp(digits, "8") ? 8 : !strcmp(digits, "16") ? 16 : 0;
        if (*digits && !lanes)
            return NULL;
        scope_type_available(ast, elements[i].kind, why);
        return lanes ? type_vector(ast->types, scalar, lanes) : scalar;
    }
    return NULL;
}

static struct type *opaque(struct ast *ast, const char *name, const char **why)
{
    for (int i = 0; i < OPAQUE_COUNT; i++) {
        if (strcmp(type_opaque_name((enum type_opaque)i), name) || (i == OPAQUE_RESERVE_ID && !ast_has_pipes(ast)))
            continue;
        if (i == OPAQUE_QUEUE || i == OPAQUE_CLK_EVENT)
            return NULL;
        if (i >= OPAQUE_IMAGE1D && !ast->target->images)
            *why = "requires image support, which the device lacks";
        else if (strstr(name, "msaa"))
            *why = "requires cl_khr_gl_msaa_sharing support";
        else if (strstr(name, "depth") && ast->version < 200 && !ast_has(ast, KC_EXT_DEPTH_IMAGES))
            *why = "requires cl_khr_depth_images support";
        return &ast->types->opaque[i];
    }
    return NULL;
}

bool scope_is_type_keyword(const struct ast *ast, const char *name)
{
    if (!strcmp(name, "pipe"))
        return ast_has_pipes(ast);
    if (strncmp(name, "image", 5) != 0 || scope_find(ast, name))
        return false;
    for (int i = OPAQUE_IMAGE1D; i < OPAQUE_COUNT; i++)
        if (!strcmp(type_opaque_name((enum type_opaque)i), name))
            return true;
    return false;
}

static bool has_wide_atomics(const struct ast *ast)
{
    return ast_has(ast, KC_EXT_INT64_BASE_ATOMICS) && ast_has(ast, KC_EXT_INT64_EXTENDED_ATOMICS);
}

static struct type *atomic(struct ast *ast, const char *name, const char **why)
{
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        if (strcmp(name, atomics[i].name))
            continue;
        enum type_kind kind = atomics[i].kind;
        struct type *type = type_basic(ast->types, strchr(name, '_') ? scope_narrowed(ast, kind) : kind);
        scope_type_available(ast, type->kind, why);
        if (type->size == 8 && !*why && !has_wide_atomics(ast))
            *why = "requires cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics support";
        return type;
    }
    return NULL;
}

// Types of device-side enqueue. The library treats queues and events as numbers.
static struct type *enqueue_type(struct ast *ast, const char *name)
{
    if (!strcmp(name, "queue_t"))
        return ast->library ? type_basic(ast->types, TYPE_ULONG) : &ast->types->opaque[OPAQUE_QUEUE];
    if (!strcmp(name, "clk_event_t"))
        return ast->library ? type_basic(ast->types, TYPE_ULONG) : &ast->types->opaque[OPAQUE_CLK_EVENT];
    if (!strcmp(name, "ndrange_t"))
        return type_ndrange(ast->types);
    if (!strcmp(name, "kernel_enqueue_flags_t") || !strcmp(name, "clk_profiling_info"))
        return type_basic(ast->types, TYPE_INT);
    return NULL;
}

// Types of OpenCL C 2.0 that the device does not support.
static struct type *unsupported_type(struct ast *ast, const char *name, const char **why)
{
    static const char *const enqueue[] = {"queue_t", "clk_event_t", "ndrange_t"};
    static const char *const pipes[] = {"pipe", "reserve_id_t"};
    for (size_t i = 0; i < sizeof enqueue / sizeof *enqueue; i++)
        if (!strcmp(name, enqueue[i]))
            *why = "requires __opencl_c_device_enqueue support";
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes && !ast_has_pipes(ast); i++)
        if (!strcmp(name, pipes[i]))
            *why = "requires __opencl_c_pipes support";
    return *why ? type_basic(ast->types, TYPE_ERROR) : NULL;
}

struct type *scope_predefined_type(struct ast *ast, const char *name, const char **why)
{
    static const char first_letters[] = "acdefhiklmnpqrsu";
    *why = NULL;
    for (size_t i = 0; name[0] == '_' && i < sizeof storage_floats / sizeof *storage_floats; i++)
        if (!strcmp(name, storage_floats[i].name))
            return type_basic(ast->types, storage_floats[i].kind);
    if (!strchr(first_letters, name[0]))
        return NULL;
    struct type *type = element_or_vector(ast, name, why);
    if (type)
        return type;
    if (ast->version >= 200 && !strncmp(name, "atomic_", 7))
        return atomic(ast, name + 7, why);
    if (ast->version >= 200 && (!strcmp(name, "memory_order") || !strcmp(name, "memory_scope")))
        return type_basic(ast->types, TYPE_INT);
    type = ast_has_blocks(ast) || (ast->library && ast->version >= 200) ? enqueue_type(ast, name) : NULL;
    if (!type)
        type = ast->version >= 200 ? unsupported_type(ast, name, why) : NULL;
    if (type)
        return type;
    if (!strcmp(name, "pipe") && ast_has_pipes(ast))
        return &ast->types->opaque[OPAQUE_PIPE];
    size_t length = strlen(name);
    if (length < 3 || strcmp(name + length - 2, "_t"))
        return strcmp(name, "cl_mem_fence_flags") ? NULL : type_basic(ast->types, TYPE_UINT);
    if (!strncmp(name, "coop_matrix_", 12) && ast_has_matrices(ast))
        for (size_t i = 0; i < sizeof matrix_types / sizeof *matrix_types; i++)
            if (!strcmp(name + 12, matrix_types[i]))
                return type_basic(ast->types, TYPE_UINT);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name))
            return type_basic(ast->types, scope_narrowed(ast, names[i].kind));
    return opaque(ast, name, why);
}
