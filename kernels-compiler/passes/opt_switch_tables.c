// SPDX-License-Identifier: Apache-2.0
// Turns switches that only choose one of many constants into loads from a constant array of the program.
//
//   switch %v { case 3: store $r, 70 ; break  case 4: store $r, 50 ; break ... default: X }
//   ->   %i = %v - 3 ; if %i < count { %c = load (@table + 4 * %i) ; store $r, %c } else { X }
//
// The same for `return 70`. Drivers compile such a switch to a chain of comparisons. Where numbers are missing, the table
// has the default's constant, if that is one too; otherwise a mask tells them.
#include "passes/opt.h"
#include <string.h>

enum {
    FEWEST = 16, // numbers
    MOST = 4096, // elements of a table, of which at least half have a number
    MASKED = 32  // most elements with a mask
};

struct choice {
    struct ir_module *module;
    struct ir_function *function;
    struct ir_switch *node;
    const struct ir_instr *like; // the first case's store or return
    const struct ir_case *other; // the default; NULL: none
    uint8_t *bytes;              // of the table
    uint32_t count, given;       // elements, those with a number
    int64_t first;               // the number of element 0
    uint32_t mask;               // of elements with a number, if there are at most MASKED
};

// ---- what is chosen -------------------------------------------------------------------------------

static bool is_last(const struct choice *c, const struct ir_case *k) { return k == &c->node->cases[c->node->case_count - 1]; }

static const struct ir_instr *value_of(const struct ir_instr *x) { return x->src[x->op == IR_OP_store]; }

// The list's store of a constant, before a break, or its return of one; NULL: it does something else.
static const struct ir_instr *chosen(const struct choice *c, const struct ir_case *k)
{
    const struct ir_instr *x = ((const struct ir_block *)k->list.first)->first;
    if (k->list.first != k->list.last || !x)
        return NULL;
    bool ends = x->op == IR_OP_store ? (x->next ? x->next->op == IR_OP_break : is_last(c, k)) : !x->next;
    bool is_store = x->op == IR_OP_store && x->src[0]->op == IR_OP_addr && !x->mem.is_volatile;
    if (!ends || !(is_store || (x->op == IR_OP_return && x->src_count)))
        return NULL;
    const struct ir_instr *value = value_of(x);
    bool is_number = value->type.lanes != 3 && (value->type.base == IR_INT || value->type.base == IR_FLOAT);
    return is_number && ir_is_const(value) ? x : NULL;
}

static bool is_alike(const struct choice *c, const struct ir_instr *x)
{
    return x && x->op == c->like->op && (x->op != IR_OP_store || x->src[0] == c->like->src[0]) &&
           ir_type_eq(value_of(x)->type, value_of(c->like)->type);
}

// The default moves into an if: one block, which does not fall into the next case.
static bool can_move(const struct choice *c, const struct ir_case *k)
{
    const struct ir_block *block = (const struct ir_block *)k->list.first;
    if (k->list.first != k->list.last)
        return false;
    const struct ir_instr *end = block->last;
    return end && ir_has_flag(end, IR_FLAG_J) ? end->op == IR_OP_break || end->op == IR_OP_return : is_last(c, k);
}

static int64_t number_of(const struct choice *c, uint64_t bits)
{
    unsigned unused = 64u - c->node->value->type.bits;
    return (int64_t)(bits << unused) >> unused;
}

// Sets `like`, `other` and the range of the numbers. False: some case does not choose a constant, or there are too few or
// too many.
static bool find_range(struct choice *c)
{
    const struct ir_instr *after = ((const struct ir_block *)c->node->node.next)->first;
    if (after && after->op == IR_OP_phi) // from SPIR-V
        return false;
    int64_t last = INT64_MIN;
    c->first = INT64_MAX;
    for (uint32_t i = 0; i < c->node->case_count; i++) {
        const struct ir_case *k = &c->node->cases[i];
        if (k->is_default) {
            c->other = k;
            continue;
        }
        const struct ir_instr *x = chosen(c, k);
        c->like = c->like ? c->like : x;
        if (!x || !is_alike(c, x))
            return false;
        for (uint32_t n = 0; n < k->value_count; n++, c->given++) {
            int64_t number = number_of(c, k->values[n]);
            c->first = number < c->first ? number : c->first;
            last = number > last ? number : last;
        }
    }
    uint64_t range = (uint64_t)last - (uint64_t)c->first + 1;
    if (c->given < FEWEST || range > MOST || range > 2 * (uint64_t)c->given || (c->other && !can_move(c, c->other)))
        return false;
    c->count = (uint32_t)range;
    return true;
}

// ---- the table ------------------------------------------------------------------------------------

static void set(struct choice *c, uint32_t element, const struct ir_instr *x)
{
    const struct ir_instr *value = value_of(x);
    uint32_t size = ir_type_bytes(value->type), lane_bytes = value->type.bits / 8u;
    for (uint32_t i = 0; i < size; i++)
        c->bytes[element * size + i] = (uint8_t)(value->lanes[i / lane_bytes] >> 8 * (i % lane_bytes));
}

