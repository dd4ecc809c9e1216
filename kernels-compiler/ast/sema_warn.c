// SPDX-License-Identifier: Apache-2.0
// Warnings about probable mistakes: those that clang gives by default, at the same places.
//
// Each function examines nodes that were just made and changes nothing. Unclear cases get no warning.
#include "ast/sema_impl.h"
#include "util/stack.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- values --------------------------------------------------------------------------------------

static bool is_comparison(const struct expr *a)
{
    bool made = a->kind == EXPR_BINARY || a->kind == EXPR_CONST; // possibly folded
    return made && a->op >= EXPR_OP_EQ && a->op <= EXPR_OP_GE;
}

// A built-in without side effects.
static bool only_computes(const struct builtin *builtin)
{
    if (builtin->result.type->kind == TYPE_VOID || strstr(builtin->name, "_group_") ||
        !strncmp(builtin->name, "__", 2) || !strncmp(builtin->name, "as_", 3))
        return false;
    if (!strncmp(builtin->name, "vload", 5))
        return true;
    for (uint32_t i = 0; i < builtin->param_count; i++) {
        const struct type *type = builtin->params[i].type;
        if (type->kind == TYPE_POINTER || (type->kind == TYPE_OPAQUE && type->opaque == OPAQUE_EVENT))
            return false;
    }
    return true;
}

static bool is_place(const struct expr *a)
{
    return a->kind == EXPR_OBJECT || a->kind == EXPR_DEREF || a->kind == EXPR_MEMBER || a->kind == EXPR_SWIZZLE;
}

// The last expression of a statement expression; NULL if it has no value.
static const struct expr *value_of_block(const struct stmt *block)
{
    const struct stmt *last = block ? block->first : NULL;
    while (last && last->next)
        last = last->next;
    return last && last->kind == STMT_EXPR ? last->expr : NULL;
}

static const struct expr *unused_part(const struct expr *a);

// unused_part() of an operand, ignoring conversions.
static const struct expr *unused_operand(const struct expr *a)
{
    while (a->kind == EXPR_CAST && a->type.type->kind != TYPE_VOID)
        a = a->a;
    return unused_part(a);
}

// The part of `a` without effect if the value of `a` is not used; NULL if all or some of it has an effect.
static const struct expr *unused_part(const struct expr *a)
{
    stack_check();
    switch (a->kind) {
    case EXPR_COMMA:
        return unused_part(a->b);
    case EXPR_WITH: // "a ?: b"; other EXPR_WITHs come from built-in functions
        return a->b->kind == EXPR_COND ? unused_part(a->b) : NULL;
    case EXPR_LOAD:
        return unused_part(a->a);
    case EXPR_STATEMENT:
        a = value_of_block(a->body);
        return a ? unused_part(a) : NULL;
    case EXPR_COND: // either value may be intended as a statement
    case EXPR_VECTOR_COND:
        return unused_operand(a->b) ? unused_operand(a->c) : NULL;
    case EXPR_LOGICAL:
        return unused_operand(a->a) && unused_operand(a->b) ? a : NULL;
    case EXPR_CAST:
        return a->widened ? unused_part(a->a) : a->type.type->kind == TYPE_VOID ? NULL : a;
    case EXPR_BINARY:
        return is_comparison(a) || type_is_arithmetic(type_scalar(a->type.type)) ? a : NULL;
    case EXPR_BUILTIN:
        return only_computes(a->builtin) ? a : NULL;
    case EXPR_UNARY:
    case EXPR_CONST:
    case EXPR_STRING:
    case EXPR_ADDRESS:
    case EXPR_PTR_ADD:
    case EXPR_PTR_DIFF:
    case EXPR_VECTOR:
    case EXPR_ONCE:
        return a;
    default:
        return is_place(a) && !(a->type.quals & QUAL_VOLATILE) ? a : NULL;
    }
}

static const char *unused_text(const struct expr *a)
{
    bool compares = is_comparison(a);
    return !compares             ? "expression result unused"
           : a->op == EXPR_OP_EQ ? "equality comparison result unused"
           : a->op == EXPR_OP_NE ? "inequality comparison result unused"
                                 : "relational comparison result unused";
}

