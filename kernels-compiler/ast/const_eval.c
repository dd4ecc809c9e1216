// SPDX-License-Identifier: Apache-2.0
// Evaluates constant expressions, exactly in the target's types, and static initialisers to bytes.
//
// Sema folds bottom-up through const_eval_lanes(), so operands of constant expressions are constants already.
// Recursion is needed only for operands that are not evaluated (1 ? 2 : x) and is limited. Floats are computed as
// doubles and rounded once to the type, which is exact for + - * / of half and float.
#include "ast/const_eval.h"
#include "ast/sema_base.h"
#include "ast/types.h"
#include "util/half.h"
#include "util/nan.h"
#include "util/small_float.h"
#include "util/stack.h"
#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 200, ONCE_DEPTH = 20 }; // ONCE_DEPTH: EXPR_ONCE operands are evaluated twice at each level, which doubles the work

// ---- one lane -----------------------------------------------------------------------------------

static uint64_t mask_bits(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    unsigned shift = 64 - bits;
    return (int64_t)(value << shift) >> shift;
}

// Pointers and opaque values are treated as 64-bit unsigned integers.
static bool lane_signed(const struct type *type)
{
    return type_is_arithmetic(type) && type_is_integer(type) && type_is_signed(type);
}

static unsigned lane_bits(const struct type *type)
{
    return type_is_arithmetic(type) || type_is_small_float(type) ? type_bits(type) : 64;
}

_Static_assert(TYPE_E4M3 - TYPE_BF16 == (int)SMALL_E4M3 && TYPE_E5M2 - TYPE_BF16 == (int)SMALL_E5M2, "one order");

static enum small_float small_format(const struct type *type) { return (enum small_float)(type->kind - TYPE_BF16); }
static bool holds_float(const struct type *type) { return type_is_float(type) || type_is_small_float(type); }

static int64_t as_int(const struct type *type, uint64_t bits)
{
    return lane_signed(type) ? sign_extend(bits, lane_bits(type)) : (int64_t)bits;
}

static double as_double(const struct type *type, uint64_t bits)
{
    double d;
    if (type_is_small_float(type))
        return small_to_double(small_format(type), (uint32_t)bits);
    switch (type->kind) {
    case TYPE_HALF:
        return half_to_double((uint16_t)bits);
    case TYPE_FLOAT:
        return nan_float_to_double((uint32_t)bits);
    case TYPE_DOUBLE:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return lane_signed(type) ? (double)as_int(type, bits) : (double)bits;
    }
}

static uint64_t from_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t from_double(const struct type *type, double d)
{
    if (type_is_small_float(type))
        return small_from_double(small_format(type), d);
    if (type->kind == TYPE_HALF)
        return half_from_double(d);
    if (type->kind == TYPE_FLOAT)
        return nan_float_from_double(d);
    return nan_bits(d);
}

// Out-of-range conversions are undefined in C; this saturates.
static uint64_t double_to_int(const struct type *type, double d)
{
    unsigned bits = lane_bits(type);
    if (isnan(d))
        return 0;
    d = trunc(d);
    if (lane_signed(type)) {
        double limit = ldexp(1, (int)bits - 1);
        int64_t value = d >= limit   ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1)
                        : d < -limit ? (int64_t) - (UINT64_C(1) << (bits - 1))
                                     : (int64_t)d;
        return mask_bits((uint64_t)value, bits);
    }
    if (d >= ldexp(1, (int)bits))
        return mask_bits(UINT64_MAX, bits);
    if (d < 0) // wraps like a conversion from a signed integer
        return mask_bits(d >= -ldexp(1, 63) ? (uint64_t)(int64_t)d : 0, bits);
    return (uint64_t)d;
}

