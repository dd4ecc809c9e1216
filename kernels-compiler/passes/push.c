// SPDX-License-Identifier: Apache-2.0
// The layout of the push block and the table of specialization constants; see push.h.
#include "passes/push.h"
#include "passes/mapping.h"
#include "passes/passes.h"

struct ir_kernel *push_kernel(struct ir_module *module)
{
    for (size_t i = 0; i < module->functions.count; i++)
        if (module->functions.items[i]->kernel)
            return module->functions.items[i]->kernel;
    return NULL;
}

// Makes room for one more entry in an array whose capacity is the next power of two.
static void *grow(struct arena *arena, const void *items, uint32_t count, size_t size)
{
    if (count & (count - 1))
        return (void *)items;
    char *bigger = arena_alloc(arena, size * (count ? 2 * (size_t)count : 1));
    if (count)
        memcpy(bigger, items, size * count);
    return bigger;
}

// The push constants (number 0), or under a mapping the block bound at the kernel's binding number - 1; at least
// `size` bytes.
static struct ir_var *push_var(struct ir_module *module, uint32_t number, uint32_t size)
{
    struct ir_var *var = NULL;
    for (size_t i = 0; i < module->vars.count && !var; i++)
        if (module->vars.items[i]->space == IR_PUSH && module->vars.items[i]->binding == number)
            var = module->vars.items[i];
    if (!var) {
        var = ir_var_add(module, NULL, "push", IR_PUSH, 0, 8);
        var->elem = ir_int(32);
        var->binding = number;
    }
    if (size > var->size) {
        var->size = (size + 3) & ~3u;
        var->count = var->size / 4;
    }
    return var;
}

static uint32_t push_field(struct ir_module *module, enum kc_push_kind kind, unsigned dim,
                           unsigned arg, uint32_t size)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    for (uint32_t i = 0; i < info->push_count; i++) {
        const struct kc_push *field = &info->push[i];
        if (field->kind == kind && field->dim == dim && field->arg == arg)
            return field->offset;
    }
    uint32_t align = size >= 8 ? 8 : 4;
    uint32_t offset = (info->push_size + align - 1) & ~(align - 1);
    struct kc_push *fields = grow(module->arena, info->push, info->push_count, sizeof *fields);
    fields[info->push_count++] = (struct kc_push){kind, dim, arg, offset, size};
    info->push = fields;
    info->push_size = (offset + size + 3) & ~3u;
    return offset;
}

// Where a field of `size` bytes is: a block of words, and the field's offset in it.
struct field {
    struct ir_var *block;
    uint32_t offset;
};

static struct field field_of(struct ir_module *module, enum kc_push_kind kind, unsigned dim, unsigned arg, uint32_t size)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    if (!module->mapping) {
        uint32_t offset = push_field(module, kind, dim, arg, size);
        return (struct field){push_var(module, 0, info->push_size), offset};
    }
    struct mapping_field field = mapping_field_of(module, info, kind, dim, arg);
    uint32_t number = field.bound ? 1 + push_binding(module, field.binding) : 0;
    return (struct field){push_var(module, number, field.end), field.offset};
}

static bool is_word(const struct ir_instr *x) { return x && x->op == IR_OP_elem_load && x->var->space == IR_PUSH; }

// Builds after the word loads, before any use of the value.
static struct ir_builder after_words(struct ir_builder *b)
{
    struct ir_block *entry = ir_first_block(b->function);
    struct ir_instr *at = entry->first;
    while (is_word(at))
        at = at->next;
    return (struct ir_builder){
        .module = b->module, .function = b->function, .block = entry, .before = at};
}

// The load of one word of the block at the start of the function; an existing one is reused. `after` becomes
// after_words().
static struct ir_instr *load_word(struct ir_builder *b, struct ir_var *var, uint32_t word, struct ir_builder *after)
{
    struct ir_block *entry = ir_first_block(b->function);
    struct ir_instr *at = entry->first, *found = NULL;
    for (; is_word(at); at = at->next)
        if (!found && at->var == var && ir_is_const(at->src[0]) && at->src[0]->lanes[0] == word)
            found = at;
    *after = (struct ir_builder){
        .module = b->module, .function = b->function, .block = entry, .before = at};
    return found ? found : ir_elem_load(after, var, ir_const_int(b->module, ir_int(32), word));
}

