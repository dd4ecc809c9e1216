// SPDX-License-Identifier: Apache-2.0
// Vectors of 8 and 16 lanes -> two or four vectors of 4 lanes.
//
// A wide value is a row of pieces. A lane is addressed as (piece, lane in the piece), so that shuffles and bitcasts
// gather lanes. Also clamps dynamic lane indexes, which are undefined in Vulkan if out of range.
#include "passes/passes.h"
#include "passes/push.h"

enum { PIECE = 4, MAX_PIECES = 4 };

struct row {
    struct ir_instr *piece[MAX_PIECES];
};

struct lane {
    struct ir_instr *vector;
    unsigned index;
};

struct vectors {
    struct ir_module *module;
    struct ir_function *function;
    struct arena *scratch;
    struct row *rows; // by id of instructions that are lowered
    VEC(struct ir_instr *) phis;
    struct ir_builder b;
    bool changed;
};

static bool is_wide(struct ir_type type)
{
    return type.lanes > PIECE;
}

static unsigned piece_count(struct ir_type type)
{
    return is_wide(type) ? type.lanes / PIECE : 1;
}

static struct ir_type piece_type(struct ir_type type)
{
    return is_wide(type) ? ir_with_lanes(type, PIECE) : type;
}

static struct ir_instr *const_u32(struct vectors *v, uint32_t value)
{
    return ir_const_int(v->module, ir_int(32), value);
}

// Piece `k` of a value; a narrow value has a single piece.
static struct ir_instr *piece(struct vectors *v, struct ir_instr *x, unsigned k)
{
    if (!is_wide(x->type))
        return x;
    if (x->op == IR_OP_const)
        return ir_const(v->module, piece_type(x->type), x->lanes + k * PIECE);
    if (x->op == IR_OP_undef)
        return ir_undef(v->module, piece_type(x->type));
    if (x->op == IR_OP_param || !v->rows[x->id].piece[k]) {
        ir_fail(v->module, x->origin, "a vector of more than 4 components is passed to a call that is not inlined");
        return ir_undef(v->module, piece_type(x->type));
    }
    return v->rows[x->id].piece[k];
}

static struct lane find_lane(struct vectors *v, struct ir_instr *x, unsigned index)
{
    return (struct lane){piece(v, x, index / PIECE), index % PIECE};
}

// ---- gathering lanes ----------------------------------------------------------------------------

static bool is_complete_vector(const struct lane *lanes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].vector != lanes[0].vector || lanes[i].index != i)
            return false;
    return lanes[0].vector->type.lanes == count;
}

static struct ir_instr *gather_by_shuffle(struct vectors *v, const struct lane *lanes,
                                          unsigned count)
{
    struct ir_instr *x = lanes[0].vector, *y = x;
    uint8_t places[PIECE];
    for (unsigned i = 0; i < count; i++) {
        if (lanes[i].vector != x && y == x)
            y = lanes[i].vector;
        if ((lanes[i].vector != x && lanes[i].vector != y) || lanes[i].vector->type.lanes < 2)
            return NULL;
        places[i] = (uint8_t)(lanes[i].index + (lanes[i].vector == x ? 0 : x->type.lanes));
    }
    return ir_type_eq(x->type, y->type) ? ir_shuffle(&v->b, x, y, places, count) : NULL;
}

static struct ir_instr *gather(struct vectors *v, const struct lane *lanes, unsigned count)
{
    struct ir_instr *all[PIECE], *shuffled;
    if (is_complete_vector(lanes, count))
        return lanes[0].vector;
    if (count == 1)
        return ir_extract(&v->b, lanes[0].vector, lanes[0].index);
    if ((shuffled = gather_by_shuffle(v, lanes, count)))
        return shuffled;
    for (unsigned i = 0; i < count; i++)
        all[i] = ir_extract(&v->b, lanes[i].vector, lanes[i].index);
    return ir_vec(&v->b, all, count);
}

// Makes x from `lanes`; a narrow x is replaced.
static void set_lanes(struct vectors *v, struct ir_instr *x, const struct lane *lanes)
{
    if (!is_wide(x->type)) {
        ir_replace(x, gather(v, lanes, x->type.lanes));
        return;
    }
    for (unsigned k = 0; k < piece_count(x->type); k++)
        v->rows[x->id].piece[k] = gather(v, lanes + k * PIECE, PIECE);
    ir_remove(x);
}

static void lower_shuffle(struct vectors *v, struct ir_instr *x)
{
    struct lane lanes[16];
    unsigned first = x->src[0]->type.lanes;
    for (unsigned i = 0; i < x->type.lanes; i++) {
        unsigned at = x->shuffle[i] == 255 ? 0 : x->shuffle[i];
        lanes[i] = at < first ? find_lane(v, x->src[0], at) : find_lane(v, x->src[1], at - first);
    }
    set_lanes(v, x, lanes);
}

