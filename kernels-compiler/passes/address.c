// SPDX-License-Identifier: Apache-2.0
// Analyses which variables a pointer can reach, and how they are accessed.
//
// A union-find over all pointer values and variables: values that flow together through ptr_index, phi, select, cast,
// or arguments of remaining calls form one set. Pointers made from integers or loaded from memory may point to every
// variable whose address was stored or converted to an integer; generic ones also to device memory. The private
// variables of a set form a region, and so do its local ones. A generic pointer gets the address space of its set's
// pointers if there is only one.
#include "passes/memory.h"
#include "passes/alias.h"

// ---- nodes ---------------------------------------------------------------------------------------

static const uint32_t NO_NODE = ~0u; // null and undef

static uint32_t var_node(const struct memory *m, const struct ir_var *var) { return m->value_count + var->id; }

static uint32_t unknown_node(const struct memory *m, unsigned space)
{
    return m->node_count - 1 - (space == IR_PRIVATE ? 0 : space == IR_LOCAL ? 1 : 2);
}

static bool is_offset_space(unsigned space) { return space == IR_PRIVATE || space == IR_LOCAL || space == IR_GENERIC; }

static uint32_t node_of(const struct memory *m, const struct ir_instr *x)
{
    if (x->op == IR_OP_addr)
        return var_node(m, x->var);
    if (ir_is_const(x) && x->lanes[0] && is_offset_space(x->type.space))
        return unknown_node(m, x->type.space);
    if (ir_is_const(x) || x->op == IR_OP_undef)
        return NO_NODE;
    return x->id;
}

static uint32_t find(struct memory *m, uint32_t node)
{
    while (m->parent[node] != node) {
        m->parent[node] = m->parent[m->parent[node]];
        node = m->parent[node];
    }
    return node;
}

static void join(struct memory *m, uint32_t a, uint32_t b)
{
    if (a == NO_NODE || b == NO_NODE)
        return;
    a = find(m, a);
    b = find(m, b);
    if (a == b)
        return;
    uint32_t root = a < b ? a : b;
    m->parent[a < b ? b : a] = root;
    m->space_of[root] |= m->space_of[a < b ? b : a];
}

// ---- sets ----------------------------------------------------------------------------------------

static bool is_pointer(const struct ir_instr *x) { return x->type.base == IR_PTR; }

struct exposure { // a pointer that becomes a number or is stored
    uint32_t node;
    struct exposure *next;
};

struct sets {
    struct memory *m;
    struct exposure *exposed;
    bool unknown[3]; // by space: private, local, generic
};

static void expose(struct sets *s, const struct ir_instr *pointer)
{
    if (!is_offset_space(pointer->type.space) || node_of(s->m, pointer) == NO_NODE)
        return;
    struct exposure *e = ARENA_NEW(s->m->scratch, struct exposure);
    *e = (struct exposure){node_of(s->m, pointer), s->exposed};
    s->exposed = e;
}

static void unknown(struct sets *s, const struct ir_instr *x)
{
    unsigned space = x->type.space;
    if (!is_offset_space(space))
        return;
    join(s->m, node_of(s->m, x), unknown_node(s->m, space));
    s->unknown[space == IR_PRIVATE ? 0 : space == IR_LOCAL ? 1 : 2] = true;
}

static void join_sources(struct memory *m, const struct ir_instr *x, uint32_t from)
{
    for (uint32_t i = from; i < x->src_count; i++)
        if (is_pointer(x->src[i]))
            join(m, x->id, node_of(m, x->src[i]));
}

static void join_call(struct sets *s, const struct ir_instr *x)
{
    for (uint32_t i = 0; x->callee->has_body && i < x->src_count; i++)
        if (is_pointer(x->src[i]))
            join(s->m, x->callee->params[i]->id, node_of(s->m, x->src[i]));
    if (is_pointer(x))
        unknown(s, x);
}

static void visit_sets(struct sets *s, const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_pointer(x->src[i]) && ir_is_const(x->src[i]) && x->src[i]->lanes[0])
            unknown(s, x->src[i]);
    switch (x->op) {
    case IR_OP_ptr_index:
    case IR_OP_ptr_cast:
    case IR_OP_phi: join_sources(s->m, x, 0); break;
    case IR_OP_select: join_sources(s->m, x, 1); break;
    case IR_OP_ptr_to_int: expose(s, x->src[0]); break;
    case IR_OP_store:
        if (is_pointer(x->src[1]))
            expose(s, x->src[1]);
        break;
    case IR_OP_call: join_call(s, x); break;
    case IR_OP_int_to_ptr:
    case IR_OP_load:
        if (is_pointer(x))
            unknown(s, x);
        break;
    default: break;
    }
}

