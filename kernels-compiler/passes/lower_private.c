// SPDX-License-Identifier: Apache-2.0
// Lowers private variables that are still in memory: to arrays in Function storage, or to scratch memory.
//
// If all accesses have one scalar width and are aligned to it, array elements are these scalars, or vectors of them;
// pointers then count elements, and no division is needed. Otherwise elements are 32-bit words.
#include "passes/memory.h"
#include "passes/push.h"

enum { REGION_GAP = 128 }; // separates addresses of neighbouring regions, and leaves 0 unused
// Scratch memory is interleaved for one sub-group of most GPUs. A launch of fewer work-items needs as much memory, so larger
// scratch memory is not interleaved.
enum { SCRATCH_LANES = 32, INTERLEAVED_MAX = 1 << 20 };

// ---- shapes of private and local regions ---------------------------------------------------------

static bool has_arithmetic(const struct kc_target *t, unsigned base, unsigned bytes)
{
    if (base == IR_FLOAT)
        return bytes == 4 || (bytes == 2 ? t->float16 : t->float64);
    return bytes == 4 || (bytes == 1 ? t->int8 : bytes == 2 ? t->int16 : t->int64);
}

static uint8_t element_base(const struct region *r)
{
    if (r->float_atomics)
        return IR_FLOAT;
    return r->int_atomics || r->base != IR_FLOAT ? IR_INT : IR_FLOAT;
}

// Whether all accesses have one width, a power of two that divides every distance.
static bool fits_typed(const struct memory *m, const struct region *r)
{
    uint32_t width = r->widths;
    return r->accessed && width && !(width & (width - 1)) && r->step % width == 0 &&
           has_arithmetic(m->c->target, element_base(r), width);
}

static uint32_t vector_bytes(uint32_t width, unsigned lanes)
{
    return width * (lanes == 3 ? 4 : lanes);
}

// Number of lanes of vector elements that pay off in an array that is also accessed by lanes: each vector access
// saves a load or store for each lane but one. 0: none.
static unsigned profitable_lanes(const struct memory *m, const struct region *r)
{
    unsigned most = 16 / r->widths, two = most / 2;
    if (!m->c->target->packs_accesses || r->space != IR_LOCAL || r->widths < 4 || r->int_atomics || r->float_atomics || r->matrix_widths)
        return 0;
    uint32_t gain = 4 * (most - 1) * r->whole_vectors[1], less = 4 * (two - 1) * r->whole_vectors[0];
    gain = gain > r->parts[1] ? gain - r->parts[1] : 0;
    less = less > r->parts[0] ? less - r->parts[0] : 0;
    return gain >= less && gain ? most : less ? two : 0;
}

static void choose_typed(struct memory *m, struct region *r)
{
    if (r->space == IR_LOCAL && !r->lanes && r->fewest > 1) // wider accesses are multiples of it
        r->lanes = r->fewest;
    struct ir_type elem = {element_base(r), (uint8_t)(r->widths * 8), 1, 0, 0, 0};
    r->shape = SHAPE_TYPED;
    r->unit = r->widths;
    if (r->lanes > 1 && r->lanes <= 4 && r->step % vector_bytes(r->widths, r->lanes) == 0) {
        elem.lanes = r->lanes;
        r->unit = vector_bytes(r->widths, r->lanes);
    }
    bool wider = elem.lanes < 3 && profitable_lanes(m, r) > elem.lanes;
    if (wider) {
        elem.lanes = (uint8_t)profitable_lanes(m, r);
        r->unit = r->widths;
    }
    r->elem = elem;
    if (r->int_atomics && r->float_atomics)
        ir_fail(m->m, r->float_atomics->origin, "an array has both integer and floating-point atomic operations");
}