static uint64_t convert_lane(const struct type *to, const struct type *from, uint64_t bits)
{
    if (to->kind == TYPE_BOOL)
        return holds_float(from) ? as_double(from, bits) != 0 : bits != 0;
    if (!holds_float(to) && !holds_float(from))
        return mask_bits((uint64_t)as_int(from, bits), lane_bits(to));
    if (!holds_float(to))
        return double_to_int(to, as_double(from, bits));
    if (!holds_float(from) && to->kind == TYPE_FLOAT) // a single rounding
        return from_float(lane_signed(from) ? (float)as_int(from, bits) : (float)bits);
    return from_double(to, as_double(from, bits));
}

static bool compare_lane(enum expr_op op, int order, bool unordered)
{
    switch (op) {
    case EXPR_OP_EQ:
        return !unordered && order == 0;
    case EXPR_OP_NE:
        return unordered || order != 0;
    case EXPR_OP_LT:
        return !unordered && order < 0;
    case EXPR_OP_LE:
        return !unordered && order <= 0;
    case EXPR_OP_GT:
        return !unordered && order > 0;
    default:
        return !unordered && order >= 0;
    }
}

// Hosts differ in the sign of a NaN made from numbers and in which of two NaN operands propagates. Here, as on x86,
// the sign is set and the first NaN propagates, quieted.
static double known_nan(double x, double y, double result)
{
    if (!isnan(result))
        return result;
    return isnan(x) ? nan_quieted(x) : isnan(y) ? nan_quieted(y) : copysign((double)NAN, -1);
}

static bool float_lane(const struct type *type, enum expr_op op, uint64_t a, uint64_t b,
                       uint64_t *out)
{
    double x = as_double(type, a), y = as_double(type, b), r;
    switch (op) {
    case EXPR_OP_ADD:
        r = x + y;
        break;
    case EXPR_OP_SUB:
        r = x - y;
        break;
    case EXPR_OP_MUL:
        r = x * y;
        break;
    case EXPR_OP_DIV:
        r = x / y;
        break;
    default:
        return false;
    }
    *out = from_double(type, known_nan(x, y, r));
    return true;
}

static bool divide_lane(const struct type *type, enum expr_op op, uint64_t a, uint64_t b,
                        uint64_t *out)
{
    if (b == 0)
        return false;
    bool remainder = op == EXPR_OP_REM;
    if (lane_signed(type)) {
        int64_t x = as_int(type, a), y = as_int(type, b);
        if (y == -1)
            *out = remainder ? 0 : 0 - (uint64_t)x;
        else
            *out = (uint64_t)(remainder ? x % y : x / y);
    } else {
        *out = remainder ? a % b : a / b;
    }
    return true;
}

static bool int_lane(const struct type *type, enum expr_op op, uint64_t a, uint64_t b,
                     uint64_t *out)
{
    unsigned bits = lane_bits(type);
    unsigned amount = (unsigned)(b & (bits - 1));
    switch (op) {
    case EXPR_OP_ADD:
        *out = a + b;
        break;
    case EXPR_OP_SUB:
        *out = a - b;
        break;
    case EXPR_OP_MUL:
        *out = a * b;
        break;
    case EXPR_OP_DIV:
    case EXPR_OP_REM:
        if (!divide_lane(type, op, a, b, out))
            return false;
        break;
    case EXPR_OP_SHL:
        *out = a << amount;
        break;
    case EXPR_OP_SHR:
        *out = lane_signed(type) ? (uint64_t)(as_int(type, a) >> amount) : a >> amount;
        break;
    case EXPR_OP_AND:
        *out = a & b;
        break;
    case EXPR_OP_OR:
        *out = a | b;
        break;
    case EXPR_OP_XOR:
        *out = a ^ b;
        break;
    default:
        return false;
    }
    *out = mask_bits(*out, bits);
    return true;
}

static bool is_true(const struct type *type, uint64_t bits)
{
    return type_is_float(type) ? as_double(type, bits) != 0 : bits != 0;
}