// Instructions with pointers are listed once, because most have none.
static bool has_pointers(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_pointer(x->src[i]))
            return true;
    return is_pointer(x);
}

// The next function with a body after `f` (NULL: the first one).
static struct ir_function *next_function(const struct memory *m, const struct ir_function *f)
{
    for (size_t i = f ? f->id + 1u : 0; i < m->m->functions.count; i++)
        if (m->m->functions.items[i]->has_body)
            return m->m->functions.items[i];
    return NULL;
}

// ---- spaces and regions --------------------------------------------------------------------------

// Whether a pointer originates here, so that its space is known from its type. Generic parameters get it from their
// arguments.
static bool is_origin(const struct ir_instr *x)
{
    if (x->op == IR_OP_param)
        return x->type.space != IR_GENERIC;
    return x->op != IR_OP_ptr_index && x->op != IR_OP_ptr_cast && x->op != IR_OP_phi && x->op != IR_OP_select;
}

static void note_space(struct memory *m, const struct ir_instr *x)
{
    uint32_t node = is_pointer(x) ? node_of(m, x) : NO_NODE;
    if (is_pointer(x) && x->type.space == IR_GENERIC)
        m->has_generic = true;
    if (node == NO_NODE || !is_origin(x))
        return;
    // Unknown generic pointers may point to device memory, because other kernels and the host store such addresses.
    unsigned space = x->type.space == IR_GENERIC || x->type.space == IR_CONSTANT ? IR_GLOBAL : x->type.space;
    m->space_of[find(m, node)] |= (uint8_t)(1 << space);
}

// Finds the address spaces that each set's pointers originate from.
static void find_spaces(struct memory *m)
{
    for (size_t n = 0; n < m->users.count; n++) {
        const struct ir_instr *x = m->users.items[n];
        note_space(m, x);
        for (uint32_t i = 0; i < x->src_count; i++)
            note_space(m, x->src[i]);
    }
}

static void find_sets(struct memory *m)
{
    struct sets s = {.m = m};
    for (size_t i = 0; i < m->users.count; i++)
        visit_sets(&s, m->users.items[i]);
    static const uint8_t spaces[3] = {IR_PRIVATE, IR_LOCAL, IR_GENERIC};
    find_spaces(m);
    for (struct exposure *e = s.exposed; e; e = e->next) {
        uint32_t root = find(m, e->node);
        for (unsigned i = 0; i < 3; i++)
            if (s.unknown[i] && (m->space_of[root] & 1 << spaces[i] || spaces[i] == IR_GENERIC))
                join(m, root, unknown_node(m, spaces[i]));
    }
}

unsigned address_spaces(struct memory *m, const struct ir_instr *x)
{
    if (x->type.space != IR_GENERIC)
        return 1u << (x->type.space == IR_CONSTANT ? IR_GLOBAL : x->type.space);
    uint32_t node = node_of(m, x);
    unsigned seen = node == NO_NODE ? 0 : m->space_of[find(m, node)];
    return seen ? seen : 1u << IR_GLOBAL;
}

enum ir_space address_space(struct memory *m, const struct ir_instr *x)
{
    if (x->type.space != IR_GENERIC)
        return (enum ir_space)x->type.space;
    switch (address_spaces(m, x)) {
    case 1 << IR_PRIVATE: return IR_PRIVATE;
    case 1 << IR_LOCAL: return IR_LOCAL;
    case 1 << IR_GLOBAL: return IR_GLOBAL;
    default: return IR_GENERIC;
    }
}

// The region of the set's variables in private or local memory; NULL if there are none.
static struct region *region_in(struct memory *m, const struct ir_instr *x, enum ir_space space)
{
    uint32_t node = node_of(m, x), root = node == NO_NODE ? 0 : find(m, node);
    if (node == NO_NODE || !(m->space_of[root] >> space & 1))
        return NULL;
    struct region **slot = &m->regions_of[root][space == IR_LOCAL];
    if (*slot) {
        (*slot)->spread |= (*slot)->user != m->f;
        return (*slot)->merged ? (*slot)->merged : *slot;
    }
    struct region *r = ARENA_NEW(m->scratch, struct region);
    r->space = space;
    r->user = m->f;
    r->lanes = 255; // no access yet
    r->base = 255;
    *m->regions_end = r;
    m->regions_end = &r->next;
    return *slot = r;
}