void sema_warn_unused(struct ast *ast, const struct expr *a)
{
    a = unused_part(a);
    if (!a)
        return;
    struct loc loc = a->kind == EXPR_DEREF && a->end.line ? a->end
                     : a->kind == EXPR_SWIZZLE            ? sema_start(a)
                                                          : sema_place(a);
    if (a->kind == EXPR_BUILTIN)
        diag_warning(ast->diag, loc, "ignoring the return value of '%s', which has no side effects",
                     a->builtin->name);
    else
        diag_warning(ast->diag, loc, "%s", unused_text(a));
}

// ---- operators -----------------------------------------------------------------------------------

static bool overflows(enum token_kind op, unsigned bits, int64_t x, int64_t y, int64_t *result)
{
    bool over = op == TOK_PLUS    ? __builtin_add_overflow(x, y, result)
                : op == TOK_MINUS ? __builtin_sub_overflow(x, y, result)
                                  : __builtin_mul_overflow(x, y, result);
    int64_t wrapped = (int64_t)((uint64_t)*result << (64 - bits)) >> (64 - bits);
    over |= wrapped != *result;
    *result = wrapped;
    return over;
}

static void warn_overflow(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b,
                          struct loc loc)
{
    struct type *type = a->type.type, *other = b->type.type;
    uint64_t x, y;
    int64_t result;
    bool asked = op == TOK_PLUS || op == TOK_MINUS || op == TOK_STAR;
    if (!asked || a->kind != EXPR_CONST || b->kind != EXPR_CONST || !type_is_integer(type) ||
        !type_is_integer(other) || !const_eval_int(ast, a, &x, NULL) || !const_eval_int(ast, b, &y, NULL))
        return;
    type = sema_common_scalar(ast, sema_promoted(ast, type), sema_promoted(ast, other));
    if (type_is_signed(type) && overflows(op, type_bits(type), (int64_t)x, (int64_t)y, &result))
        diag_warning(ast->diag, loc, "overflow in expression; result is %" PRId64 " with type '%s'", result,
                     type_name(ast->arena, qtype_of(type)));
}

static const char *bitwise_name(enum token_kind op)
{
    return op == TOK_AMP ? "&" : op == TOK_PIPE ? "|" : op == TOK_CARET ? "^" : NULL;
}

static const char *comparison_name(enum expr_op op)
{
    static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
    return names[op - EXPR_OP_EQ];
}

// A comparison under & | ^. If the other operand is a comparison or bitwise operation too, the use of a truth value
// is intended.
static bool is_single_comparison(const struct expr *a, const struct expr *other)
{
    bool bitwise = other->kind == EXPR_BINARY && !other->parenthesized && other->op >= EXPR_OP_AND &&
                   other->op <= EXPR_OP_XOR;
    return is_comparison(a) && !bitwise && !(is_comparison(other) && !other->parenthesized);
}

static void warn_precedence(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *other,
                            struct loc loc)
{
    const char *bitwise = bitwise_name(op);
    if (a->parenthesized)
        return;
    if (bitwise && is_single_comparison(a, other))
        diag_warning(ast->diag, loc, "%s has lower precedence than %s; %s will be evaluated first", bitwise,
                     comparison_name(a->op), comparison_name(a->op));
    bool sum = a->kind == EXPR_BINARY && (a->op == EXPR_OP_ADD || a->op == EXPR_OP_SUB);
    if ((op == TOK_SHL || op == TOK_SHR) && sum)
        diag_warning(ast->diag, a->loc, "operator '%s' has lower precedence than '%s'; '%s' will be evaluated first",
                     op == TOK_SHL ? "<<" : ">>", a->op == EXPR_OP_ADD ? "+" : "-", a->op == EXPR_OP_ADD ? "+" : "-");
}

