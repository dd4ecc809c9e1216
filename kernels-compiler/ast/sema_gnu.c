// SPDX-License-Identifier: Apache-2.0
// Calls of clang's compiler built-ins, __builtin_NAME.
//
// Some are answered here, some are short for other expressions. Functions of C's math library map by their suffix
// ("": double, f, l, f16) to the OpenCL C function of that element type. Integer functions are rows of builtins.def
// with bodies in lib/gnu; calls with constant arguments are folded here.
#include "ast/sema_impl.h"
#include "util/stack.h"
#include <stdlib.h>
#include <string.h>

struct call {
    struct ast *ast;
    const char *name, *detail; // detail: of the table's row
    struct expr **args;        // rvalues, unless the row is `as_written`
    uint32_t count;
    struct loc loc;
};

typedef struct expr *maker(const struct call *call);

static struct expr *failed(const struct call *call)
{
    return sema_error(call->ast, call->loc);
}

static struct expr *nothing(const struct call *call)
{
    struct expr *zero = sema_const_int(call->ast, TYPE_INT, 0, call->loc);
    return sema_one(call->ast, EXPR_CAST, type_basic(call->ast->types, TYPE_VOID), zero, call->loc);
}

static struct expr *binary(const struct call *call, enum token_kind op, struct expr *a, struct expr *b)
{
    return sema_binary(call->ast, op, a, b, call->loc);
}

static struct expr *to_kind(const struct call *call, enum type_kind kind, struct expr *a)
{
    return sema_convert_at(call->ast, sema_basic(call->ast, kind), a, SEMA_ARGUMENT, sema_start(a));
}

static struct expr *call_opencl(const struct call *call, const char *name, struct expr **args, uint32_t count)
{
    struct expr *callee = sema_new(call->ast, EXPR_BUILTIN_NAME, sema_basic(call->ast, TYPE_VOID), call->loc);
    callee->builtin_name = name;
    return sema_call(call->ast, callee, args, count, call->loc, call->loc);
}

// ---- queries and hints ---------------------------------------------------------------------------

static struct expr *make_nothing(const struct call *call)
{
    return nothing(call);
}

static enum type_kind size_kind(const struct call *call) { return scope_narrowed(call->ast, TYPE_ULONG); }

static struct expr *make_expect(const struct call *call)
{
    return to_kind(call, TYPE_LONG, call->args[0]);
}

static struct expr *make_unsupported(const struct call *call)
{
    diag_error(call->ast->diag, call->loc, "'%s' is not supported: %s", call->name, call->detail);
    return failed(call);
}

static struct expr *make_constant_p(const struct call *call)
{
    struct expr *a = sema_value(call->ast, call->args[0]);
    bool known = a->kind == EXPR_CONST || (a->kind == EXPR_DECAY && a->a->kind == EXPR_STRING);
    return sema_is_error(a) ? a : sema_const_int(call->ast, TYPE_INT, known, call->loc);
}

static struct expr *make_choose_expr(const struct call *call)
{
    uint64_t choice;
    struct expr *a = sema_value(call->ast, call->args[0]);
    if (!const_eval_int(call->ast, a, &choice, "'__builtin_choose_expr' condition"))
        return failed(call);
    return call->args[choice ? 1 : 2];
}

// The size is always unknown: returns 0 for a minimum, else SIZE_MAX.
static struct expr *make_object_size(const struct call *call)
{
    uint64_t type;
    if (!const_eval_int(call->ast, call->args[1], &type, "argument to '__builtin_object_size'"))
        return failed(call);
    return sema_const_int(call->ast, size_kind(call), type & 2 ? 0 : UINT64_MAX, call->loc);
}

static struct expr *make_line(const struct call *call)
{
    return sema_const_int(call->ast, TYPE_INT, call->detail ? call->loc.column : call->loc.line, call->loc);
}

static struct expr *make_function(const struct call *call)
{
    return sema_value(call->ast, sema_identifier(call->ast, "__func__", call->loc));
}