static void lower_vec(struct vectors *v, struct ir_instr *x)
{
    struct lane lanes[16];
    for (unsigned i = 0; i < x->type.lanes; i++)
        lanes[i] = (struct lane){x->src[i], 0};
    set_lanes(v, x, lanes);
}

static void lower_insert(struct vectors *v, struct ir_instr *x)
{
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        struct ir_instr *part = piece(v, x->src[0], k);
        v->rows[x->id].piece[k] =
            k == x->index / PIECE ? ir_insert(&v->b, part, x->src[1], x->index % PIECE) : part;
    }
    ir_remove(x);
}

// ---- bit casts ----------------------------------------------------------------------------------

// Casts lanes of `x` to wider elements of `to`: two or four lanes of a piece make one; 8 lanes need two pieces.
static void cast_up(struct vectors *v, struct ir_instr *x, struct ir_type to, struct lane *lanes)
{
    unsigned ratio = to.bits / x->type.bits, made = 0;
    if (ratio == 8) {
        for (unsigned k = 0; k < piece_count(x->type); k += 2) {
            struct ir_instr *halves[2];
            for (unsigned i = 0; i < 2; i++)
                halves[i] = ir_convert(&v->b, IR_OP_bitcast, ir_int(32), piece(v, x, k + i));
            lanes[made++] =
                (struct lane){ir_convert(&v->b, IR_OP_bitcast, to, ir_vec(&v->b, halves, 2)), 0};
        }
        return;
    }
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        struct ir_instr *part = piece(v, x, k);
        unsigned count = part->type.lanes / ratio;
        struct ir_instr *cast = ir_convert(&v->b, IR_OP_bitcast, ir_with_lanes(to, count), part);
        for (unsigned i = 0; i < count; i++)
            lanes[made++] = (struct lane){cast, i};
    }
}

// Casts to narrower elements: a lane makes two or four elements, or eight through 32-bit words.
static void cast_down(struct vectors *v, struct ir_instr *x, struct ir_type to, struct lane *lanes)
{
    unsigned ratio = x->type.bits / to.bits, made = 0;
    for (unsigned i = 0; i < x->type.lanes; i++) {
        struct lane from = find_lane(v, x, i);
        struct ir_instr *scalar = ir_extract(&v->b, from.vector, from.index), *words = NULL;
        if (ratio == 8)
            words = ir_convert(&v->b, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), scalar);
        for (unsigned k = 0; k < (words ? 2u : 1u); k++) {
            unsigned count = words ? 4 : ratio;
            struct ir_instr *part = words ? ir_extract(&v->b, words, k) : scalar;
            part = ir_convert(&v->b, IR_OP_bitcast, ir_with_lanes(to, count), part);
            for (unsigned lane = 0; lane < count; lane++)
                lanes[made++] = (struct lane){part, lane};
        }
    }
}

static void lower_bitcast(struct vectors *v, struct ir_instr *x)
{
    struct lane lanes[128];
    struct ir_type to = ir_with_lanes(x->type, 1), from = x->src[0]->type;
    if (to.bits > from.bits) {
        cast_up(v, x->src[0], to, lanes);
    } else if (to.bits < from.bits) {
        cast_down(v, x->src[0], to, lanes);
    } else {
        for (unsigned i = 0; i < x->type.lanes; i++) {
            struct ir_instr *part = piece(v, x->src[0], i / PIECE);
            if (i % PIECE == 0)
                part = ir_convert(&v->b, IR_OP_bitcast, piece_type(x->type), part);
            lanes[i] = (struct lane){i % PIECE ? lanes[i - 1].vector : part, i % PIECE};
        }
    }
    set_lanes(v, x, lanes);
}

// ---- dynamic lanes ------------------------------------------------------------------------------

static struct ir_instr *clamped(struct vectors *v, struct ir_instr *index, unsigned lanes)
{
    if (lanes == 3)
        return ir_op2(&v->b, IR_OP_umin, index, const_u32(v, 2));
    return ir_op2(&v->b, IR_OP_and, index, const_u32(v, lanes - 1));
}

static struct ir_instr *in_piece(struct vectors *v, struct ir_instr *index, unsigned k)
{
    struct ir_instr *at = ir_op2(&v->b, IR_OP_lshr, index, const_u32(v, 2));
    return ir_op2(&v->b, IR_OP_ieq, at, const_u32(v, k));
}