// 2 ^ 10, 10 ^ -3 look like powers. Hexadecimal or octal numbers and parentheses indicate xor.
static void warn_power(struct ast *ast, const struct expr *a, const struct expr *b, struct loc loc)
{
    uint64_t base, power;
    if (loc.in_macro || (a->loc.in_macro && b->loc.in_macro) || a->kind != EXPR_CONST ||
        b->kind != EXPR_CONST || a->literal != LITERAL_DECIMAL || b->literal != LITERAL_DECIMAL ||
        a->parenthesized || b->parenthesized || a->type.type != b->type.type ||
        !type_is_integer(a->type.type) || !const_eval_int(ast, a, &base, NULL) ||
        !const_eval_int(ast, b, &power, NULL))
        return;
    int64_t exponent = (int64_t)power;
    bool binary = base == 2 && exponent >= 0, decimal = base == 10;
    if (!binary && !decimal)
        return;
    const char *meant = decimal         ? arena_printf(ast->arena, "1e%" PRId64, exponent)
                        : exponent < 31 ? arena_printf(ast->arena, "1 << %" PRId64, exponent)
                        : exponent < 64 ? arena_printf(ast->arena, "1L << %" PRId64, exponent)
                                        : "exp2()";
    diag_warning(ast->diag, loc, "result of '%" PRIu64 " ^ %" PRId64 "' is %" PRId64 "; did you mean '%s'?",
                 base, exponent, (int64_t)(base ^ power), meant);
}

// sizeof(array) / sizeof(an object that is not its element), sizeof(pointer) / sizeof(*pointer).
static void warn_element_count(struct ast *ast, const struct expr *a, const struct expr *b, struct loc loc)
{
    const struct ast_size *array_size = &ast->sizes[0], *part = &ast->sizes[1];
    if (array_size->value != a || part->value != b || !array_size->operand || b->parenthesized)
        return;
    struct type *type = array_size->type.type, *elem = type->elem.type;
    if (type->kind == TYPE_POINTER && sema_same_unqualified(elem, part->type.type))
        diag_warning(ast->diag, loc, "sizeof gives the size of the pointer, not of the array");
    if (type->kind == TYPE_ARRAY && elem->kind != TYPE_ARRAY && elem->size > 1 && elem->size != part->type.type->size)
        diag_warning(ast->diag, loc, "expression does not compute the number of elements in this array; element type is '%s'",
                     type_name(ast->arena, qtype_of(elem)));
}

void sema_warn_binary(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b,
                      struct loc loc)
{
    warn_overflow(ast, op, a, b, loc);
    warn_precedence(ast, op, a, b, loc);
    warn_precedence(ast, op, b, a, loc);
    bool compares = op == TOK_EQ || op == TOK_NE || op == TOK_LT || op == TOK_GT || op == TOK_LE || op == TOK_GE;
    if (sema_is_error(a) || sema_is_error(b))
        return;
    if (op == TOK_SLASH)
        warn_element_count(ast, a, b, loc);
    if (op == TOK_CARET)
        warn_power(ast, a, b, loc);
    sema_warn_compare(ast, op, a, b, loc);
    sema_warn_logical(ast, op, a, b, loc);
    bool negated = a->kind == EXPR_UNARY && a->op == EXPR_OP_LNOT && !a->parenthesized;
    bool truth = b->kind == EXPR_LOGICAL || is_comparison(b) || (b->kind == EXPR_UNARY && b->op == EXPR_OP_LNOT) ||
                 type_scalar(b->type.type)->kind == TYPE_BOOL;
    if ((compares || op == TOK_AMP) && negated && !truth)
        diag_warning(ast->diag, a->loc, "logical not is only applied to the left hand side of this %s",
                     compares ? "comparison" : "bitwise operator");
    if (op == TOK_COMMA && (a->kind == EXPR_CONST || a->kind == EXPR_BINARY ||
                            (a->kind == EXPR_OBJECT && !(a->type.quals & QUAL_VOLATILE))))
        diag_warning(ast->diag, a->loc, "left operand of comma operator has no effect");
}

// ---- conversions ---------------------------------------------------------------------------------

static const char *number_text(struct ast *ast, const struct expr *a)
{
    uint64_t value;
    struct type *type = a->type.type;
    if (!const_eval_int(ast, a, &value, NULL))
        return NULL;
    return type_is_signed(type) ? arena_printf(ast->arena, "%" PRId64, (int64_t)value)
                                : arena_printf(ast->arena, "%" PRIu64, value);
}