static struct expr *make_itself(const struct call *call)
{
    return call->args[0];
}

static struct expr *make_address(const struct call *call)
{
    return sema_unary(call->ast, TOK_AMP, call->args[0], call->loc);
}

static struct expr *make_load(const struct call *call)
{
    return sema_value(call->ast, sema_unary(call->ast, TOK_STAR, call->args[0], call->loc));
}

static struct expr *make_store(const struct call *call)
{
    struct expr *place = sema_unary(call->ast, TOK_STAR, call->args[1], call->loc);
    struct expr *store = sema_assign(call->ast, TOK_ASSIGN, place, call->args[0], call->loc);
    return sema_convert_node(call->ast, type_basic(call->ast->types, TYPE_VOID), store);
}

// Loads a half from memory on devices without half arithmetic.
static struct expr *make_load_half(const struct call *call)
{
    struct expr *args[] = {sema_const_int(call->ast, TYPE_ULONG, 0, call->loc), call->args[0]};
    struct expr *value = call_opencl(call, "vload_half", args, 2);
    return call->detail && !sema_is_error(value) ? to_kind(call, TYPE_DOUBLE, value) : value;
}

static struct expr *make_store_half(const struct call *call)
{
    struct expr *args[] = {call->args[0], sema_const_int(call->ast, TYPE_ULONG, 0, call->loc), call->args[1]};
    return call_opencl(call, "vstore_half", args, 3);
}

static struct expr *make_aligned(const struct call *call)
{
    struct ast *ast = call->ast;
    struct type *type = call->args[0]->type.type;
    uint64_t align;
    if (!type_is_integer(type) || !const_eval_int(ast, call->args[1], &align, NULL) || !align || align & (align - 1)) {
        diag_error(ast->diag, call->loc, "'%s' requires an integer and a constant power of two", call->name);
        return failed(call);
    }
    struct expr *less = sema_const_int(ast, type->kind, align - 1, call->loc), *zero = sema_const_int(ast, TYPE_INT, 0, call->loc);
    struct expr *a = call->args[0];
    if (*call->detail == '?')
        return binary(call, TOK_EQ, binary(call, TOK_AMP, a, less), zero);
    if (*call->detail == '+')
        a = binary(call, TOK_PLUS, a, less);
    return sema_convert_node(ast, type, binary(call, TOK_AMP, a, sema_unary(ast, TOK_TILDE, less, call->loc)));
}

// ---- vectors -------------------------------------------------------------------------------------

static bool shuffle_lane(const struct call *call, uint32_t at, unsigned count, uint8_t *lane)
{
    uint64_t index;
    if (!const_eval_int(call->ast, call->args[at], &index, NULL)) {
        diag_error(call->ast->diag, call->loc,
                   "index for __builtin_shufflevector must be a constant integer");
        return false;
    }
    if (index != UINT64_MAX && index >= 2 * count) { // -1: undefined lane
        diag_error(call->ast->diag, call->loc,
                   "index for __builtin_shufflevector must be less than the total number of vector elements");
        return false;
    }
    *lane = index == UINT64_MAX ? 0 : (uint8_t)index;
    return true;
}