void region_choose_shape(struct memory *m, struct region *r)
{
    if (!r->accessed && r->matrix_widths) { // only matrix accesses determine the element type
        r->widths = r->matrix_widths;
        r->lanes = 1;
        r->accessed = true;
    }
    if (r->matrix_widths && r->lanes == 3)
        r->lanes = 0;
    if (fits_typed(m, r)) {
        choose_typed(m, r);
        return;
    }
    r->shape = SHAPE_WORDS;
    r->word = r->space == IR_LOCAL && r->wide_atomics ? 8 : 4;
    r->unit = r->step % r->word ? 1 : r->word;
    if (r->matrix_widths && r->unit == 1) {
        m->m->matrix_units_failed = true;
        ir_fail(m->m, 0, "cooperative matrices are in memory that is also accessed by parts of their components");
    }
    r->elem = ir_int(r->word * 8);
    if (r->float_atomics)
        ir_fail(m->m, r->float_atomics->origin, "floating-point atomic operations access memory of several types");
}

uint32_t region_element(const struct region *r)
{
    return r->shape == SHAPE_TYPED ? ir_elem_bytes(r->elem) : r->shape == SHAPE_WORDS ? r->word : 4;
}

static uint64_t align_up(uint64_t x, uint64_t align) { return (x + align - 1) & ~(align - 1); }

uint32_t region_largest_var(const struct memory *m, enum ir_space space)
{
    const struct ir_var *largest = NULL;
    for (const struct region *r = m->regions; r; r = r->next)
        for (size_t i = 0; r->space == space && i < r->vars.count; i++)
            if (!largest || r->vars.items[i]->size > largest->size)
                largest = r->vars.items[i];
    return largest ? largest->origin : 0;
}

void region_place_vars(struct memory *m, struct region *r)
{
    uint32_t least = region_element(r);
    for (size_t i = 0; i < r->vars.count; i++) {
        struct ir_var *var = r->vars.items[i];
        if (var->local_arg >= 0)
            continue;
        r->bytes = align_up(r->bytes, var->align > least ? var->align : least);
        m->var_start[var->id] = ir_const_int(m->m, ir_int(32), r->bytes / r->unit);
        r->bytes += var->size;
    }
    r->bias = m->next_bias;
    m->next_bias += (uint32_t)align_up(r->bytes, REGION_GAP) + REGION_GAP;
}

void region_make_array(struct memory *m, struct region *r, const char *name)
{
    bool own = r->vars.count == 1 && !(r->spread && r->space == IR_PRIVATE);
    uint32_t unit = region_element(r);
    struct ir_function *owner = r->space == IR_PRIVATE && !r->spread ? r->user : NULL;
    r->array = own ? r->vars.items[0] : ir_var_add(m->m, owner, name, r->space, r->bytes, 16);
    r->array->elem = r->elem;
    r->array->count = (r->bytes + unit - 1) / unit;
    if (!r->array->count)
        r->array->count = 1;
}

// ---- scratch memory ------------------------------------------------------------------------------

static struct ir_instr *wide_sys(struct ir_builder *b, enum ir_sys sys, unsigned dim)
{
    return ir_convert(b, IR_OP_zext, ir_int(64), ir_sys(b, sys, dim));
}

// The work-item's number in its dispatch.
static struct ir_instr *linear_id(struct ir_builder *b)
{
    struct ir_instr *group = wide_sys(b, IR_SYS_VK_WORKGROUP_ID, 2);
    for (int dim = 1; dim >= 0; dim--) {
        group = ir_op2(b, IR_OP_imul, group, wide_sys(b, IR_SYS_VK_NUM_WORKGROUPS, (unsigned)dim));
        group = ir_op2(b, IR_OP_iadd, group, wide_sys(b, IR_SYS_VK_WORKGROUP_ID, (unsigned)dim));
    }
    for (unsigned dim = 0; dim < 3; dim++)
        group = ir_op2(b, IR_OP_imul, group, wide_sys(b, IR_SYS_VK_LOCAL_SIZE, dim));
    return ir_op2(b, IR_OP_iadd, group, wide_sys(b, IR_SYS_VK_LOCAL_INDEX, 0));
}