static void warn_integer(struct ast *ast, struct type *type, const struct expr *a, struct loc loc)
{
    struct expr *converted = sema_convert_node(ast, type, (struct expr *)(uintptr_t)a);
    uint64_t before, after;
    if (converted->kind != EXPR_CONST || type_bits(type) >= type_bits(a->type.type) ||
        !const_eval_int(ast, a, &before, NULL) || !const_eval_int(ast, converted, &after, NULL))
        return;
    bool turns = type_is_signed(type) && !type_is_signed(a->type.type) && (int64_t)after < 0;
    if (before == after && !turns)
        return;
    bool negative = type_is_signed(a->type.type) && (int64_t)before < 0;
    if (negative && !type_is_signed(type) && (int64_t)before >= -(INT64_C(1) << (type_bits(type) - 1)))
        return; // preserves all bits
    diag_warning(ast->diag, loc, "implicit conversion from '%s' to '%s' changes value from %s to %s",
                 type_name(ast->arena, qtype_of(a->type.type)), type_name(ast->arena, qtype_of(type)),
                 number_text(ast, a), number_text(ast, converted));
}

// Whether a change of only the sign bit is intended: the value is hexadecimal, or an element of a table.
static bool is_bit_pattern(struct ast *ast, const struct type *type, const struct expr *a, enum sema_context context)
{
    uint64_t value;
    if (!type_is_signed(type) || type_bits(type) >= type_bits(a->type.type) || !const_eval_int(ast, a, &value, NULL) ||
        value >> type_bits(type))
        return false;
    return !type_is_signed(a->type.type) || context == SEMA_ELEMENT || a->literal == LITERAL_BITS;
}

// Warns about an integer that a float cannot represent exactly.
void sema_warn_precision(struct ast *ast, const struct type *type, const struct expr *a)
{
    uint64_t value;
    int digits = type->kind == TYPE_DOUBLE ? 53 : type->kind == TYPE_FLOAT ? 24 : type->kind == TYPE_HALF ? 11 : 0;
    if (ast->dead || !digits || a->kind != EXPR_CONST || !type_is_integer(a->type.type) ||
        !const_eval_int(ast, a, &value, NULL))
        return;
    bool negative = type_is_signed(a->type.type) && (int64_t)value < 0;
    uint64_t magnitude = negative ? -value : value;
    if (!magnitude || 64 - __builtin_clzll(magnitude) - __builtin_ctzll(magnitude) <= digits)
        return;
    double nearest = digits == 53 ? (double)magnitude : digits == 24 ? (double)(float)magnitude : NAN;
    const char *to = digits == 11 ? "the nearest" : arena_printf(ast->arena, "%s%.0f", negative ? "-" : "", nearest);
    diag_warning(ast->diag, sema_start(a), "implicit conversion from '%s' to '%s' changes value from %s to %s",
                 type_name(ast->arena, a->type), type_name(ast->arena, qtype_of((struct type *)(uintptr_t)type)),
                 number_text(ast, a), to);
}

static bool is_out_of_range(const struct type *type, double value)
{
    unsigned bits = type_bits(type);
    bool is_signed = type_is_signed(type);
    return !(value > (is_signed ? -ldexp(1, (int)bits - 1) - 1 : -1)) ||
           !(value < ldexp(1, (int)(is_signed ? bits - 1 : bits)));
}

static void warn_fraction(struct ast *ast, struct type *type, const struct expr *a, struct loc loc)
{
    struct expr *wide = sema_convert_node(ast, type_basic(ast->types, TYPE_DOUBLE), (struct expr *)(uintptr_t)a);
    const char *from = type_name(ast->arena, qtype_of(a->type.type)), *to = type_name(ast->arena, qtype_of(type));
    double value;
    if (wide->kind != EXPR_CONST)
        return;
    memcpy(&value, wide->lanes, sizeof value);
    if (type->kind == TYPE_BOOL) {
        if (value != 0 && value != 1)
            diag_warning(ast->diag, loc,
                         "implicit conversion from '%s' to 'bool' changes value from %.9g to true",
                         from, value);
    } else if (is_out_of_range(type, value))
        diag_warning(ast->diag, loc, "implicit conversion of out of range value from '%s' to '%s' is undefined", from, to);
    else if (trunc(value) != value)
        diag_warning(ast->diag, loc, "implicit conversion from '%s' to '%s' changes value from %.9g to %.0f", from, to,
                     value, trunc(value));
}