static void lower_extract_dyn(struct vectors *v, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0], *index = clamped(v, x->src[1], from->type.lanes),
                    *found = piece(v, from, 0);
    if (!is_wide(from->type)) {
        x->src[1] = index;
        return;
    }
    for (unsigned k = 1; k < piece_count(from->type); k++) {
        struct ir_instr *other = piece(v, from, k);
        found = ir_select(&v->b, ir_splat(&v->b, in_piece(v, index, k), PIECE), other, found);
    }
    ir_replace(x, ir_op2(&v->b, IR_OP_extract_dyn, found, clamped(v, index, PIECE)));
}

static void lower_insert_dyn(struct vectors *v, struct ir_instr *x)
{
    struct ir_instr *index = clamped(v, x->src[2], x->type.lanes);
    if (!is_wide(x->type)) {
        x->src[2] = index;
        return;
    }
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        struct ir_instr *part = piece(v, x->src[0], k);
        struct ir_instr *with =
            ir_op3(&v->b, IR_OP_insert_dyn, part, x->src[1], clamped(v, index, PIECE));
        v->rows[x->id].piece[k] =
            ir_select(&v->b, ir_splat(&v->b, in_piece(v, index, k), PIECE), with, part);
    }
    ir_remove(x);
}

// ---- memory -------------------------------------------------------------------------------------

static struct ir_mem part_mem(const struct ir_instr *x, uint32_t offset)
{
    struct ir_mem mem = x->mem;
    if (offset && (offset & -offset) < mem.align)
        mem.align = offset & -offset;
    return mem;
}

static struct ir_instr *part_address(struct vectors *v, struct ir_instr *address, uint32_t offset)
{
    return ir_op2(&v->b, IR_OP_iadd, address, ir_const_int(v->module, address->type, offset));
}

static void lower_load(struct vectors *v, struct ir_instr *x)
{
    struct ir_type type = piece_type(x->type);
    for (uint32_t k = 0, at = 0; k < piece_count(x->type); k++, at += ir_type_bytes(type))
        v->rows[x->id].piece[k] =
            ir_load(&v->b, type, part_address(v, x->src[0], at), part_mem(x, at));
    ir_remove(x);
}

static void lower_store(struct vectors *v, struct ir_instr *x)
{
    uint32_t bytes = ir_type_bytes(piece_type(x->src[1]->type));
    for (uint32_t k = 0, at = 0; k < piece_count(x->src[1]->type); k++, at += bytes) {
        struct ir_instr *value = piece(v, x->src[1], k);
        ir_store(&v->b, part_address(v, x->src[0], at), value, part_mem(x, at));
    }
    ir_remove(x);
}

// Index of piece `k` of element `index` in the array of pieces.
static struct ir_instr *elem_index(struct vectors *v, struct ir_instr *index, struct ir_type type,
                                   unsigned k)
{
    index = ir_op2(&v->b, IR_OP_imul, index, const_u32(v, piece_count(type)));
    return ir_op2(&v->b, IR_OP_iadd, index, const_u32(v, k));
}

static void lower_elem_load(struct vectors *v, struct ir_instr *x)
{
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        struct ir_instr *part = ir_elem_load(&v->b, x->var, elem_index(v, x->src[0], x->type, k));
        part->type = piece_type(x->type);
        part->mem = x->mem;
        v->rows[x->id].piece[k] = part;
    }
    ir_remove(x);
}

static void lower_elem_store(struct vectors *v, struct ir_instr *x)
{
    for (unsigned k = 0; k < piece_count(x->src[1]->type); k++) {
        struct ir_instr *value = piece(v, x->src[1], k);
        ir_elem_store(&v->b, x->var, elem_index(v, x->src[0], x->src[1]->type, k), value);
        v->b.before->prev->mem = x->mem;
    }
    ir_remove(x);
}

// Arrays of wide vectors become arrays of pieces after all accesses are changed.
static void lower_vars(struct ir_module *module)
{
    struct kc_kernel *info = &push_kernel(module)->info;
    for (size_t i = 0; i < module->vars.count; i++) {
        struct ir_var *var = module->vars.items[i];
        struct kc_spec *specs = (struct kc_spec *)info->specs;
        if (!is_wide(var->elem))
            continue;
        for (uint32_t k = 0; k < info->spec_count; k++)
            if (var->spec_id == specs[k].id + 1)
                specs[k].unit /= piece_count(var->elem);
        var->count *= piece_count(var->elem);
        var->elem = piece_type(var->elem);
    }
}

static void lower_private_vars(struct ir_function *f)
{
    for (size_t i = 0; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        var->count *= piece_count(var->elem);
        var->elem = piece_type(var->elem);
    }
}

