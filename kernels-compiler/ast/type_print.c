// SPDX-License-Identifier: Apache-2.0
// Types as text: for messages (as a C declarator without a name), for clGetKernelArgInfo, and as short codes
// in link names.
//
// A declarator is written from the inside out: the chain of pointers, arrays and functions is walked once downwards
// for the text left of the name and once more for the text right of it.
#include "ast/types.h"
#include "util/stack.h"
#include "util/str.h"
#include <stdio.h>

static const char *const scalar_name[] = {
    [TYPE_ERROR] = "<error>", [TYPE_VOID] = "void", [TYPE_BOOL] = "bool", [TYPE_CHAR] = "char",
    [TYPE_UCHAR] = "uchar", [TYPE_SHORT] = "short", [TYPE_USHORT] = "ushort", [TYPE_INT] = "int",
    [TYPE_UINT] = "uint", [TYPE_LONG] = "long", [TYPE_ULONG] = "ulong", [TYPE_HALF] = "half",
    [TYPE_FLOAT] = "float", [TYPE_DOUBLE] = "double", [TYPE_BF16] = "__bf16", [TYPE_E4M3] = "__fp8_e4m3",
    [TYPE_E5M2] = "__fp8_e5m2",
};

static const char *const opaque_name[] = {
    [OPAQUE_SAMPLER] = "sampler_t",
    [OPAQUE_EVENT] = "event_t",
    [OPAQUE_QUEUE] = "queue_t",
    [OPAQUE_CLK_EVENT] = "clk_event_t",
    [OPAQUE_RESERVE_ID] = "reserve_id_t",
    [OPAQUE_PIPE] = "pipe",
    [OPAQUE_IMAGE1D] = "image1d_t",
    [OPAQUE_IMAGE1D_BUFFER] = "image1d_buffer_t",
    [OPAQUE_IMAGE1D_ARRAY] = "image1d_array_t",
    [OPAQUE_IMAGE2D] = "image2d_t",
    [OPAQUE_IMAGE2D_ARRAY] = "image2d_array_t",
    [OPAQUE_IMAGE2D_DEPTH] = "image2d_depth_t",
    [OPAQUE_IMAGE2D_ARRAY_DEPTH] = "image2d_array_depth_t",
    [OPAQUE_IMAGE2D_MSAA] = "image2d_msaa_t",
    [OPAQUE_IMAGE2D_ARRAY_MSAA] = "image2d_array_msaa_t",
    [OPAQUE_IMAGE2D_MSAA_DEPTH] = "image2d_msaa_depth_t",
    [OPAQUE_IMAGE2D_ARRAY_MSAA_DEPTH] = "image2d_array_msaa_depth_t",
    [OPAQUE_IMAGE3D] = "image3d_t",
};

static const char *const space_name[] = {"", "__local ", "__global ", "__constant ", "__generic "};

static const char *const access_name[] = {[KC_ACCESS_NONE] = "",
                                          [KC_ACCESS_READ_ONLY] = "__read_only ",
                                          [KC_ACCESS_WRITE_ONLY] = "__write_only ",
                                          [KC_ACCESS_READ_WRITE] = "__read_write "};

const char *type_opaque_name(enum type_opaque opaque)
{
    return opaque_name[opaque];
}

static void print_quals(struct str *out, unsigned quals)
{
    if (quals & QUAL_CONST)
        str_add(out, "const ");
    if (quals & QUAL_VOLATILE)
        str_add(out, "volatile ");
    if (quals & QUAL_RESTRICT)
        str_add(out, "restrict ");
}

static void print_tagged(struct str *out, const char *keyword, const struct type *type, const char *tag)
{
    if (tag)
        str_printf(out, "%s %s", keyword, tag);
    else if (type->name)
        str_add(out, type->name);
    else
        str_printf(out, "%s (unnamed)", keyword);
}

static void print_matrix(struct str *out, const struct type *type)
{
    static const char *const uses[] = {"A", "B", "accumulator"};
    if (!type->rows)
        str_add(out, "cooperative matrix");
    else
        str_printf(out, "%s %ux%u matrix %s", scalar_name[type->elem.type->kind], type->rows, type->columns, uses[type->use]);
}

// A type without declarator parts.
static void print_base(struct str *out, const struct type *type)
{
    stack_check();
    switch (type->kind) {
    case TYPE_VECTOR:
        str_printf(out, "%s%u", scalar_name[type->elem.type->kind], (unsigned)type->count);
        break;
    case TYPE_STRUCT: case TYPE_UNION:
        print_tagged(out, type->kind == TYPE_STRUCT ? "struct" : "union", type, type->record->tag);
        break;
    case TYPE_ENUM:
        print_tagged(out, "enum", type, type->tag);
        break;
    case TYPE_OPAQUE:
        str_add(out, opaque_name[type->opaque]);
        if (type->opaque == OPAQUE_PIPE && type->elem.type) {
            str_addc(out, ' ');
            type_print(out, type->elem);
        }
        break;
    case TYPE_MATRIX:
        print_matrix(out, type);
        break;
    default:
        str_add(out, scalar_name[type->kind]);
    }
}

static bool from_declarator(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_BLOCK || type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION;
}