void sema_warn_to_bool(struct ast *ast, const struct expr *a)
{
    if (a->kind == EXPR_CONST && a->literal && type_is_float(a->type.type))
        warn_fraction(ast, type_basic(ast->types, TYPE_BOOL), a, a->loc);
}

// One value of a conditional: checked only if it was not converted to the common type.
static void warn_choice(struct ast *ast, struct type *type, const struct expr *a,
                        enum sema_context context)
{
    if (a->literal || a->kind == EXPR_COND)
        sema_warn_conversion(ast, type, a, context, a->loc);
}

void sema_warn_conversion(struct ast *ast, struct type *type, const struct expr *a, enum sema_context context,
                          struct loc loc)
{
    stack_check();
    if (a->kind == EXPR_COMMA || a->kind == EXPR_WITH) {
        sema_warn_conversion(ast, type, a->b, context, a->loc);
        return;
    }
    if (a->kind == EXPR_COND) { // checks each value
        warn_choice(ast, type, a->b, context);
        warn_choice(ast, type, a->c, context);
        return;
    }
    struct type *from = a->type.type;
    sema_warn_precision(ast, type, a);
    if (from->kind == TYPE_ENUM && type->kind == TYPE_ENUM && from != type)
        diag_warning(ast->diag, loc, "implicit conversion from enumeration type '%s' to different enumeration type '%s'",
                     type_name(ast->arena, qtype_of(from)), type_name(ast->arena, qtype_of(type)));
    if (a->kind != EXPR_CONST || !type_is_integer(type) || !type_is_arithmetic(from))
        return;
    bool integers = type_is_integer(from);
    if (integers && !ast->dead && type->kind != TYPE_BOOL && !is_bit_pattern(ast, type, a, context))
        warn_integer(ast, type, a, loc);
    if (!integers && a->literal)
        warn_fraction(ast, type, a, loc);
}

void sema_warn_cast(struct ast *ast, struct type *to, const struct expr *a, struct loc loc)
{
    const struct type *from = a->type.type;
    bool narrows = type_is_integer(to) && to->kind != TYPE_BOOL && from->kind == TYPE_POINTER && to->size < from->size;
    bool widens = to->kind == TYPE_POINTER && type_is_integer((struct type *)(uintptr_t)from) && from->size < to->size;
    if (narrows)
        diag_warning(ast->diag, loc, "cast to smaller integer type %s from %s", sema_type_text(ast, qtype_of(to)),
                     sema_value_text(ast, a));
    if (widens && a->kind != EXPR_CONST)
        diag_warning(ast->diag, loc, "cast to %s from smaller integer type %s", sema_type_text(ast, qtype_of(to)),
                     sema_value_text(ast, a));
}

// ---- objects -------------------------------------------------------------------------------------

// Whether the number of elements is certain: arrays that are variables or members, except the last member of a
// record, which may be longer.
static bool is_known_array(const struct expr *array)
{
    if (array->kind == EXPR_MEMBER) {
        const struct record *record = array->a->type.type->record;
        return array->field != &record->fields[record->field_count - 1];
    }
    return array->kind == EXPR_OBJECT || array->kind == EXPR_DEREF;
}

static void warn_index(struct ast *ast, const struct expr *sum, bool address)
{
    uint64_t index;
    struct qtype array = sum->a->a->type;
    if (sum->b->kind != EXPR_CONST || !is_known_array(sum->a->a) ||
        array.type->kind != TYPE_ARRAY || !const_eval_int(ast, sum->b, &index, NULL))
        return;
    bool size_unknown =
        ast->diag->errors && !ast->diag->warnings_are_errors; // the error may concern the size
    if (size_unknown || array.type->incomplete || index < array.type->count + address)
        return;
    array.space = SPACE_PRIVATE;
    struct loc loc = sema_start(sum->a);
    if ((int64_t)index < 0)
        diag_warning(ast->diag, loc, "array index %" PRId64 " is before the beginning of the array",
                     (int64_t)index);
    else
        diag_warning(ast->diag, loc,
                     "array index %" PRIu64 " is past the end of the array (that has type %s)",
                     index, sema_type_text(ast, array));
}

