// SPDX-License-Identifier: Apache-2.0
// Linking the builtin library on use.
//
// The blob, in 32-bit words of the host: count, then {name, text, length} offsets from the blob's start, sorted by
// name; then the bytes. An entry is the IR text of one function or one variable. What a text names by `@` is
// looked up too: variables before the text is parsed, functions when their declaration is met.
#include "library.h"
#include <ctype.h>
#include <stdlib.h>

struct entry {
    uint32_t name, text, length;
};

struct blob {
    const unsigned char *bytes;
    const struct entry *entries;
    uint32_t count;
};

static struct blob open_blob(void)
{
    size_t size;
    const unsigned char *bytes = library_blob(&size);
    if (size < 4)
        return (struct blob){0};
    return (struct blob){bytes, (const struct entry *)(const void *)(bytes + 4), *(const uint32_t *)(const void *)bytes};
}

static const struct entry *find(const struct blob *blob, const char *name, size_t length)
{
    uint32_t low = 0, high = blob->count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        const char *at = (const char *)blob->bytes + blob->entries[mid].name;
        int order = strncmp(at, name, length);
        if (!order)
            order = at[length] != 0;
        if (!order)
            return &blob->entries[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static bool has_var(const struct ir_module *m, const char *name, size_t length)
{
    for (size_t i = 0; i < m->vars.count; i++)
        if (!strncmp(m->vars.items[i]->name, name, length) && !m->vars.items[i]->name[length])
            return true;
    return false;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$'; }

static const char *parse_entry(struct ir_module *m, const struct blob *blob, const struct entry *e);

// The variables that a text names.
static const char *parse_vars(struct ir_module *m, const struct blob *blob, const char *text, size_t length)
{
    const char *error = NULL, *end = text + length;
    for (const char *at = text; !error && (at = memchr(at, '@', (size_t)(end - at)));) {
        const char *name = ++at;
        while (at < end && is_name(*at))
            at++;
        const struct entry *e = find(blob, name, (size_t)(at - name));
        bool is_var = e && !memcmp(blob->bytes + e->text, "var", 3);
        if (is_var && (const char *)blob->bytes + e->text != text && !has_var(m, name, (size_t)(at - name)))
            error = parse_entry(m, blob, e);
    }
    return error;
}

static const char *parse_entry(struct ir_module *m, const struct blob *blob, const struct entry *e)
{
    const char *text = (const char *)blob->bytes + e->text;
    const char *error = parse_vars(m, blob, text, e->length);
    return error ? error : ir_parse(m, text, e->length);
}

// ---- what depends on the device ------------------------------------------------------------------
//
// The library is compiled for a device that has a fused multiply-add, a program's own code for its device. Here both
// meet: the operation stays or comes back where lower_arith has a quick way, elsewhere the library's function does it.
// And the library asks whether the device's filter for images is to be used, and whether its functions are good enough
// for the quick forms of ours.

static const char *const fma_names[] = {"fma.D.D.D", "fma.f.f.f", "fma.d.d.d"};

static bool fma_is_quick(const struct kc_target *target, unsigned index)
{
    return target->fused_fma[index] || index == 0 || (index == 1 && target->float64);
}

static struct ir_instr *fma_calls(struct ir_builder *b, struct ir_instr *x)
{
    struct ir_type scalar = ir_with_lanes(x->type, 1), types[3] = {scalar, scalar, scalar};
    struct ir_function *callee = ir_function_get(b->module, fma_names[x->type.bits / 32], scalar, types, 3);
    struct ir_instr *lanes[16], *args[3];
    for (unsigned lane = 0; lane < x->type.lanes; lane++) {
        for (unsigned i = 0; i < 3; i++)
            args[i] = ir_extract(b, x->src[i], lane);
        lanes[lane] = ir_call(b, callee, args, 3);
    }
    return x->type.lanes == 1 ? lanes[0] : ir_vec(b, lanes, x->type.lanes);
}

static struct ir_instr *settled_fma(struct ir_builder *b, struct ir_instr *x)
{
    const struct kc_target *target = b->module->target;
    bool is_op = x->op == IR_OP_fma && !(x->flags & IR_FAST);
    if (is_op && !fma_is_quick(target, x->type.bits / 32u))
        return fma_calls(b, x);
    if (x->op != IR_OP_call || strncmp(x->callee->name, "fma.", 4) || x->src_count != 3)
        return NULL;
    unsigned index = x->type.bits / 32u;
    if (strcmp(x->callee->name, fma_names[index]) || !fma_is_quick(target, index))
        return NULL;
    return ir_op3(b, IR_OP_fma, x->src[0], x->src[1], x->src[2]);
}

static struct ir_instr *settled(struct ir_builder *b, struct ir_instr *x)
{
    if (x->op == IR_OP_image_info && x->image.info == IR_IMAGE_FILTER)
        return ir_const_int(b->module, x->type, b->module->target->image_linear_filter);
    if (x->op == IR_OP_call && !strcmp(x->callee->name, "native_is_close.f"))
        return ir_const_int(b->module, x->type, b->module->target->close_natives);
    return x->op == IR_OP_fma || x->op == IR_OP_call ? settled_fma(b, x) : NULL;
}

static void settle(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            struct ir_builder b = {.module = f->module, .function = f, .block = block, .before = x};
            next = x->next;
            struct ir_instr *value = settled(&b, x);
            if (!value)
                continue;
            ir_replace(x, value);
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
}

const char *library_link(struct ir_module *m)
{
    struct blob blob = open_blob();
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body)
            settle(m->functions.items[i]);
    for (size_t i = 0; i < m->functions.count; i++) { // grows as callees are declared
        struct ir_function *f = m->functions.items[i];
        if (f->has_body)
            continue;
        const struct entry *e = find(&blob, f->name, strlen(f->name));
        if (!e)
            return arena_printf(m->arena, "'%s' is not implemented yet", f->name);
        const char *error = parse_entry(m, &blob, e);
        if (error)
            return arena_printf(m->arena, "internal: library function '%s': %s", f->name, error);
        f->from_library = true;
        settle(f);
    }
    return NULL;
}