static void print_suffix(struct str *out, const struct type *type)
{
    if (type->kind == TYPE_ARRAY) {
        if (type->incomplete)
            str_add(out, "[]");
        else
            str_printf(out, "[%llu]", (unsigned long long)type->count);
        return;
    }
    str_addc(out, '(');
    for (uint64_t i = 0; i < type->count; i++) {
        if (i)
            str_add(out, ", ");
        type_print(out, type->params[i]);
    }
    str_add(out, type->variadic ? ", ...)" : type->count ? ")" : "void)");
}

struct level {
    struct qtype type;
    bool parenthesized; // a pointer to an array or function
};

void type_print(struct str *out, struct qtype type)
{
    stack_check();
    VEC(struct level) levels = {0};
    struct qtype at = type;
    uint8_t space = at.space;
    for (; from_declarator(at.type); at = at.type->elem) {
        bool pointer = at.type->kind == TYPE_POINTER || at.type->kind == TYPE_BLOCK;
        bool suffixed = pointer && at.type->elem.type->kind != TYPE_POINTER && at.type->elem.type->kind != TYPE_BLOCK &&
                        from_declarator(at.type->elem.type);
        vec_push(out->arena, &levels, ((struct level){at, suffixed}));
        if (at.type->kind == TYPE_POINTER)
            space = at.type->elem.space;
    }
    print_quals(out, at.quals);
    if (levels.count)
        str_add(out, space_name[space]);
    str_add(out, access_name[at.access]);
    str_add(out, at.quals & QUAL_ATOMIC ? "atomic_" : "");
    print_base(out, at.type);
    if (levels.count && levels.items[levels.count - 1].type.type->kind != TYPE_FUNCTION)
        str_addc(out, ' ');

    for (size_t i = levels.count; i-- > 0;) {
        struct qtype level = levels.items[i].type;
        if (level.type->kind != TYPE_POINTER && level.type->kind != TYPE_BLOCK)
            continue;
        if (levels.items[i].parenthesized)
            str_addc(out, '(');
        // The address space of a pointee that is a pointer goes here; that of other pointees was printed first.
        if (level.type->elem.type->kind == TYPE_POINTER)
            str_add(out, space_name[level.type->elem.space]);
        str_addc(out, level.type->kind == TYPE_BLOCK ? '^' : '*');
        print_quals(out, level.quals);
    }
    for (size_t i = 0; i < levels.count; i++) {
        const struct type *level = levels.items[i].type.type;
        if (levels.items[i].parenthesized)
            str_addc(out, ')');
        if (level->kind != TYPE_POINTER && level->kind != TYPE_BLOCK)
            print_suffix(out, level);
    }
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
}

const char *type_name(struct arena *arena, struct qtype type)
{
    struct str out;
    str_init(&out, arena);
    type_print(&out, type);
    return out.text;
}

void type_print_arg(struct str *out, struct qtype type, const char *typedef_name)
{
    stack_check();
    unsigned stars = 0;
    for (; type.type->kind == TYPE_POINTER; type = type.type->elem)
        stars++;
    if (from_declarator(type.type)) {
        type.quals = 0;
        type_print(out, type);
    } else if (typedef_name) {
        str_add(out, typedef_name);
    } else if (type_is_opaque(type.type, OPAQUE_PIPE)) {
        type_print_arg(out, type.type->elem, NULL);
    } else {
        print_base(out, type.type);
    }
    while (stars--)
        str_addc(out, '*');
}

// ---- link names ------------------------------------------------------------------------------------

static void mangle(struct str *out, const struct type *type, uint8_t access)
{
    stack_check();
    static const char codes[] = "?vbchstijlmDfdyeE";
    static const char spaces[] = "plgcn";
    for (; type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY; type = type->elem.type)
        if (type->kind == TYPE_POINTER)
            str_printf(out, "P%c", spaces[type->elem.space]);
        else
            str_printf(out, "A%llu_", (unsigned long long)type->count);
    if (type->kind == TYPE_VECTOR) {
        str_printf(out, "v%u", (unsigned)type->count);
        type = type->elem.type;
    }
    if (type->kind == TYPE_MATRIX) {
        str_printf(out, "M%ux%u%c", type->rows, type->columns, "ABC"[type->use]);
        type = type->elem.type;
    }
    if (type_is_opaque(type, OPAQUE_PIPE)) {
        str_printf(out, "Q%c", access == KC_ACCESS_WRITE_ONLY ? 'w' : 'r');
        mangle(out, type->elem.type, access);
        return;
    }
    if (type->kind == TYPE_ENUM)
        type = type->elem.type;
    if (type_is_record(type))
        str_printf(out, "R%s", type->record->tag ? type->record->tag : type->name ? type->name : "");
    else if (type->kind == TYPE_OPAQUE && (type->opaque == OPAQUE_QUEUE || type->opaque == OPAQUE_CLK_EVENT))
        str_addc(out, 'm'); // the library's type for them
    else if (type->kind == TYPE_OPAQUE)
        str_printf(out, "O%s", opaque_name[type->opaque]);
    else if (type->kind <= TYPE_E5M2)
        str_addc(out, codes[type->kind]);
    else
        str_addc(out, '?');
}

const char *type_mangle(struct arena *arena, const char *name, const struct qtype *params, uint32_t count)
{
    struct str out;
    str_init(&out, arena);
    str_printf(&out, "%s.", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            str_addc(&out, '.');
        mangle(&out, params[i].type, params[i].access);
    }
    return out.text;
}