static struct expr *make_shufflevector(const struct call *call)
{
    struct ast *ast = call->ast;
    struct expr *a = sema_value(ast, call->args[0]), *b = sema_value(ast, call->args[1]);
    unsigned lanes = call->count - 2, count = type_lanes(a->type.type);
    if (sema_is_error(a) || sema_is_error(b))
        return failed(call);
    if (!type_is_vector(a->type.type) || !type_is_vector(b->type.type)) {
        diag_error(ast->diag, call->loc, "first two arguments to '__builtin_shufflevector' must be vectors");
        return failed(call);
    }
    if (a->type.type != b->type.type || (lanes > 4 && lanes != 8 && lanes != 16)) {
        diag_error(ast->diag, call->loc, a->type.type != b->type.type
                       ? "first two arguments to '__builtin_shufflevector' must have the same type"
                       : "the result of '__builtin_shufflevector' must have 2, 3, 4, 8 or 16 elements");
        return failed(call);
    }
    struct type *element = a->type.type->elem.type;
    struct type *type = lanes > 1 ? type_vector(ast->types, element, lanes) : element;
    struct expr *shuffle = sema_one(ast, EXPR_SHUFFLE, type, a, call->loc);
    shuffle->b = b;
    shuffle->lane_count = (uint8_t)lanes;
    for (unsigned i = 0; i < lanes; i++)
        if (!shuffle_lane(call, i + 2, count, &shuffle->lane[i]))
            return failed(call);
    return sema_fold(ast, shuffle);
}