// Checks constant indices of an element that is accessed or whose address is taken, or of a part of one.
void sema_warn_bounds(struct ast *ast, const struct expr *element, bool address)
{
    while (!ast->dead) {
        if (element->kind == EXPR_MEMBER) {
            element = element->a;
            continue;
        }
        const struct expr *sum =
            element->kind == EXPR_DEREF && element->end.line ? element->a : NULL;
        if (!sum || sum->kind != EXPR_PTR_ADD || sum->a->kind != EXPR_DECAY)
            return;
        warn_index(ast, sum, address);
        element = sum->a->a;
    }
}

// The operand of sizeof, which is not evaluated.
void sema_warn_sizeof(struct ast *ast, const struct expr *a, struct loc loc)
{
    bool changes = false;
    for (const struct expr *part = a; part && !changes; part = part->a)
        changes = part->kind == EXPR_INCDEC || part->kind == EXPR_ASSIGN || part->kind == EXPR_ASSIGN_OP;
    if (changes)
        diag_warning(ast->diag, loc, "expression with side effects has no effect in an unevaluated context");
    if (a->kind == EXPR_OBJECT && a->decl->was_array)
        diag_warning(ast->diag, loc, "sizeof on array function parameter '%s' returns the size of a pointer", a->decl->name);
    if (a->kind == EXPR_PTR_ADD && a->a->kind == EXPR_DECAY)
        diag_warning(ast->diag, a->loc, "sizeof on a decayed array returns the size of a pointer");
}

void sema_warn_return(struct ast *ast, const struct expr *value)
{
    stack_check();
    if (value->kind == EXPR_COND) {
        sema_warn_return(ast, value->b);
        sema_warn_return(ast, value->c);
        return;
    }
    while (value->kind == EXPR_CAST && value->type.type->kind == TYPE_POINTER)
        value = value->a;
    const struct expr *place = value->kind == EXPR_ADDRESS ? value->a : value->kind == EXPR_DECAY ? value->a : NULL;
    while (place && place->kind == EXPR_MEMBER && place->a->lvalue)
        place = place->a;
    if (place && place->kind == EXPR_OBJECT && !place->decl->file_scope && place->type.space == SPACE_PRIVATE &&
        place->decl->storage != STORAGE_STATIC)
        diag_warning(ast->diag, place->loc, "address of stack memory associated with %s '%s' returned",
                     place->decl->kind == DECL_PARAMETER ? "parameter" : "local variable", place->decl->name);
}

// ---- switches ------------------------------------------------------------------------------------

static bool has_enumerator(const struct type *type, uint64_t value)
{
    unsigned unused = 64 - type_bits(type);
    for (uint32_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i]->value << unused == value << unused)
            return true;
    return false;
}

void sema_warn_case(struct ast *ast, struct type *type, const struct expr *value, struct loc loc)
{
    uint64_t before, after;
    if (value->kind != EXPR_CONST || !type_is_integer(type) || !type_is_integer(value->type.type))
        return;
    struct expr *converted = sema_convert_node(ast, type, (struct expr *)(uintptr_t)value);
    if (!const_eval_int(ast, value, &before, NULL) || !const_eval_int(ast, converted, &after, NULL))
        return;
    if (type->kind == TYPE_ENUM && !has_enumerator(type, before))
        diag_warning(ast->diag, loc, "case value not in enumerated type '%s'", type_name(ast->arena, qtype_of(type)));
    else if (type->kind != TYPE_ENUM && type_bits(type) < 32 && before != after)
        diag_warning(ast->diag, loc, "overflow converting case value to switch condition type (%s to %s)",
                     number_text(ast, value), number_text(ast, converted));
}