struct ir_builder memory_at_head(struct memory *m)
{
    struct ir_block *entry = ir_first_block(m->f);
    struct ir_instr *at = entry->first;
    while (at && at->op == IR_OP_elem_load && at->var->space == IR_PUSH)
        at = at->next;
    return (struct ir_builder){.module = m->m, .function = m->f, .block = entry, .before = at};
}

static bool enters(const struct memory *m, const struct region *r)
{
    return r->shape == SHAPE_SCRATCH && (r->spread || r->user == m->f);
}

static struct ir_instr *number(struct ir_builder *b, struct ir_type type, uint64_t n) { return ir_const_int(b->module, type, n); }

// Start of the scratch memory that the work-item's group shares: an address, or a byte offset in the buffer. `lane`: the
// work-item's number in the group.
static struct ir_instr *scratch_base(struct memory *m, struct ir_builder *b, struct ir_instr **lane)
{
    struct ir_instr *base = m->logical ? NULL : push_value(b, KC_PUSH_SCRATCH, 0, 0, ir_int(64));
    if (base)
        b->before = base->next;
    struct ir_instr *item = m->logical ? ir_convert(b, IR_OP_trunc, ir_int(32), linear_id(b)) : linear_id(b);
    struct ir_type type = item->type;
    struct ir_instr *first = ir_op2(b, IR_OP_and, item, number(b, type, 0 - (uint64_t)m->scratch_lanes));
    first = ir_op2(b, IR_OP_imul, first, number(b, type, m->scratch_bytes));
    *lane = ir_op2(b, IR_OP_and, item, number(b, type, m->scratch_lanes - 1));
    return base ? ir_op2(b, IR_OP_iadd, base, first) : first;
}

static struct ir_instr *region_base(const struct memory *m, struct ir_builder *b, const struct region *r, struct ir_instr *base,
                                    struct ir_instr *lane)
{
    uint64_t distance = r->granule ? r->granule : align_up(r->bytes, REGION_GAP);
    base = ir_op2(b, IR_OP_iadd, base, number(b, base->type, r->scratch_offset * m->scratch_lanes));
    return ir_op2(b, IR_OP_iadd, base, ir_op2(b, IR_OP_imul, lane, number(b, base->type, distance)));
}

void private_enter(struct memory *m)
{
    struct ir_instr *base = NULL, *lane = NULL;
    struct ir_builder b;
    for (struct region *r = m->regions; r; r = r->next) {
        if (!enters(m, r))
            continue;
        if (!base) {
            b = memory_at_head(m);
            base = scratch_base(m, &b, &lane);
        }
        r->scratch = region_base(m, &b, r, base, lane);
    }
}

// The number of bytes of a region that interleaving keeps together: the widest scalar, or a vector if all accesses are such
// vectors. 0: the region is not interleaved.
static uint32_t granule_of(const struct memory *m, const struct region *r)
{
    uint32_t scalar = r->widths & 8 ? 8 : 4;
    if (m->scratch_lanes == 1 || r->unaligned)
        return 0;
    uint32_t vector = r->lanes > 1 && r->lanes <= 4 ? vector_bytes(r->widths, r->lanes) : 0;
    return vector > scalar && vector <= 16 && r->step % vector == 0 ? vector : scalar;
}

static void place_scratch(struct memory *m, uint64_t bytes)
{
    m->scratch_bytes = bytes;
    m->scratch_lanes = m->c->target->interleaves_scratch && bytes <= INTERLEAVED_MAX ? SCRATCH_LANES : 1;
    for (struct region *r = m->regions; r; r = r->next)
        if (r->shape == SHAPE_SCRATCH)
            r->granule = granule_of(m, r);
    if (bytes && m->m->mapping)
        ir_fail(m->m, region_largest_var(m, IR_PRIVATE),
                arena_printf(m->m->arena, "private arrays of more than %u bytes in all are not supported in modules for other "
                                          "programs",
                             m->c->target->max_function_array));
    else if (bytes > UINT32_MAX / 2)
        ir_fail(m->m, region_largest_var(m, IR_PRIVATE), "the kernel needs more than 2 GiB of private memory for each work-item");
    else if (m->kernel) {
        m->kernel->info.scratch_bytes = (uint32_t)bytes;
        m->kernel->info.scratch_lanes = bytes ? m->scratch_lanes : 0;
    }
}