struct expr *sema_astype(struct ast *ast, struct expr *a, struct qtype type, struct loc loc)
{
    a = sema_value(ast, a);
    if (sema_is_error(a) || type.type->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    if (sema_is_pointer(a) && type.type->kind == TYPE_POINTER)
        return sema_cast(ast, type, a, loc);
    struct type *scalar = type_scalar(type.type);
    if (!type_is_arithmetic(scalar) || scalar->kind == TYPE_BOOL) {
        diag_error(ast->diag, loc, "invalid reinterpretation: %s is not a vector, an integer or a float",
                   sema_type_text(ast, type));
        return sema_error(ast, loc);
    }
    struct type *to = type_is_vector(type.type) ? type.type : scalar;
    struct expr *value = sema_call_builtin(ast, arena_printf(ast->arena, "as_%s", type_name(ast->arena, qtype_of(to))),
                                           &a, 1, loc);
    return sema_is_error(value) ? value : sema_convert_node(ast, type.type, value);
}

struct expr *sema_convertvector(struct ast *ast, struct expr *a, struct qtype type, struct loc loc)
{
    a = sema_value(ast, a);
    if (sema_is_error(a) || type.type->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    if (!type_is_vector(a->type.type) || !type_is_vector(type.type) ||
        type_lanes(a->type.type) != type_lanes(type.type)) {
        bool vectors = type_is_vector(a->type.type) && type_is_vector(type.type);
        diag_error(ast->diag, loc, vectors ? "first two arguments to '__builtin_convertvector' must have the same "
                                             "number of elements"
                                           : "'__builtin_convertvector' requires a vector and a vector type");
        return sema_error(ast, loc);
    }
    return sema_convert_node(ast, type.type, a);
}

// reduce_*: combines the lanes in order.
static struct expr *make_reduce(const struct call *call)
{
    static const struct {
        const char *name;
        enum token_kind op;
    } operators[] = {{"add", TOK_PLUS}, {"mul", TOK_STAR}, {"and", TOK_AMP}, {"or", TOK_PIPE}, {"xor", TOK_CARET}};
    struct ast *ast = call->ast;
    struct expr *vector = sema_once(ast, call->args[0]);
    if (!type_is_vector(vector->type.type)) {
        diag_error(ast->diag, sema_start(vector), "1st argument must be a vector type (was %s)",
                   sema_value_text(ast, vector));
        return failed(call);
    }
    enum token_kind op = TOK_EOF;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        op = strcmp(operators[i].name, call->detail) ? op : operators[i].op;
    struct type *element = vector->type.type->elem.type;
    struct expr *sum = sema_lane(ast, vector, 0, call->loc);
    for (unsigned i = 1; i < type_lanes(vector->type.type); i++) {
        struct expr *pair[2] = {sum, sema_lane(ast, vector, i, call->loc)};
        sum = op == TOK_EOF ? call_opencl(call, call->detail, pair, 2) : binary(call, op, pair[0], pair[1]);
        sum = sema_is_error(sum) ? sum : sema_convert_node(ast, element, sum);
    }
    return sema_with(ast, vector, sum);
}

// ---- memory --------------------------------------------------------------------------------------

static struct expr *to_bytes(const struct call *call, struct expr *pointer)
{
    if (!sema_is_pointer(pointer)) {
        diag_error(call->ast->diag, sema_start(pointer), "'%s' requires a pointer, not %s", call->name,
                   sema_value_text(call->ast, pointer));
        return failed(call);
    }
    struct qtype pointee = pointer->type.type->elem;
    pointee.type = type_basic(call->ast->types, TYPE_UCHAR);
    pointee.low_align = 0;
    return sema_convert_node(call->ast, type_pointer(call->ast->types, pointee), pointer);
}

// memcpy, memmove, memset: calls the library's function, which returns void; the value is the target.
static struct expr *make_memory(const struct call *call)
{
    struct expr *args[3] = {sema_once(call->ast, to_bytes(call, call->args[0])), call->args[1], call->args[2]};
    if (strcmp(call->detail, "__builtin_memset"))
        args[1] = to_bytes(call, args[1]);
    if (sema_is_error(args[0]) || sema_is_error(args[1]))
        return failed(call);
    struct expr *done = sema_call_builtin(call->ast, call->detail, args, 3, call->loc);
    if (sema_is_error(done))
        return done;
    struct qtype pointee = args[0]->type.type->elem;
    pointee.type = type_basic(call->ast->types, TYPE_VOID);
    struct expr *target = sema_convert_node(call->ast, type_pointer(call->ast->types, pointee), args[0]);
    return sema_with(call->ast, args[0], binary(call, TOK_COMMA, done, target));
}

static struct expr *make_bzero(const struct call *call)
{
    struct expr *args[3] = {to_bytes(call, call->args[0]), sema_const_int(call->ast, TYPE_INT, 0, call->loc),
                            call->args[1]};
    return sema_call_builtin(call->ast, "__builtin_memset", args, 3, call->loc);
}

static struct expr *make_memcmp(const struct call *call)
{
    struct expr *args[3] = {to_bytes(call, call->args[0]), to_bytes(call, call->args[1]), call->args[2]};
    return sema_call_builtin(call->ast, "__builtin_memcmp", args, 3, call->loc);
}

static struct expr *make_strlen(const struct call *call)
{
    struct expr *a = call->args[0];
    if (a->kind == EXPR_DECAY && a->a->kind == EXPR_STRING)
        return sema_const_int(call->ast, size_kind(call), strlen(a->a->string), call->loc);
    a = to_bytes(call, a);
    a = sema_call_builtin(call->ast, call->name, &a, 1, call->loc);
    return sema_is_error(a) ? a : to_kind(call, size_kind(call), a);
}

// ---- floats --------------------------------------------------------------------------------------

static const struct math {
    const char *name; // name in C
    const char *form; // result and parameters: g element type, i int, l long, p any
    const char *opencl;
} math[] = {
    {"acos", "gg", NULL}, {"acosh", "gg", NULL}, {"asin", "gg", NULL}, {"asinh", "gg", NULL}, {"atan", "gg", NULL},
    {"atan2", "ggg", NULL}, {"atanh", "gg", NULL}, {"canonicalize", "gg", "+"}, {"cbrt", "gg", NULL},
    {"ceil", "gg", NULL}, {"copysign", "ggg", NULL}, {"cos", "gg", NULL}, {"cosh", "gg", NULL}, {"erf", "gg", NULL},
    {"erfc", "gg", NULL}, {"exp", "gg", NULL}, {"exp10", "gg", NULL}, {"exp2", "gg", NULL}, {"expm1", "gg", NULL},
    {"fabs", "gg", NULL}, {"fdim", "ggg", NULL}, {"floor", "gg", NULL}, {"fma", "gggg", NULL}, {"fmax", "ggg", NULL},
    {"fmin", "ggg", NULL}, {"fmod", "ggg", NULL}, {"frexp", "ggp", NULL}, {"hypot", "ggg", NULL},
    {"ilogb", "ig", NULL}, {"ldexp", "ggi", NULL}, {"lgamma", "gg", NULL}, {"llrint", "lg", "rint"},
    {"llround", "lg", "round"}, {"log", "gg", NULL}, {"log10", "gg", NULL}, {"log1p", "gg", NULL},
    {"log2", "gg", NULL}, {"logb", "gg", NULL}, {"lrint", "lg", "rint"}, {"lround", "lg", "round"},
    {"modf", "ggp", NULL}, {"nearbyint", "gg", "rint"}, {"nextafter", "ggg", NULL}, {"pow", "ggg", NULL},
    {"powi", "ggi", "pown"}, {"remainder", "ggg", NULL}, {"remquo", "gggp", NULL}, {"rint", "gg", NULL},
    {"round", "gg", NULL}, {"roundeven", "gg", "rint"}, {"scalbln", "ggi", "ldexp"}, {"scalbn", "ggi", "ldexp"},
    {"signbit", "ig", NULL}, {"sin", "gg", NULL}, {"sinh", "gg", NULL}, {"sqrt", "gg", NULL}, {"tan", "gg", NULL},
    {"tanh", "gg", NULL}, {"tgamma", "gg", NULL}, {"trunc", "gg", NULL},
    // Constants that are made here.
    {"huge_val", "g", "inf"}, {"inf", "g", "inf"}, {"nan", "gp", "nan"}, {"nans", "gp", "nan"},
};

static const struct math *find_math(const char *name, enum type_kind *kind)
{
    static const struct {
        const char *suffix;
        enum type_kind kind;
    } suffixes[] = {{"", TYPE_DOUBLE}, {"f", TYPE_FLOAT}, {"l", TYPE_DOUBLE}, {"f16", TYPE_HALF}};
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++)
        for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
            size_t length = strlen(math[i].name);
            if (strncmp(name, math[i].name, length) || strcmp(name + length, suffixes[s].suffix))
                continue;
            *kind = suffixes[s].kind;
            return &math[i];
        }
    return NULL;
}