void sema_warn_no_case(struct ast *ast, const struct expr *value, uint64_t bits, struct loc loc)
{
    diag_warning(
        ast->diag, loc, "no case matching constant switch condition '%s'",
        arena_printf(ast->arena, type_is_signed(value->type.type) ? "%" PRId64 : "%" PRIu64, bits));
}

// ---- the end of a function -----------------------------------------------------------------------

struct flow {
    bool falls, breaks, continues, unclear; // unclear: labels and jumps to them
    bool returns;                // some path returns a value
};

static void join(struct flow *into, const struct flow *part)
{
    into->breaks |= part->breaks;
    into->continues |= part->continues;
    into->unclear |= part->unclear;
    into->returns |= part->returns;
}

static bool is_true(const struct stmt *loop)
{
    return !loop->expr || (loop->expr->kind == EXPR_CONST && loop->expr->lanes[0]);
}

static struct flow flow_of(const struct stmt *stmt);

static struct flow flow_of_list(const struct stmt *stmt)
{
    struct flow flow = {.falls = true};
    for (; stmt; stmt = stmt->next) {
        struct flow part = flow_of(stmt);
        join(&flow, &part);
        // A case label is reached from its switch, whatever precedes it.
        flow.falls = stmt->kind == STMT_CASE ? part.falls : flow.falls && part.falls;
    }
    return flow;
}

static bool has_default(const struct stmt *stmt)
{
    for (stmt = stmt && stmt->kind == STMT_COMPOUND ? stmt->first : stmt; stmt; stmt = stmt->next)
        for (const struct stmt *label = stmt; label && label->kind == STMT_CASE; label = label->body)
            if (label->is_default)
                return true;
    return false;
}

static struct flow flow_of(const struct stmt *stmt)
{
    stack_check();
    struct flow flow = {.falls = true}, part;
    if (!stmt) // after an error
        return (struct flow){.unclear = true};
    switch (stmt->kind) {
    case STMT_COMPOUND:
        return flow_of_list(stmt->first);
    case STMT_RETURN:
        return (struct flow){.returns = true};
    case STMT_BREAK:
        return (struct flow){.breaks = true};
    case STMT_CONTINUE:
        return (struct flow){.continues = true};
    case STMT_LABEL:
    case STMT_GOTO:
        return (struct flow){.unclear = true};
    case STMT_CASE:
        return stmt->body ? flow_of(stmt->body) : flow;
    case STMT_IF:
        flow = flow_of(stmt->body);
        part = stmt->else_body ? flow_of(stmt->else_body) : (struct flow){.falls = true};
        join(&flow, &part);
        flow.falls |= part.falls;
        return flow;
    case STMT_WHILE:
    case STMT_FOR:
    case STMT_DO:
        part = flow_of(stmt->body);
        flow.falls = part.breaks || !is_true(stmt);
        if (stmt->kind == STMT_DO) // the condition is evaluated at the end
            flow.falls = part.breaks || ((part.falls || part.continues) && !is_true(stmt));
        part.breaks = part.continues = false;
        join(&flow, &part);
        return flow;
    case STMT_SWITCH:
        part = flow_of(stmt->body);
        flow.falls = part.falls || part.breaks || !has_default(stmt->body);
        part.breaks = false;
        join(&flow, &part);
        return flow;
    case STMT_EXPR: // statement expressions
        flow.unclear = stmt->expr && stmt->expr->kind == EXPR_STATEMENT;
        return flow;
    default:
        return flow;
    }
}

void sema_warn_end(struct ast *ast, const struct decl *function, struct loc end)
{
    enum type_kind result = function->type.type->elem.type->kind;
    if (result == TYPE_VOID || result == TYPE_ERROR)
        return;
    struct flow flow = flow_of(function->body);
    if (flow.falls && !flow.unclear && function->is_block)
        diag_error(ast->diag, end, "non-void block does not return a value%s", flow.returns ? " in all control paths" : "");
    else if (flow.falls && !flow.unclear)
        diag_warning(ast->diag, end, "non-void function does not return a value%s",
                     flow.returns ? " in all control paths" : "");
}