static struct ir_instr *lane_value(struct ir_builder *b, struct ir_var *var, uint32_t offset, struct ir_type scalar)
{
    struct ir_builder at;
    struct ir_instr *word = load_word(b, var, offset / 4, &at);
    if (scalar.bits == 64) {
        struct ir_instr *pair[2] = {word, load_word(b, var, offset / 4 + 1, &at)};
        return ir_convert(&at, IR_OP_bitcast, scalar, ir_vec(&at, pair, 2));
    }
    if (scalar.bits < 32) {
        word = ir_op2(&at, IR_OP_lshr, word, ir_const_int(b->module, ir_int(32), offset % 4 * 8));
        word = ir_convert(&at, IR_OP_trunc, ir_int(scalar.bits), word);
    }
    return scalar.base == IR_INT ? word : ir_convert(&at, IR_OP_bitcast, scalar, word);
}

struct ir_instr *push_value(struct ir_builder *b, enum kc_push_kind kind, unsigned dim,
                            unsigned arg, struct ir_type type)
{
    if (b->module->mapping) {
        struct ir_builder head = after_words(b);
        struct ir_instr *launch_value = mapping_value(&head, push_kernel(b->module), kind, dim, arg, type);
        if (launch_value)
            return launch_value;
    }
    struct ir_type scalar = ir_with_lanes(type, 1);
    uint32_t bytes = scalar.bits / 8u;
    struct field field = field_of(b->module, kind, dim, arg, bytes * (type.lanes == 3 ? 4u : type.lanes));
    struct ir_instr *lanes[16];
    for (unsigned i = 0; i < type.lanes; i++)
        lanes[i] = lane_value(b, field.block, field.offset + i * bytes, scalar);
    if (type.lanes == 1)
        return lanes[0];
    struct ir_builder at = after_words(b);
    if (lanes[0]->op != IR_OP_elem_load) // newer values are inserted before older ones: lane 0 is the last
        at.before = lanes[0]->next;
    return ir_vec(&at, lanes, type.lanes);
}

struct ir_instr *push_word(struct ir_builder *b, enum kc_push_kind kind, unsigned dim, unsigned arg,
                           uint32_t size, uint32_t word)
{
    struct field field = field_of(b->module, kind, dim, arg, size);
    uint32_t at = field.offset + 4 * word, shift = at % 4 * 8;
    struct ir_builder after;
    struct ir_instr *low = load_word(b, field.block, at / 4, &after), *high = NULL;
    if (shift && size - 4 * word > 4 - at % 4)
        high = load_word(b, field.block, at / 4 + 1, &after);
    if (!shift)
        return low;
    low = ir_op2(&after, IR_OP_lshr, low, ir_const_int(b->module, ir_int(32), shift));
    if (!high)
        return low;
    high = ir_op2(&after, IR_OP_shl, high, ir_const_int(b->module, ir_int(32), 32 - shift));
    return ir_op2(&after, IR_OP_or, low, high);
}

uint32_t push_spec(struct ir_module *module, enum kc_spec_kind kind, unsigned dim, unsigned arg,
                   uint32_t unit)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    uint32_t next = 3;
    for (uint32_t i = 0; i < info->spec_count; i++) {
        const struct kc_spec *spec = &info->specs[i];
        if (spec->kind == kind && spec->dim == dim && spec->arg == arg && spec->unit == unit)
            return spec->id;
        next = spec->id >= next ? spec->id + 1 : next;
    }
    struct kc_spec *specs = grow(module->arena, info->specs, info->spec_count, sizeof *specs);
    uint32_t id = kind == KC_SPEC_LOCAL_SIZE ? dim : next;
    if (module->mapping && kind == KC_SPEC_LOCAL_ARG)
        id = info->places[arg].spec_id;
    specs[info->spec_count++] = (struct kc_spec){kind, id, dim, arg, unit};
    info->specs = specs;
    return id;
}

void push_drop_spec(struct ir_module *module, uint32_t id)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    struct kc_spec *specs = (void *)info->specs; // allocated by push_spec()
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (specs[i].id != id)
            specs[count++] = specs[i];
    info->spec_count = count;
}

// Samplers get their ids before the sizes of local arguments.
bool push_sampler(struct ir_module *module, unsigned arg, uint32_t *id)
{
    if (module->target->mapping.on || push_kernel(module)->info.arg_count > UINT8_MAX - 4)
        return false;
    *id = push_spec(module, KC_SPEC_SAMPLER, 0, arg, 1);
    return true;
}

uint32_t push_binding(struct ir_module *module, struct kc_binding binding)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    for (uint32_t i = 0; i < info->binding_count; i++) {
        const struct kc_binding *old = &info->bindings[i];
        if (old->kind == binding.kind && old->arg == binding.arg && old->texel == binding.texel && old->level == binding.level)
            return i;
    }
    struct kc_binding *bindings = grow(module->arena, info->bindings, info->binding_count, sizeof *bindings);
    uint32_t number = info->binding_count++;
    binding.binding = number;
    if (module->mapping)
        mapping_bind(module, info, &binding);
    bindings[number] = binding;
    info->bindings = bindings;
    return number;
}
