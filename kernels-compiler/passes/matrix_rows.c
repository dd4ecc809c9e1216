// SPDX-License-Identifier: Apache-2.0
// Loads and stores of tiles whose rows are not aligned. Vulkan requires a tile's address and row stride to be
// multiples of 16 bytes (or of a row's size if that is smaller), and does not check it. If the compiler cannot prove
// the alignment, the kernel tests it at run time:
//
//   if (((address | stride) & 15) == 0)  t = mat_load address, stride
//   else  for each of the work-item's components i:  t[i] = load address + offset of i
//
// Vulkan does not specify the row and column of component i. Two loads of index tables find out: a tile whose rows
// are all 0, 1, 2, ... gives the column, one whose columns are (by a stride of 0) gives the row. The tables are part
// of the program's constants.
#include "passes/matrices.h"

enum {
    VECTOR = 16, // alignment in bytes that Vulkan requires of rows, unless they are shorter
    EDGE = MATRIX_TILE_EDGE, // entries of each table
    NUMBER_BITS = EDGE - 1,  // the low bits that hold the index
};

// ---- index tables --------------------------------------------------------------------------------

// The tables with entries of 1, 2, 4 and 8 bytes follow one another.
static uint32_t numbers_offset(uint32_t bytes) { return EDGE * (bytes - 1); }

// The index is in the low bits. The other bits make the entry a normal float, which devices do not flush to zero.
static uint64_t number_bits(uint32_t bytes, unsigned i)
{
    return i | (bytes == 2 ? 0x3c00u : bytes == 4 ? 0x3f800000u : bytes == 8 ? UINT64_C(0x3ff0000000000000) : 0);
}

static bool accesses_matrices(const struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_mat_load || x->op == IR_OP_mat_store)
                    return true;
    return false;
}

void matrices_add_numbers(struct ir_module *program, const struct kc_target *target)
{
    if (!target->matrix_shape_count || !accesses_matrices(program))
        return;
    uint32_t size = numbers_offset(16);
    uint8_t *init = arena_zalloc(program->arena, size);
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2)
        for (unsigned i = 0; i < EDGE; i++) {
            uint64_t bits = number_bits(bytes, i);
            for (uint32_t k = 0; k < bytes; k++)
                init[numbers_offset(bytes) + i * bytes + k] = (uint8_t)(bits >> 8 * k);
        }
    ir_var_add(program, NULL, IR_MATRIX_NUMBERS, IR_CONSTANT, size, VECTOR)->init = init;
}

bool matrix_rows_may_be_unaligned(const struct matrices *s) { return ir_matrix_numbers(s->m); }

// ---- alignment -----------------------------------------------------------------------------------

static struct ir_type type_of(const struct ir_instr *x) { return x->op == IR_OP_mat_load ? x->type : x->src[1]->type; }

uint32_t matrix_row_unit(const struct ir_instr *x, struct ir_type type)
{
    uint32_t row = (x->by_columns ? type.rows : type.columns) * (type.bits / 8u);
    return row < VECTOR ? row & (0 - row) : VECTOR;
}

// Whether index * bytes is a multiple of `unit` (at most 16).
static bool is_multiple(const struct ir_instr *index, uint64_t bytes, uint32_t unit)
{
    unsigned zeros = opt_zero_bits(index);
    return (bytes << (zeros < 4 ? zeros : 4)) % unit == 0;
}

// The pointer that `pointer` is computed from by steps of multiples of `unit`; NULL: it starts at an aligned address.
static struct ir_instr *root_of(struct ir_instr *pointer, uint32_t unit)
{
    struct ir_instr *p = opt_resolved(pointer);
    while (p->op == IR_OP_ptr_index && (uint64_t)p->offset % unit == 0 &&
           (p->src_count < 2 || is_multiple(opt_resolved(p->src[1]), (uint64_t)p->stride, unit)))
        p = opt_resolved(p->src[0]);
    if (p->op != IR_OP_addr)
        return p;
    if (p->var->space == IR_LOCAL && p->var->align < unit)
        p->var->align = unit;
    return p->var->align >= unit ? NULL : p;
}

static struct ir_instr *low_bits(struct matrices *s, struct ir_instr *x)
{
    if (x->type.base == IR_PTR)
        x = ir_convert(&s->b, IR_OP_ptr_to_int, ir_int(64), x);
    return x->type.bits == 32 ? x : ir_convert(&s->b, IR_OP_trunc, ir_int(32), x);
}

// What must be tested at run time.
struct alignment {
    struct ir_instr *address, *stride; // NULL: known to be aligned
    bool never;                        // never aligned: no test needed
};

static struct alignment alignment_of(const struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = type_of(x), tile = matrix_part_type(s, type);
    uint32_t unit = matrix_row_unit(x, tile), bytes = type.bits / 8u;
    unsigned row = x->by_columns ? tile.rows : tile.columns, all = x->by_columns ? type.rows : type.columns;
    struct ir_instr *stride = opt_resolved(x->src[x->src_count - 1]);
    struct alignment u = {.address = root_of(x->src[0], unit)};
    u.never = (row != all && row * bytes % unit) || (ir_is_const(stride) && stride->lanes[0] * bytes % unit);
    u.stride = is_multiple(stride, bytes, unit) ? NULL : stride;
    return u;
}