static int order_of(const struct type *type, uint64_t a, uint64_t b, bool *unordered)
{
    *unordered = false;
    if (type_is_float(type)) {
        double x = as_double(type, a), y = as_double(type, b);
        *unordered = isnan(x) || isnan(y);
        return x < y ? -1 : x > y;
    }
    if (lane_signed(type)) {
        int64_t x = as_int(type, a), y = as_int(type, b);
        return x < y ? -1 : x > y;
    }
    return a < b ? -1 : a > b;
}

// a op b for operands of `type`; `truth` is the result of a true comparison (1, or all ones of its width).
static bool binary_lane(const struct type *type, enum expr_op op, uint64_t a, uint64_t b,
                        uint64_t truth, uint64_t *out)
{
    bool unordered;
    if (op >= EXPR_OP_EQ && op <= EXPR_OP_GE) {
        int order = order_of(type, a, b, &unordered);
        *out = compare_lane(op, order, unordered) ? truth : 0;
        return true;
    }
    if (op == EXPR_OP_LAND || op == EXPR_OP_LOR) {
        bool x = is_true(type, a), y = is_true(type, b);
        *out = (op == EXPR_OP_LAND ? x && y : x || y) ? truth : 0;
        return true;
    }
    return type_is_float(type) ? float_lane(type, op, a, b, out) : int_lane(type, op, a, b, out);
}

// ---- expressions --------------------------------------------------------------------------------

// A link-time address: base (a decl, a literal or none) + addend.
struct address {
    const struct decl *decl;
    const struct expr *literal;
    int64_t addend;
};

static bool eval_address(const struct expr *e, struct address *out, unsigned depth);

static bool eval(const struct expr *e, uint64_t lanes[16], unsigned depth);

static uint64_t truth_of(const struct type *result)
{
    return type_is_vector(result) ? mask_bits(UINT64_MAX, lane_bits(result->elem.type)) : 1;
}

static bool eval_unary(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    if (!eval(e->a, lanes, depth))
        return false;
    struct type *type = type_scalar(e->a->type.type);
    unsigned bits = lane_bits(type);
    for (unsigned i = 0; i < type_lanes(e->type.type); i++) {
        if (e->op == EXPR_OP_LNOT)
            lanes[i] = is_true(type, lanes[i]) ? 0 : truth_of(e->type.type);
        else if (e->op == EXPR_OP_NOT)
            lanes[i] = mask_bits(~lanes[i], bits);
        else if (type_is_float(type))
            lanes[i] ^= UINT64_C(1) << (bits - 1);
        else
            lanes[i] = mask_bits(0 - lanes[i], bits);
    }
    return true;
}

static bool eval_binary(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    uint64_t b[16];
    if (!eval(e->a, lanes, depth) || !eval(e->b, b, depth))
        return false;
    struct type *type = type_scalar(e->a->type.type);
    for (unsigned i = 0; i < type_lanes(e->type.type); i++)
        if (!binary_lane(type, e->op, lanes[i], b[i], truth_of(e->type.type), &lanes[i]))
            return false;
    return true;
}

static bool eval_cast(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    struct type *to = type_scalar(e->type.type), *from = type_scalar(e->a->type.type);
    struct address address;
    if (to->kind == TYPE_VOID || type_is_record(to))
        return false;
    if (to->kind == TYPE_BOOL && from->kind == TYPE_POINTER && eval_address(e->a, &address, depth)) {
        lanes[0] = address.decl || address.literal || address.addend;
        return true;
    }
    if (!eval(e->a, lanes, depth))
        return false;
    bool splat = type_is_vector(e->type.type) && !type_is_vector(e->a->type.type);
    for (unsigned i = 0; i < type_lanes(e->type.type); i++)
        lanes[i] = splat && i ? lanes[0] : convert_lane(to, from, lanes[i]);
    return true;
}