struct region *address_region(struct memory *m, const struct ir_instr *x)
{
    enum ir_space space = address_space(m, x);
    return space == IR_PRIVATE || space == IR_LOCAL ? region_in(m, x, space) : NULL;
}

uint64_t address_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

static uint64_t distance(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

// Greatest known divisor of index * stride: the stride times a power of two that divides the index.
static uint64_t times_low_zeros(uint64_t stride, const struct ir_instr *index)
{
    enum { ENOUGH = 4 }; // in bits: array elements have at most 16 bytes
    unsigned zeros = opt_zero_bits(index);
    return stride > UINT64_MAX >> ENOUGH ? stride : stride << (zeros < ENOUGH ? zeros : ENOUGH);
}

uint64_t address_step(uint64_t step, const struct ir_instr *x)
{
    step = address_divisor(step, distance(x->offset));
    return x->src_count > 1 ? address_divisor(step, times_low_zeros(distance(x->stride), x->src[1])) : step;
}

// Estimates the benefit of vectors of 8 and of 16 bytes as elements of the array.
static void note_vectors(const struct memory *m, struct region *r, const struct ir_instr *x, struct ir_type type)
{
    enum { UNKNOWN_LANE = 4, KNOWN_LANE = 1 }; // cost, relative to a benefit of 4 for a saved load
    uint32_t bytes = ir_type_bytes(type);
    struct alias_place place = alias_place(m->f, x);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t widest = i ? 16 : 8;
        bool known = alias_align(&place, m->c->target, widest) >= widest;
        if (bytes % widest == 0 && x->mem.align >= widest)
            r->whole_vectors[i] += bytes / widest;
        else if (!alias_is_fixed(&place))
            r->parts[i] += type.lanes * (known ? KNOWN_LANE : UNKNOWN_LANE);
    }
}

static void note_access(struct region *r, struct ir_type type, uint32_t align)
{
    if (type.base == IR_PTR)
        type = ir_int(type.bits);
    bool power = !(type.lanes & (type.lanes - 1));
    r->fewest = !power ? 0 : r->lanes == 255 || type.lanes < r->fewest ? type.lanes : r->fewest;
    r->lanes = r->lanes == 255 || r->lanes == type.lanes ? type.lanes : 0;
    r->base = r->base == 255 || r->base == type.base ? type.base : IR_VOID;
    r->widths |= type.bits / 8u;
    r->unaligned |= align < type.bits / 8u;
    r->accessed = true;
}

static void note_plain_access(const struct memory *m, struct region *r, const struct ir_instr *x, struct ir_type type)
{
    note_access(r, type, x->mem.align);
    if (r->space == IR_LOCAL && m->c->target->packs_accesses)
        note_vectors(m, r, x, type);
}

// Matrix accesses require the array's element type, and rows that start at whole elements.
static void note_matrix(struct region *r, const struct ir_instr *x)
{
    const struct ir_instr *stride = x->src[x->src_count - 1];
    struct ir_type type = x->op == IR_OP_mat_load ? x->type : x->src[1]->type;
    uint32_t bytes = type.bits / 8u;
    r->step = address_divisor(r->step, ir_is_const(stride) ? stride->lanes[0] * bytes : times_low_zeros(bytes, stride));
    r->matrix_widths |= bytes;
}

static bool is_float_arithmetic(unsigned op)
{
    return op == IR_ATOMIC_FADD || op == IR_ATOMIC_FMIN || op == IR_ATOMIC_FMAX;
}

static void note_atomic(struct region *r, const struct ir_instr *x)
{
    struct ir_type type = x->src_count > 1 ? x->src[1]->type : x->type;
    note_access(r, type, type.bits / 8u);
    r->wide_atomics |= type.bits == 64;
    if (is_float_arithmetic(x->atomic_op))
        r->float_atomics = x;
    else
        r->int_atomics = true;
}