bool matrix_rows_are_aligned(const struct matrices *s, const struct ir_instr *x)
{
    struct alignment u = alignment_of(s, x);
    return !ir_matrix_numbers(s->m) || (!u.never && !u.address && !u.stride);
}

struct ir_instr *matrix_test_rows(struct matrices *s, const struct ir_instr *x)
{
    struct alignment u = alignment_of(s, x);
    if (u.never)
        return ir_const_int(s->m, ir_bool(), 0);
    struct ir_instr *low = u.address ? low_bits(s, u.address) : matrix_number(s, 32, 0);
    if (u.stride) {
        uint32_t bytes = type_of(x).bits / 8u;
        struct ir_instr *distance = ir_op2(&s->b, IR_OP_imul, low_bits(s, u.stride), matrix_number(s, 32, bytes));
        low = ir_op2(&s->b, IR_OP_or, low, distance);
    }
    low = ir_op2(&s->b, IR_OP_and, low, matrix_number(s, 32, matrix_row_unit(x, matrix_part_type(s, type_of(x))) - 1));
    return ir_op2(&s->b, IR_OP_ieq, low, matrix_number(s, 32, 0));
}

// ---- component by component ----------------------------------------------------------------------

struct places {
    struct ir_instr *rows, *columns; // matrices of indices, of the tile's type
};

static struct ir_instr *numbers(struct matrices *s, struct ir_type tile, bool by_columns)
{
    uint32_t bytes = tile.bits / 8u;
    struct ir_mem mem = {.space = IR_CONSTANT, .align = bytes};
    struct ir_instr *from = ir_ptr_index(&s->b, ir_addr(s->m, ir_matrix_numbers(s->m)), NULL, 0, numbers_offset(bytes));
    return ir_mat_load(&s->b, tile, from, matrix_number(s, 64, 0), by_columns, mem);
}

static struct places places_of(struct matrices *s, struct ir_type tile)
{
    return (struct places){numbers(s, tile, true), numbers(s, tile, false)};
}

static struct ir_instr *number_at(struct matrices *s, struct ir_instr *numbers, struct ir_instr *i)
{
    struct ir_instr *one = matrix_component(s, numbers, i);
    struct ir_type bits = ir_int(one->type.bits);
    if (one->type.base == IR_FLOAT)
        one = ir_convert(&s->b, IR_OP_bitcast, bits, one);
    if (bits.bits < 64)
        one = ir_convert(&s->b, IR_OP_zext, ir_int(64), one);
    return ir_op2(&s->b, IR_OP_and, one, matrix_number(s, 64, NUMBER_BITS));
}

// The offset of component i from the tile's first one.
static struct ir_instr *distance_of(struct matrices *s, const struct ir_instr *x, const struct places *p, struct ir_instr *i)
{
    struct ir_instr *row = number_at(s, p->rows, i), *column = number_at(s, p->columns, i);
    struct ir_instr *major = x->by_columns ? column : row, *minor = x->by_columns ? row : column;
    return ir_op2(&s->b, IR_OP_iadd, ir_op2(&s->b, IR_OP_imul, major, x->src[x->src_count - 1]), minor);
}

static struct ir_mem one_mem(const struct ir_instr *x, uint32_t bytes)
{
    struct ir_mem mem = x->mem;
    mem.align = mem.align < bytes ? mem.align : bytes;
    return mem;
}

void matrix_load_components(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners, struct parts *to)
{
    unsigned count = matrix_part_count(s, x->type);
    struct ir_type tile = matrix_part_type(s, x->type), one = ir_component(x->type);
    uint32_t bytes = one.bits / 8u;
    struct places places = places_of(s, tile);
    struct ir_instr **phis = ARENA_ARRAY(s->scratch, struct ir_instr *, count);
    struct matrix_loop r = matrix_begin_loop(s);
    for (unsigned t = 0; t < count; t++)
        phis[t] = matrix_loop_value(s, &r, places.rows); // any value
    struct ir_instr *distance = distance_of(s, x, &places, r.number);
    for (unsigned t = 0; t < count; t++) {
        struct ir_instr *from = ir_ptr_index(&s->b, corners[t], distance, bytes, 0);
        struct ir_instr *value = ir_load(&s->b, one, from, one_mem(x, bytes));
        struct ir_instr *src[3] = {phis[t], matrix_to_part(s, x->type, value), r.number};
        to->item[t] = phis[t]->src[1] = ir_build(&s->b, IR_OP_mat_set, tile, src, 3);
    }
    matrix_end_loop(s, &r, matrix_tile_length(s, places.rows));
}

void matrix_store_components(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners,
                             const struct parts *from)
{
    struct ir_type type = x->src[1]->type;
    uint32_t bytes = type.bits / 8u;
    struct places places = places_of(s, matrix_part_type(s, type));
    struct matrix_loop r = matrix_begin_loop(s);
    struct ir_instr *distance = distance_of(s, x, &places, r.number);
    for (unsigned t = 0; t < matrix_part_count(s, type); t++) {
        struct ir_instr *value = matrix_from_part(s, type, matrix_component(s, from->item[t], r.number));
        ir_store(&s->b, ir_ptr_index(&s->b, corners[t], distance, bytes, 0), value, one_mem(x, bytes));
    }
    matrix_end_loop(s, &r, matrix_tile_length(s, places.rows));
}