static bool eval_choice(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    uint64_t a[16], c[16];
    if (!eval(e->a, a, depth))
        return false;
    if (e->kind == EXPR_COND)
        return eval(a[0] ? e->b : e->c, lanes, depth);
    if (!eval(e->b, lanes, depth) || !eval(e->c, c, depth))
        return false;
    unsigned top = lane_bits(type_scalar(e->a->type.type)) - 1;
    for (unsigned i = 0; i < type_lanes(e->type.type); i++)
        lanes[i] = a[i] >> top & 1 ? lanes[i] : c[i];
    return true;
}

static bool eval_logical(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    bool and = e->op == EXPR_OP_AND || e->op == EXPR_OP_LAND;
    if (!eval(e->a, lanes, depth))
        return false;
    if ((lanes[0] != 0) != and)
        lanes[0] = !and;
    else if (!eval(e->b, lanes, depth))
        return false;
    else
        lanes[0] = lanes[0] != 0;
    return true;
}

static bool eval_vector(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    uint64_t operand[16];
    unsigned at = 0;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (!eval(e->args[i], operand, depth))
            return false;
        for (unsigned k = 0; k < type_lanes(e->args[i]->type.type) && at < 16; k++)
            lanes[at++] = operand[k];
    }
    return true;
}

static bool eval_shuffle(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    uint64_t both[32];
    unsigned count = type_lanes(e->a->type.type);
    if (!eval(e->a, both, depth) || !eval(e->b, both + count, depth))
        return false;
    for (unsigned i = 0; i < e->lane_count; i++)
        lanes[i] = both[e->lane[i]];
    return true;
}

static bool eval_swizzle(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    uint64_t a[16] = {0}, index[16];
    if (e->lvalue || !eval(e->a, a, depth))
        return false;
    if (e->kind == EXPR_LANE) {
        if (!eval(e->b, index, depth) || index[0] >= type_lanes(e->a->type.type))
            return false;
        lanes[0] = a[index[0]];
        return true;
    }
    for (unsigned i = 0; i < e->lane_count; i++)
        lanes[i] = a[e->lane[i]];
    return true;
}

// "text"[index]
static bool eval_character(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    struct address address;
    if (!eval_address(e->a->a, &address, depth) || !address.literal || address.literal->kind != EXPR_STRING ||
        e->type.type->size != 1 || (uint64_t)address.addend >= address.literal->string_length)
        return false;
    lanes[0] = (unsigned char)address.literal->string[address.addend];
    return true;
}

// A constant variable has the value of its initialiser, like a literal: kernels use such variables as array sizes.
static bool eval_load(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    if (e->a->kind == EXPR_DEREF)
        return eval_character(e, lanes, depth);
    const struct decl *decl = e->a->kind == EXPR_OBJECT ? e->a->decl : NULL;
    if (!decl || decl->kind != DECL_VARIABLE || !decl->init || decl->init->count != 1)
        return false;
    bool constant = (decl->type.quals & QUAL_CONST) || decl->type.space == SPACE_CONSTANT;
    const struct expr *value = decl->init->entries[0].value;
    return constant && !(decl->type.quals & QUAL_VOLATILE) && value->type.type == decl->type.type &&
           type_is_arithmetic(type_scalar(decl->type.type)) && eval(value, lanes, depth);
}

static bool eval_difference(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    struct address a, b;
    const struct type *pointee = e->a->type.type->elem.type;
    if (!eval_address(e->a, &a, depth) || !eval_address(e->b, &b, depth) || a.decl != b.decl ||
        a.literal != b.literal)
        return false;
    int64_t distance = (a.addend - b.addend) / (int64_t)(pointee->size ? pointee->size : 1);
    lanes[0] = mask_bits((uint64_t)distance, lane_bits(e->type.type));
    return true;
}