static void visit_index(struct memory *m, const struct ir_instr *x)
{
    unsigned spaces = address_spaces(m, x);
    for (unsigned space = IR_PRIVATE; space <= IR_LOCAL; space++) {
        struct region *r = spaces >> space & 1 ? region_in(m, x, (enum ir_space)space) : NULL;
        if (r)
            r->step = address_step(r->step, x);
    }
}

static void visit_region(struct memory *m, const struct ir_instr *x)
{
    struct region *r = NULL;
    if (x->op == IR_OP_ptr_index) {
        visit_index(m, x);
    } else if (x->op == IR_OP_load) {
        if ((r = address_region(m, x->src[0])))
            note_plain_access(m, r, x, x->type);
    } else if (x->op == IR_OP_store) {
        if ((r = address_region(m, x->src[0])))
            note_plain_access(m, r, x, x->src[1]->type);
    } else if (x->op == IR_OP_atomic) {
        if ((r = address_region(m, x->src[0])))
            note_atomic(r, x);
    } else if (x->op == IR_OP_mat_load || x->op == IR_OP_mat_store) {
        if ((r = address_region(m, x->src[0])))
            note_matrix(r, x);
    }
}

static void add_vars(struct memory *m, struct ir_var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ir_var *var = vars[i];
        if ((var->space != IR_PRIVATE && var->space != IR_LOCAL) || !var->address)
            continue;
        if (!(m->space_of[find(m, var_node(m, var))] & 1 << var->space))
            continue; // not used in this function
        struct region *r = address_region(m, var->address);
        if (!r)
            continue;
        vec_push(m->scratch, &r->vars, var);
        r->dynamic_arg |= var->local_arg >= 0;
    }
}

static void mark_unknown(struct memory *m)
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t root = find(m, m->node_count - 1 - i);
        for (unsigned k = 0; k < 2; k++)
            if (m->regions_of[root][k])
                m->regions_of[root][k]->step = 1; // integers may be anything
    }
}

static uint32_t number_vars(struct memory *m)
{
    uint32_t count = 0;
    for (struct ir_function *f = NULL; (f = next_function(m, f));)
        for (size_t i = 0; i < f->vars.count; i++)
            f->vars.items[i]->id = count++;
    for (size_t i = 0; i < m->m->vars.count; i++)
        m->m->vars.items[i]->id = count++;
    return count;
}

// Numbers the values of all functions consecutively.
static uint32_t number_values(struct memory *m)
{
    uint32_t count = 0;
    m->users_of = ARENA_ARRAY(m->scratch, struct users, m->m->functions.count + 1);
    for (size_t i = 0; i < m->m->functions.count; i++) {
        struct ir_function *f = m->m->functions.items[i];
        f->id = (uint32_t)i;
        if (f->kernel && f->has_body)
            m->kernel = f->kernel;
        if (!f->has_body)
            continue;
        for (uint32_t k = 0; k < f->param_count; k++)
            f->params[k]->id = count++;
        m->users_of[i].first = m->users.count;
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                x->id = count++;
                if (has_pointers(x))
                    vec_push(m->scratch, &m->users, x);
            }
        m->users_of[i].end = m->users.count;
    }
    return count;
}

// Records how the current function accesses its regions.
static void visit_function(struct memory *m)
{
    for (size_t i = m->users_of[m->f->id].first; i < m->users_of[m->f->id].end; i++)
        visit_region(m, m->users.items[i]);
    add_vars(m, m->f->vars.items, m->f->vars.count);
}

void address_analyse(struct memory *m)
{
    m->regions_end = &m->regions;
    m->value_count = number_values(m);
    uint32_t vars = number_vars(m);
    m->node_count = m->value_count + vars + 3;
    m->parent = ARENA_ARRAY(m->scratch, uint32_t, m->node_count);
    m->regions_of = arena_zalloc(m->scratch, m->node_count * sizeof *m->regions_of);
    m->space_of = ARENA_ARRAY(m->scratch, uint8_t, m->node_count);
    m->var_start = ARENA_ARRAY(m->scratch, struct ir_instr *, vars + 1);
    for (uint32_t i = 0; i < m->node_count; i++)
        m->parent[i] = i;
    find_sets(m);
    while ((m->f = next_function(m, m->f)))
        visit_function(m);
    m->f = next_function(m, NULL);
    add_vars(m, m->m->vars.items, m->m->vars.count);
    mark_unknown(m);
}