// ---- everything else ----------------------------------------------------------------------------

static void lower_phi(struct vectors *v, struct ir_instr *x)
{
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        struct ir_instr *part = ir_phi(&v->b, piece_type(x->type), x->src_count);
        memcpy(part->preds, x->preds, x->src_count * sizeof *x->preds);
        v->rows[x->id].piece[k] = part;
    }
    vec_push(v->module->arena, &v->phis, x);
    ir_remove(x);
}

static void fill_phis(struct vectors *v)
{
    for (size_t i = 0; i < v->phis.count; i++) {
        struct ir_instr *x = v->phis.items[i];
        for (unsigned k = 0; k < piece_count(x->type); k++)
            for (uint32_t s = 0; s < x->src_count; s++)
                v->rows[x->id].piece[k]->src[s] = piece(v, x->src[s], k);
    }
}

static void lower_lanewise(struct vectors *v, struct ir_instr *x)
{
    struct ir_instr *src[3];
    if (x->src_count > 3) {
        ir_fail(v->module, x->origin, "internal: an operation on wide vectors that lower_vectors does not know");
        return;
    }
    v->b.flags = x->flags;
    for (unsigned k = 0; k < piece_count(x->type); k++) {
        for (uint32_t i = 0; i < x->src_count; i++)
            src[i] = piece(v, x->src[i], k);
        v->rows[x->id].piece[k] =
            ir_build(&v->b, (enum ir_op)x->op, piece_type(x->type), src, x->src_count);
    }
    v->b.flags = 0;
    ir_remove(x);
}

static void lower_extract(struct vectors *v, struct ir_instr *x)
{
    struct lane from = find_lane(v, x->src[0], x->index);
    ir_replace(x, ir_extract(&v->b, from.vector, from.index));
}

static void lower_instr(struct vectors *v, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_phi:
        lower_phi(v, x);
        break;
    case IR_OP_shuffle:
        lower_shuffle(v, x);
        break;
    case IR_OP_vec:
        lower_vec(v, x);
        break;
    case IR_OP_insert:
        lower_insert(v, x);
        break;
    case IR_OP_extract:
        lower_extract(v, x);
        break;
    case IR_OP_bitcast:
        lower_bitcast(v, x);
        break;
    case IR_OP_extract_dyn:
        lower_extract_dyn(v, x);
        break;
    case IR_OP_insert_dyn:
        lower_insert_dyn(v, x);
        break;
    case IR_OP_load:
        lower_load(v, x);
        break;
    case IR_OP_store:
        lower_store(v, x);
        break;
    case IR_OP_elem_load:
        lower_elem_load(v, x);
        break;
    case IR_OP_elem_store:
        lower_elem_store(v, x);
        break;
    case IR_OP_call:
    case IR_OP_return:
        ir_fail(v->module, x->origin, "a vector of more than 4 components is passed to a call that is not inlined");
        break;
    default:
        lower_lanewise(v, x);
        break;
    }
}

static bool is_affected(const struct ir_instr *x)
{
    if (is_wide(x->type) || x->op == IR_OP_extract_dyn || x->op == IR_OP_insert_dyn)
        return true;
    for (uint32_t i = 0; x->op != IR_OP_phi && i < x->src_count; i++) // a new phi has no sources yet
        if (is_wide(x->src[i]->type))
            return true;
    return false;
}

static uint32_t number_affected(struct ir_function *f)
{
    uint32_t count = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_affected(x))
                x->id = count++;
    return count;
}

static void lower_function(struct vectors *v, uint32_t concerned)
{
    v->function->converged = false;
    v->b = (struct ir_builder){.module = v->module, .function = v->function};
    v->rows = ARENA_ARRAY(v->scratch, struct row, concerned);
    for (struct ir_block *block = ir_first_block(v->function); block;
         block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            ir_resolve_sources(x); // for all instructions, because folding may look through sources
            if (!is_affected(x))
                continue;
            v->changed = true;
            ir_place_before(&v->b, x);
            lower_instr(v, x);
        }
    }
    fill_phis(v);
    ir_resolve(v->function);
}

// Requires: lower_memory; calls with wide vectors are inlined. Keeps: everything. Removes: vectors of 8 and 16 lanes.
bool lower_vectors(struct pass_context *c)
{
    bool changed = false;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (!f->has_body)
            continue;
        struct vectors v = {.module = c->module, .function = f, .scratch = c->scratch};
        uint32_t concerned = number_affected(f);
        if (concerned)
            lower_function(&v, concerned);
        lower_private_vars(f);
        changed |= v.changed;
    }
    lower_vars(c->module);
    return changed;
}