// Infinity, or a quiet NaN with the string's number as payload.
static struct expr *float_constant(const struct call *call, const struct math *row, enum type_kind kind)
{
    static const uint64_t infinity[] = {[TYPE_HALF] = 0x7c00, [TYPE_FLOAT] = 0x7f800000,
                                        [TYPE_DOUBLE] = UINT64_C(0x7ff) << 52};
    static const unsigned quiet[] = {[TYPE_HALF] = 9, [TYPE_FLOAT] = 22, [TYPE_DOUBLE] = 51};
    struct type *type = type_basic(call->ast->types, kind);
    uint64_t bits = infinity[kind];
    if (!strcmp(row->opencl, "nan")) {
        const struct expr *a = call->args[0];
        if (a->kind != EXPR_DECAY || a->a->kind != EXPR_STRING) {
            diag_error(call->ast->diag, sema_start(a), "'%s' requires a string literal", call->name);
            return failed(call);
        }
        uint64_t payload = strtoull(a->a->string, NULL, 0);
        bits |= (payload & ((UINT64_C(1) << quiet[kind]) - 1)) | UINT64_C(1) << quiet[kind];
    }
    return sema_lanes(call->ast, type, &bits, call->loc);
}

static struct expr *make_math(const struct call *call, const struct math *row, enum type_kind kind)
{
    struct ast *ast = call->ast;
    struct expr *args[4];
    const char *why;
    if (!scope_type_available(ast, kind, &why)) {
        diag_error(ast->diag, call->loc, "'%s' %s", call->name, why);
        return failed(call);
    }
    if (row->form[0] == 'g' && (!row->form[1] || row->form[1] == 'p'))
        return float_constant(call, row, kind);
    for (uint32_t i = 0; i < call->count; i++) {
        char form = row->form[i + 1];
        args[i] = form == 'p' ? call->args[i] : to_kind(call, form == 'i' ? TYPE_INT : kind, call->args[i]);
        if (sema_is_error(args[i]))
            return args[i];
    }
    if (row->opencl && *row->opencl == '+')
        return args[0];
    struct expr *value = call_opencl(call, row->opencl ? row->opencl : row->name, args, call->count);
    return row->form[0] == 'l' && !sema_is_error(value) ? to_kind(call, TYPE_LONG, value) : value;
}