static bool eval(const struct expr *e, uint64_t lanes[16], unsigned depth)
{
    stack_check();
    if (depth++ > MAX_DEPTH)
        return false;
    switch (e->kind) {
    case EXPR_LOAD:
        return eval_load(e, lanes, depth);
    case EXPR_CONST:
        memcpy(lanes, e->lanes, sizeof *lanes * type_lanes(e->type.type));
        return true;
    case EXPR_UNARY:
        return eval_unary(e, lanes, depth);
    case EXPR_BINARY:
        return eval_binary(e, lanes, depth);
    case EXPR_LOGICAL:
        return eval_logical(e, lanes, depth);
    case EXPR_CAST:
        return eval_cast(e, lanes, depth);
    case EXPR_COND:
    case EXPR_VECTOR_COND:
        return eval_choice(e, lanes, depth);
    case EXPR_VECTOR:
        return eval_vector(e, lanes, depth);
    case EXPR_SWIZZLE:
    case EXPR_LANE:
        return eval_swizzle(e, lanes, depth);
    case EXPR_SHUFFLE:
        return eval_shuffle(e, lanes, depth);
    case EXPR_PTR_DIFF:
        return eval_difference(e, lanes, depth);
    case EXPR_WITH:
        return eval(e->b, lanes, depth);
    case EXPR_ONCE:
        return eval(e->a, lanes, depth + ONCE_DEPTH);
    default:
        return false;
    }
}

bool const_eval_lanes(struct ast *ast, const struct expr *expr, uint64_t lanes[16])
{
    (void)ast;
    return eval(expr, lanes, 0);
}

bool const_eval_int(struct ast *ast, const struct expr *expr, uint64_t *value, const char *what)
{
    uint64_t lanes[16];
    if (sema_is_error(expr))
        return false;
    if (type_is_integer(expr->type.type) && eval(expr, lanes, 0)) {
        *value = (uint64_t)as_int(type_scalar(expr->type.type), lanes[0]);
        return true;
    }
    if (what)
        diag_error(ast->diag, sema_start(expr), "%s is not an integer constant expression", what);
    return false;
}

// ---- static initialisers ------------------------------------------------------------------------

static bool eval_place(const struct expr *e, struct address *out, unsigned depth)
{
    stack_check();
    if (depth++ > MAX_DEPTH)
        return false;
    switch (e->kind) {
    case EXPR_OBJECT:
        *out = (struct address){.decl = e->decl};
        return e->decl->kind == DECL_VARIABLE &&
               (e->decl->file_scope || e->decl->storage == STORAGE_STATIC ||
                e->type.space == SPACE_CONSTANT);
    case EXPR_STRING:
    case EXPR_COMPOUND:
        *out = (struct address){.literal = e};
        return e->kind == EXPR_STRING || e->type.space != SPACE_PRIVATE;
    case EXPR_DEREF:
        return eval_address(e->a, out, depth);
    case EXPR_MEMBER:
        if (!eval_place(e->a, out, depth))
            return false;
        out->addend += (int64_t)e->field->offset;
        return true;
    default:
        return false;
    }
}

// Whether the conversion preserves an address: both types have the size of a pointer, 8 or 4 bytes.
static bool preserves_address(const struct type *to, const struct type *from)
{
    bool pointers = to->kind == TYPE_POINTER || from->kind == TYPE_POINTER;
    return to->size == from->size && (to->size == 8 || pointers) && !type_is_vector(from);
}

static bool eval_address(const struct expr *e, struct address *out, unsigned depth)
{
    stack_check();
    uint64_t lanes[16];
    if (depth++ > MAX_DEPTH)
        return false;
    if (eval(e, lanes, depth)) {
        *out = (struct address){.addend = (int64_t)lanes[0]};
        return true;
    }
    switch (e->kind) {
    case EXPR_DECAY:
    case EXPR_ADDRESS:
        return eval_place(e->a, out, depth);
    case EXPR_CAST:
        return preserves_address(e->type.type, e->a->type.type) && eval_address(e->a, out, depth);
    case EXPR_COND:
        return eval(e->a, lanes, depth) && eval_address(lanes[0] ? e->b : e->c, out, depth);
    case EXPR_WITH:
        return eval_address(e->b, out, depth);
    case EXPR_ONCE:
        return eval_address(e->a, out, depth + ONCE_DEPTH);
    case EXPR_PTR_ADD: {
        const struct type *pointee = e->type.type->elem.type;
        uint64_t size = pointee->size ? pointee->size : 1;
        if (!eval(e->b, lanes, depth) || !eval_address(e->a, out, depth))
            return false;
        out->addend += (int64_t)(lanes[0] * size);
        return true;
    }
    default:
        return false;
    }
}