// False: numbers are missing, and nothing tells them apart.
static bool fill(struct choice *c)
{
    const struct ir_instr *other = c->other ? chosen(c, c->other) : NULL;
    bool filled = is_alike(c, other);
    c->bytes = arena_zalloc(c->module->arena, (size_t)c->count * ir_type_bytes(value_of(c->like)->type));
    for (uint32_t i = 0; filled && i < c->count; i++)
        set(c, i, other);
    for (uint32_t i = 0; i < c->node->case_count; i++) {
        const struct ir_case *k = &c->node->cases[i];
        for (uint32_t n = 0; !k->is_default && n < k->value_count; n++) {
            uint32_t element = (uint32_t)((uint64_t)number_of(c, k->values[n]) - (uint64_t)c->first);
            set(c, element, chosen(c, k));
            c->mask |= c->count <= MASKED ? 1u << element : 0;
        }
    }
    bool complete = filled || c->given == c->count;
    c->mask = complete ? 0 : c->mask;
    return complete || c->count <= MASKED;
}

static struct ir_instr *is_in_table(struct ir_builder *b, const struct choice *c, struct ir_instr *element)
{
    struct ir_type type = element->type, word = ir_int(32);
    struct ir_instr *below = ir_op2(b, IR_OP_ult, element, ir_const_int(c->module, type, c->count));
    if (!c->mask)
        return below;
    struct ir_instr *place = type.bits > 32 ? ir_convert(b, IR_OP_trunc, word, element) : element;
    struct ir_instr *bits = ir_op2(b, IR_OP_lshr, ir_const_int(c->module, word, c->mask), place);
    struct ir_instr *bit = ir_op2(b, IR_OP_and, bits, ir_const_int(c->module, word, 1));
    return ir_op2(b, IR_OP_and, below, ir_op2(b, IR_OP_ine, bit, ir_const_int(c->module, word, 0)));
}

static void use_table(struct ir_builder *b, const struct choice *c, struct ir_instr *element)
{
    struct ir_type type = value_of(c->like)->type;
    uint32_t size = ir_type_bytes(type);
    const char *name = arena_printf(c->module->arena, "%s.switch", c->function->name);
    struct ir_var *table = ir_var_add(c->module, NULL, name, IR_CONSTANT, (uint64_t)size * c->count, size);
    table->init = c->bytes;
    struct ir_instr *index = element->type.bits < 64 ? ir_convert(b, IR_OP_zext, ir_int(64), element) : element;
    struct ir_instr *address = ir_ptr_index(b, ir_addr(c->module, table), index, size, 0);
    struct ir_instr *value = ir_load(b, type, address, (struct ir_mem){.space = IR_CONSTANT, .align = size});
    if (c->like->op == IR_OP_store)
        ir_store(b, c->like->src[0], value, c->like->mem);
    else
        ir_jump(b, IR_OP_return, value);
}

static void move_default(const struct choice *c, struct ir_list *to)
{
    struct ir_block *from = c->other ? (struct ir_block *)c->other->list.first : NULL;
    for (struct ir_instr *x = from ? from->first : NULL, *next; x && x->op != IR_OP_break; x = next) {
        next = x->next;
        opt_move_to_end(ir_list_last(to), x);
    }
}

static void change(const struct choice *c)
{
    struct ir_builder b = {.module = c->module, .function = c->function, .block = (struct ir_block *)c->node->node.prev}, in_if = b;
    struct ir_instr *value = c->node->value;
    if (value->type.bits < 32)
        value = ir_convert(&b, IR_OP_sext, ir_int(32), value);
    struct ir_instr *element = ir_op2(&b, IR_OP_isub, value, ir_const_int(c->module, value->type, (uint64_t)c->first));
    struct ir_if *chooses = ir_add_if(&b, is_in_table(&b, c, element));
    ir_place_end(&in_if, &chooses->then_list);
    use_table(&in_if, c, element);
    move_default(c, &chooses->else_list);
    ir_node_remove(&c->node->node);
}

// Requires: the form that the front end makes. Keeps: effects. Removes: switches. Not in modules for any Vulkan program, whose
// constants are private arrays: a driver may give each work-item a copy.
bool opt_switch_tables(struct pass_context *context)
{
    bool changed = false;
    if (context->target->mapping.on)
        return false;
    for (size_t i = 0; i < context->module->functions.count; i++) {
        struct ir_function *f = context->module->functions.items[i];
        if (!f->has_body || f->from_library)
            continue;
        struct opt_nodes nodes = opt_nodes(f, context->scratch);
        for (size_t n = 0; n < nodes.count; n++) {
            struct choice c = {.module = context->module, .function = f, .node = (struct ir_switch *)nodes.items[n]};
            if (nodes.items[n]->kind != IR_SWITCH || !find_range(&c) || !fill(&c))
                continue;
            change(&c);
            f->converged = false;
            changed = true;
        }
    }
    return changed;
}