// isnan and others, for any float type. The detail: number of arguments, the OpenCL C function.
static struct expr *make_relational(const struct call *call)
{
    for (uint32_t i = 0; i < call->count; i++)
        if (!type_is_float(call->args[i]->type.type) && (call->count == 1 || !type_is_arithmetic(call->args[i]->type.type))) {
            diag_error(call->ast->diag, sema_start(call->args[i]),
                       "floating point classification requires argument of floating point type (passed in %s)",
                       sema_value_text(call->ast, call->args[i]));
            return failed(call);
        }
    struct expr *args[2] = {call->args[0], call->args[call->count - 1]};
    if (call->count == 2 && !sema_usual(call->ast, &args[0], &args[1], call->loc))
        return failed(call);
    return call_opencl(call, call->detail, args, call->count);
}

static struct expr *make_isinf_sign(const struct call *call)
{
    struct ast *ast = call->ast;
    struct expr *x = sema_once(ast, call->args[0]);
    struct expr *zero = sema_const_int(ast, TYPE_INT, 0, call->loc), *one = sema_const_int(ast, TYPE_INT, 1, call->loc);
    struct expr *sign = sema_conditional(ast, call_opencl(call, "signbit", &x, 1),
                                         sema_unary(ast, TOK_MINUS, one, call->loc), one, call->loc);
    return sema_with(ast, x, sema_conditional(ast, call_opencl(call, "isinf", &x, 1), sign, zero, call->loc));
}

// elementwise_*: vectors or scalars of one type, which is the result's too.
static struct expr *make_elementwise(const struct call *call)
{
    struct ast *ast = call->ast;
    struct type *type = call->args[0]->type.type;
    for (uint32_t i = 1; i < call->count; i++)
        if (call->args[i]->type.type != type) {
            diag_error(ast->diag, sema_start(call->args[0]), "arguments are of different types (%s vs %s)",
                       sema_value_text(ast, call->args[0]), sema_value_text(ast, call->args[i]));
            return failed(call);
        }
    bool absolute = !strcmp(call->detail, "abs") && type_is_float(type_scalar(type));
    struct expr *value = call_opencl(call, absolute ? "fabs" : call->detail, call->args, call->count);
    return sema_is_error(value) ? value : sema_convert_node(ast, type, value); // abs of signed integers keeps the type
}

// ---- overflow ------------------------------------------------------------------------------------

// Whether the wrapped `sum` (result of op) of x and y differs from the exact one.
static struct expr *overflows(const struct call *call, char op, struct expr *x, struct expr *y, struct expr *sum)
{
    struct ast *ast = call->ast;
    struct type *type = sum->type.type;
    struct expr *zero = sema_const_int(ast, type->kind, 0, call->loc);
    if (op == '*') {
        struct expr *args[2] = {x, y}, *bits = sema_const_int(ast, TYPE_INT, type_bits(type) - 1, call->loc);
        struct expr *sign = type_is_signed(type) ? binary(call, TOK_SHR, sum, bits) : zero;
        return binary(call, TOK_NE, call_opencl(call, "mul_hi", args, 2), sign);
    }
    if (!type_is_signed(type))
        return op == '+' ? binary(call, TOK_LT, sum, x) : binary(call, TOK_LT, x, y);
    struct expr *first = binary(call, TOK_CARET, x, op == '+' ? sum : y);
    struct expr *second = binary(call, TOK_CARET, op == '+' ? y : x, sum);
    return binary(call, TOK_LT, binary(call, TOK_AMP, first, second), zero);
}