struct image { // bytes being written
    struct ast *ast;
    uint8_t *bytes;
    uint64_t size;
    struct const_relocs *relocs;
};

static void write_lanes(struct image *image, uint64_t offset, const struct type *type,
                        const uint64_t *lanes)
{
    uint64_t size = type_is_vector(type) ? type->elem.type->size : type->size;
    for (unsigned i = 0; i < type_lanes(type); i++, offset += size)
        for (uint64_t k = 0; k < size && offset + k < image->size; k++)
            image->bytes[offset + k] = k < 8 ? (uint8_t)(lanes[i] >> (8 * k)) : 0;
}

static void add_reloc(struct image *image, uint64_t offset, const struct address *address)
{
    struct const_reloc reloc = {.offset = offset,
                                .decl = address->decl,
                                .string = address->literal,
                                .addend = address->addend};
    vec_push(image->ast->arena, image->relocs, reloc);
}

static bool write_init(struct image *image, uint64_t base, const struct init *init, unsigned depth);

// The value of an address without a base, e.g. ((size_t)&((struct s *)0)->field).
static bool eval_number(const struct expr *e, uint64_t *number, unsigned depth)
{
    stack_check();
    struct address address;
    if (depth++ > MAX_DEPTH || e->kind != EXPR_CAST || !type_is_integer(e->type.type))
        return false;
    struct type *from = type_scalar(e->a->type.type);
    if (from->kind != TYPE_POINTER) {
        if (!type_is_integer(from) || !eval_number(e->a, number, depth))
            return false;
    } else {
        if (!eval_address(e->a, &address, depth) || address.decl || address.literal)
            return false;
        *number = (uint64_t)address.addend;
        from = e->type.type;
    }
    *number = convert_lane(type_scalar(e->type.type), from, *number);
    return true;
}

static bool write_value(struct image *image, uint64_t offset, const struct expr *value,
                        unsigned depth)
{
    const struct type *type = value->type.type;
    uint64_t lanes[16];
    struct address address;
    if (sema_is_error(value))
        return false;
    if (!type_is_record(type) && (eval(value, lanes, 0) || eval_number(value, lanes, 0))) {
        write_lanes(image, offset, type, lanes);
        return true;
    }
    if (type_is_record(type)) {
        const struct expr *object = value->kind == EXPR_LOAD ? value->a : value;
        if (object->kind == EXPR_COMPOUND && depth < MAX_DEPTH)
            return write_init(image, offset, object->init, depth + 1);
    } else if (type->size == image->ast->types->pointer_bytes && !type_is_vector(type) && eval_address(value, &address, 0)) {
        if (address.decl || address.literal)
            add_reloc(image, offset, &address);
        else
            write_lanes(image, offset, type, (uint64_t[1]){(uint64_t)address.addend});
        return true;
    }
    diag_error(image->ast->diag, sema_start(value),
               "initializer element is not a compile-time constant");
    return false;
}

static bool write_init(struct image *image, uint64_t base, const struct init *init, unsigned depth)
{
    stack_check();
    bool fine = true;
    for (uint32_t i = 0; init && i < init->count; i++)
        fine &= write_value(image, base + init->entries[i].offset, init->entries[i].value, depth);
    return fine;
}

bool const_eval_init(struct ast *ast, const struct decl *decl, uint8_t *out,
                     struct const_relocs *relocs)
{
    struct image image = {
        .ast = ast, .bytes = out, .size = decl->type.type->size, .relocs = relocs};
    memset(out, 0, (size_t)image.size);
    return write_init(&image, 0, decl->init, 0);
}
