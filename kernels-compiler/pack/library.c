// SPDX-License-Identifier: Apache-2.0
// Links the built-in library on demand.
//
// A function's text is unpacked and parsed if the module declares it; the variables that it names with `@` are parsed
// first.
#include "pack/library.h"
#include "pack/library_blob.h"
#include "util/stack.h"
#include <ctype.h>
#include <stdlib.h>

struct blob {
    const unsigned char *bytes;
    const struct squeeze_rule *rules;
    const struct library_entry *entries;
    uint32_t count;
};

static struct blob open_blob(void)
{
    size_t size;
    const unsigned char *bytes = library_blob(&size);
    if (size < sizeof(struct library_head))
        return (struct blob){0};
    const struct library_head *head = (const struct library_head *)(const void *)bytes;
    const struct squeeze_rule *rules = (const struct squeeze_rule *)(head + 1);
    const struct library_entry *entries = (const struct library_entry *)(rules + head->rule_count);
    return (struct blob){bytes, rules, entries, head->entry_count};
}

static const struct library_entry *find(const struct blob *blob, const char *name, size_t length)
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

static const char *parse_entry(struct ir_module *m, const struct blob *blob, const struct library_entry *e);

// Parses the variables that the text of `self` names.
static const char *parse_vars(struct ir_module *m, const struct blob *blob, const struct library_entry *self,
                              const char *text)
{
    stack_check();
    const char *error = NULL;
    for (const char *at = text; !error && (at = strchr(at, '@'));) {
        const char *name = ++at;
        while (is_name(*at))
            at++;
        const struct library_entry *e = find(blob, name, (size_t)(at - name));
        if (e && e != self && e->is_var && !has_var(m, name, (size_t)(at - name)))
            error = parse_entry(m, blob, e);
    }
    return error;
}

static const char *parse_entry(struct ir_module *m, const struct blob *blob, const struct library_entry *e)
{
    const uint16_t *symbols = (const uint16_t *)(const void *)(blob->bytes + e->text);
    const char *text = unsqueeze(m->arena, blob->rules, symbols, e->length);
    const char *error = parse_vars(m, blob, e, text);
    return error ? error : ir_parse(m, text, e->length);
}

// ---- device-dependent operations -----------------------------------------------------------------
//
// The library is compiled for a device with fused multiply-add, a program's own code for its device. Here both are
// unified: the operation is used if lower_arith has a fast form for it, else the library function is called. The
// library's queries whether to use the device's image filter, and whether native functions are accurate enough for
// the fast forms, are answered here too.

static const char *const fma_names[] = {"fma.D.D.D", "fma.f.f.f", "fma.d.d.d"};

static bool fma_is_quick(const struct kc_target *target, unsigned index)
{
    return target->fused_fma[index] || index == 0 || (index == 1 && target->float64);
}

static struct ir_instr *specialized_fma(struct ir_builder *b, struct ir_instr *x)
{
    const struct kc_target *target = b->module->target;
    bool is_op = x->op == IR_OP_fma && !(x->flags & (IR_FAST | IR_LOOSE));
    unsigned index = x->type.bits / 32u;
    if (is_op && !fma_is_quick(target, index)) {
        struct ir_instr *simpler = ir_simpler_fma(b, x->src, false);
        return simpler ? simpler : ir_call_by_lanes(b, fma_names[index], x->src, x->src_count);
    }
    if (x->op != IR_OP_call || x->src_count != 3 || strncmp(x->callee->name, "fma.", 4) ||
        strcmp(x->callee->name, fma_names[index]))
        return NULL;
    if (fma_is_quick(target, index))
        return ir_op3(b, IR_OP_fma, x->src[0], x->src[1], x->src[2]);
    return ir_simpler_fma(b, x->src, false);
}

// Operations on doubles where the device's own are not used
static struct ir_instr *own_double(struct ir_builder *b, struct ir_instr *x)
{
    if (x->type.base != IR_FLOAT || x->type.bits != 64 || ir_is_matrix(x->type))
        return NULL;
    if (x->op == IR_OP_fdiv && x->src[0] == ir_const_float(b->module, x->type, 1))
        return ir_call_by_lanes(b, "close_inverse.d", &x->src[1], 1);
    const char *name = x->op == IR_OP_fdiv ? "close_quotient.d.d" : x->op == IR_OP_fsqrt ? "close_root.d" : x->op == IR_OP_frsqrt ? "close_rsqrt.d" : NULL;
    return name ? ir_call_by_lanes(b, name, x->src, x->src_count) : NULL;
}

static struct ir_instr *specialized(struct ir_builder *b, struct ir_instr *x)
{
    if (x->op == IR_OP_image_info)
        return ir_image_info_of_target(b, x);
    if (x->op == IR_OP_call && !strcmp(x->callee->name, "native_is_close.f"))
        return ir_const_int(b->module, x->type, b->module->target->close_natives);
    struct ir_instr *own = b->module->target->own_doubles ? own_double(b, x) : NULL;
    if (own)
        return own;
    return x->op == IR_OP_fma || x->op == IR_OP_call ? specialized_fma(b, x) : NULL;
}

static void specialize(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            struct ir_builder b = {.module = f->module, .function = f, .block = block, .before = x};
            next = x->next;
            struct ir_instr *value = specialized(&b, x);
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
            specialize(m->functions.items[i]);
    for (size_t i = 0; i < m->functions.count; i++) { // grows as callees are declared
        struct ir_function *f = m->functions.items[i];
        if (f->has_body)
            continue;
        const struct library_entry *e = find(&blob, f->name, strlen(f->name));
        if (!e)
            return arena_printf(m->arena, "'%s' is not implemented yet", f->name);
        const char *error = parse_entry(m, &blob, e);
        if (error)
            return arena_printf(m->arena, "internal: library function '%s': %s", f->name, error);
        f->from_library = true;
        specialize(f);
    }
    return NULL;
}