static bool fits(const struct call *call, const struct type *type, const struct expr *a)
{
    uint64_t value;
    if (a->type.type == type)
        return true;
    return type_is_integer(a->type.type) && a->kind == EXPR_CONST &&
           const_eval_int(call->ast, a, &value, NULL) && (int64_t)value >= 0 && value <= INT32_MAX;
}

// The detail: the operator, then the type's letter; without a letter the third argument determines the type.
static struct expr *make_overflow(const struct call *call)
{
    static const char letters[] = "iulm";
    struct ast *ast = call->ast;
    char op = call->detail[0], letter = call->detail[1];
    struct type *pointer = call->args[2]->type.type;
    struct type *type = pointer->kind == TYPE_POINTER ? pointer->elem.type : NULL;
    if (letter)
        type = type_basic(ast->types, (enum type_kind)(TYPE_INT + (strchr(letters, letter) - letters)));
    bool wide = type && type->kind >= TYPE_INT && type->kind <= TYPE_ULONG;
    bool stored = wide && pointer->kind == TYPE_POINTER && type_is_integer(pointer->elem.type) &&
                  pointer->elem.type->size == type->size;
    if (!stored || (!letter && !(fits(call, type, call->args[0]) && fits(call, type, call->args[1])))) {
        diag_error(ast->diag, call->loc, "'%s' requires two values of the same 32-bit or 64-bit integer type and a pointer to "
                                         "that type",
                   call->name);
        return failed(call);
    }
    struct expr *x = sema_once(ast, to_kind(call, type->kind, call->args[0]));
    struct expr *y = sema_once(ast, to_kind(call, type->kind, call->args[1]));
    if (sema_is_error(x) || sema_is_error(y))
        return failed(call);
    struct expr *sum = sema_once(ast, binary(call, op == '+' ? TOK_PLUS : op == '-' ? TOK_MINUS : TOK_STAR, x, y));
    struct expr *place = sema_unary(ast, TOK_STAR, call->args[2], call->loc);
    struct expr *store = sema_assign(ast, TOK_ASSIGN, place, sum, call->loc);
    if (sema_is_error(store))
        return store;
    struct expr *truth = sema_to_bool(ast, overflows(call, op, x, y, sum));
    struct expr *both = sema_with(ast, sum, binary(call, TOK_COMMA, store, truth));
    return sema_with(ast, x, sema_with(ast, y, both));
}

// ---- integers ------------------------------------------------------------------------------------

static uint64_t fold_clz(uint64_t x, unsigned bits)
{
    return x ? (uint64_t)__builtin_clzll(x) - (64 - bits) : bits;
}

static uint64_t fold_ctz(uint64_t x, unsigned bits)
{
    return x ? (uint64_t)__builtin_ctzll(x) : bits;
}

static uint64_t fold_popcount(uint64_t x, unsigned bits)
{
    (void)bits;
    return (uint64_t)__builtin_popcountll(x);
}

static uint64_t fold_parity(uint64_t x, unsigned bits)
{
    return fold_popcount(x, bits) & 1;
}

static uint64_t fold_ffs(uint64_t x, unsigned bits)
{
    return x ? fold_ctz(x, bits) + 1 : 0;
}

static uint64_t fold_bswap(uint64_t x, unsigned bits)
{
    return __builtin_bswap64(x) >> (64 - bits);
}

static uint64_t fold_bitreverse(uint64_t x, unsigned bits)
{
    uint64_t reversed = 0;
    for (unsigned i = 0; i < bits; i++)
        reversed |= (x >> i & 1) << (bits - 1 - i);
    return reversed;
}