// ---- arrays in Function storage or in scratch memory ---------------------------------------------

enum { READ = 1, WRITTEN = 2 };
enum { FEW = 4 }; // elements: as many comparisons cost no more than a load

static bool is_indexed(const struct ir_instr *address)
{
    for (; address->op == IR_OP_ptr_index; address = address->src[0])
        if (address->src_count > 1)
            return true;
    return address->op != IR_OP_addr;
}

static void note_in_loop(struct memory *m, const struct ir_instr *x)
{
    const bool reads = x->op == IR_OP_load || x->op == IR_OP_atomic, writes = x->op == IR_OP_store || x->op == IR_OP_atomic;
    struct region *r = reads || writes ? address_region(m, x->src[0]) : NULL;
    if (!r)
        return;
    r->in_loop |= (uint8_t)(reads * READ | writes * WRITTEN);
    r->updated |= r->in_loop == (READ | WRITTEN);
    r->written_in_loops |= writes;
    r->indexed_in_loops |= reads && is_indexed(x->src[0]);
}

static const struct ir_node *outermost_loop(const struct ir_node *node)
{
    const struct ir_node *loop = NULL;
    for (; node; node = node->list->owner)
        if (node->kind == IR_LOOP)
            loop = node;
    return loop;
}

// Finds how loops access the regions. Functions other than the kernel may be called in a loop: their code between two loops
// counts as one.
static void find_uses_in_loops(struct memory *m, const struct ir_function *f)
{
    const struct ir_node *loop = NULL;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        const struct ir_node *now = outermost_loop(&block->node);
        for (struct region *r = now == loop ? NULL : m->regions; r; r = r->next)
            r->in_loop = 0;
        loop = now;
        for (const struct ir_instr *x = loop || !f->kernel ? block->first : NULL; x; x = x->next)
            note_in_loop(m, x);
    }
}

// Cost of an array against the limit: for drivers, the number of elements counts, however small these are.
static uint64_t array_cost(const struct region *r)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->vars.count; i++)
        bytes += r->vars.items[i]->size;
    return r->shape == SHAPE_TYPED && r->unit < 4 ? bytes / r->unit * 4 : bytes;
}

static bool takes(uint64_t *used, uint64_t cost, uint64_t limit)
{
    const bool fits = *used + cost <= limit;
    *used += fits ? cost : 0;
    return fits;
}

// Requires: address_analyse(). Chooses shape and array of every private region.
void private_place(struct memory *m)
{
    const struct kc_target *target = m->c->target;
    uint64_t usual = 0, updated = 0, bytes = 0, scratch = 0;
    for (size_t i = 0; i < m->m->functions.count && (target->max_updated_array || target->least_read_array); i++)
        if (m->m->functions.items[i]->has_body)
            find_uses_in_loops(m, m->m->functions.items[i]);
    for (struct region *r = m->regions; r; r = r->next) {
        if (r->space != IR_PRIVATE)
            continue;
        region_choose_shape(m, r);
        uint64_t cost = array_cost(r);
        if (!takes(&usual, cost, target->max_function_array) &&
            !(r->updated && takes(&updated, cost, target->max_updated_array))) {
            r->shape = SHAPE_SCRATCH;
            r->unit = 1;
        }
        region_place_vars(m, r);
        if (r->shape == SHAPE_SCRATCH) {
            r->scratch_offset = align_up(scratch, REGION_GAP);
            scratch = r->scratch_offset + r->bytes;
        } else {
            region_make_array(m, r, "private");
            if (r->indexed_in_loops && !r->written_in_loops && r->array->count > FEW && r->array->count < target->least_read_array)
                r->array->count = target->least_read_array;
            bytes += r->bytes;
        }
    }
    scratch = align_up(scratch, REGION_GAP);
    place_scratch(m, scratch);
    if (m->kernel)
        m->kernel->info.private_memory = (uint32_t)(bytes + scratch);
}