// A call of a row of builtins.def, folded if its arguments are constant.
static struct expr *folded(struct ast *ast, struct expr *made)
{
    static const struct {
        const char *start;
        uint64_t (*fold)(uint64_t x, unsigned bits);
    } folds[] = {{"bitreverse", fold_bitreverse}, {"bswap", fold_bswap}, {"clz", fold_clz}, {"ctz", fold_ctz},
                 {"ffs", fold_ffs}, {"parity", fold_parity}, {"popcount", fold_popcount}};
    if (made->kind != EXPR_BUILTIN || made->arg_count != 1 || made->args[0]->kind != EXPR_CONST)
        return made;
    const char *name = made->builtin->name + strlen("__builtin_");
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        if (!strncmp(name, folds[i].start, strlen(folds[i].start))) {
            uint64_t value = folds[i].fold(made->args[0]->lanes[0], type_bits(made->args[0]->type.type));
            return sema_lanes(ast, made->type.type, &value, made->loc);
        }
    return made;
}

// ---- the table -----------------------------------------------------------------------------------

static const struct row {
    const char *name;
    uint8_t least, most;
    bool as_written; // arguments are not converted to rvalues and may be unused
    maker *make;
    const char *detail;
} rows[] = {
#define ROW(name, least, most, as_written, make, detail) {#name, least, most, as_written, make, detail},
#include "ast/gnu.def"
};

static bool right_count(const struct call *call, unsigned least, unsigned most)
{
    if (call->count >= least && call->count <= most)
        return true;
    diag_error(call->ast->diag, call->count > most ? sema_start(call->args[most]) : call->loc, "too %s arguments to function call, expected %s%u, have %u",
               call->count < least ? "few" : "many", least == most ? "" : call->count < least ? "at least " : "at most ",
               call->count < least ? least : most, call->count);
    return false;
}

static bool read_arguments(struct call *call, struct expr **values)
{
    bool fine = true;
    for (uint32_t i = 0; i < call->count; i++) {
        values[i] = sema_value(call->ast, call->args[i]);
        fine &= !sema_is_error(values[i]);
    }
    call->args = values;
    return fine;
}

struct expr *sema_gnu_call(struct ast *ast, const char *full, struct expr **args, uint32_t count, struct loc loc)
{
    stack_check();
    struct call call = {.ast = ast, .name = full, .args = args, .count = count, .loc = loc};
    const char *name = full + strlen("__builtin_");
    struct expr **values = ARENA_ARRAY(ast->arena, struct expr *, count ? count : 1);
    enum type_kind kind;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name))
            continue;
        call.detail = rows[i].detail;
        if (!right_count(&call, rows[i].least, rows[i].most) || (!rows[i].as_written && !read_arguments(&call, values)))
            return failed(&call);
        return rows[i].make(&call);
    }
    const struct math *row = find_math(name, &kind);
    if (row) {
        unsigned wanted = (unsigned)strlen(row->form) - 1;
        bool right = right_count(&call, wanted, wanted) && read_arguments(&call, values);
        return right ? make_math(&call, row, kind) : failed(&call);
    }
    if (!builtin_exists(ast, full))
        return NULL;
    if (!read_arguments(&call, values))
        return failed(&call);
    return folded(ast, sema_call_builtin(ast, full, values, count, loc));
}

bool ast_knows_builtin(const char *full)
{
    static const enum token_kind keywords[] = {TOK_BUILTIN_OFFSETOF, TOK_BUILTIN_ASTYPE, TOK_BUILTIN_BIT_CAST,
                                               TOK_BUILTIN_CONVERTVECTOR, TOK_BUILTIN_TYPES_COMPATIBLE};
    enum type_kind kind;
    if (strncmp(full, "__builtin_", strlen("__builtin_"))) {
        const struct math *row = find_math(full, &kind);
        bool math_function = row && kind == TYPE_DOUBLE && !row->opencl;
        return (math_function && builtin_has_row(full)) || !strcmp(full, "abs") || !strcmp(full, "printf");
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(full, token_spelling(keywords[i])))
            return true;
    const char *name = full + strlen("__builtin_");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return rows[i].make != make_unsupported;
    return find_math(name, &kind) || builtin_has_row(full);
}
