// SPDX-License-Identifier: Apache-2.0
// Reading objects (load, decay), conditions, names, and the operators on types (sizeof and others).
//
// Values are unqualified rvalues. Each consumer of an operand calls sema_value() on it first.
#include "ast/sema_impl.h"
#include <string.h>

// ---- values -------------------------------------------------------------------------------------

static struct expr *load(struct ast *ast, struct expr *a)
{
    struct qtype type = a->type;
    if (type.type->kind == TYPE_ARRAY) {
        struct qtype elem = type.type->elem;
        elem.quals |= type.quals;
        elem.space = a->lvalue ? type.space : SPACE_PRIVATE; // an array in a value gets storage of its own
        if (type.low_align)
            elem = type_underaligned(elem, qtype_align(type));
        return sema_one(ast, EXPR_DECAY, type_pointer(ast->types, elem), a, a->loc);
    }
    if (!type_complete(type.type)) {
        diag_error(ast->diag, sema_start(a), "incomplete type %s where a complete type is required",
                   sema_type_text(ast, type));
        return sema_error(ast, a->loc);
    }
    if (type_scalar(type.type)->kind == TYPE_HALF && !ast_has(ast, KC_EXT_FP16)) {
        diag_error(ast->diag, sema_start(a),
                   "loading directly from pointer to type %s requires cl_khr_fp16. Use vector data "
                   "load builtin "
                   "functions instead",
                   sema_type_text(ast, type));
        return sema_error(ast, a->loc);
    }
    sema_warn_bounds(ast, a, false);
    struct expr *value = sema_one(ast, EXPR_LOAD, type.type, a, a->loc);
    value->type.access = type.access;
    value->parenthesized = a->parenthesized;
    return value;
}

static struct expr *widened(struct ast *ast, struct expr *a)
{
    struct expr *value = sema_convert_node(ast, type_basic(ast->types, TYPE_FLOAT), a);
    value->widened = value->kind == EXPR_CAST;
    return value;
}

struct expr *sema_value(struct ast *ast, struct expr *a)
{
    if (sema_is_error(a))
        return a;
    if (a->kind == EXPR_BUILTIN_NAME && !builtin_exists(ast, a->builtin_name)) {
        diag_error(ast->diag, a->loc, "use of undeclared identifier '%s'", a->builtin_name);
        return sema_error(ast, a->loc);
    }
    if (a->kind == EXPR_FUNCTION || a->kind == EXPR_BUILTIN_NAME) {
        diag_error(ast->diag, a->loc, "taking address of function is not allowed");
        return sema_error(ast, a->loc);
    }
    if (a->lvalue || a->type.type->kind == TYPE_ARRAY)
        a = load(ast, a);
    return type_is_small_float(a->type.type) ? widened(ast, a) : a;
}

struct expr *sema_unevaluated(struct ast *ast, struct expr *a)
{
    return a->kind == EXPR_BUILTIN_NAME ? sema_value(ast, a) : a;
}

struct expr *sema_unused(struct ast *ast, struct expr *a)
{
    return a->kind == EXPR_FUNCTION || a->kind == EXPR_BUILTIN_NAME ? sema_value(ast, a) : a;
}

struct expr *sema_to_bool(struct ast *ast, struct expr *a)
{
    sema_warn_truth(ast, a);
    sema_warn_to_bool(ast, a);
    return sema_convert_node(ast, type_basic(ast->types, TYPE_BOOL), a);
}

struct expr *sema_condition(struct ast *ast, struct expr *a, struct loc loc)
{
    sema_warn_condition(ast, a);
    a = sema_value(ast, a);
    if (sema_is_error(a))
        return a;
    if (a->type.type->kind == TYPE_BLOCK)
        return sema_block_truth(ast, a);
    if (!type_is_scalar(a->type.type)) {
        diag_error(ast->diag, loc,
                   "statement requires expression of scalar type (%s invalid)",
                   sema_value_text(ast, a));
        return sema_error(ast, a->loc);
    }
    return sema_to_bool(ast, a);
}

struct expr *sema_integer_promote(struct ast *ast, struct expr *a)
{
    a = sema_value(ast, a);
    return sema_is_error(a) ? a : sema_convert_node(ast, sema_promoted(ast, a->type.type), a);
}

// ---- names --------------------------------------------------------------------------------------

static struct expr *name_decl(struct ast *ast, struct decl *decl, struct loc loc)
{
    switch (decl->kind) {
    case DECL_TYPEDEF:
        diag_error(ast->diag, loc, "unexpected type name '%s': expected expression", decl->name);
        return sema_error(ast, loc);
    case DECL_ENUMERATOR: {
        struct type *type = type_scalar(decl->type.type);
        struct expr *value = sema_const_int(ast, type->kind, decl->value, loc);
        value->enumerator = true;
        return value;
    }
    default:
        break;
    }
    if (decl->type.type->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    bool function = decl->kind == DECL_FUNCTION;
    decl->called |= !function; // marks a variable as used
    if (!function && !(decl = sema_capture(ast, decl, loc)))
        return sema_error(ast, loc);
    struct expr *expr = sema_new(ast, function ? EXPR_FUNCTION : EXPR_OBJECT, decl->type, loc);
    expr->decl = decl;
    expr->lvalue = !function;
    return expr;
}

// Memory orders and scopes (OpenCL C 6.15.12.2, 6.15.12.3), since 2.0.
static struct expr *predefined_constant(struct ast *ast, const char *name, struct loc loc)
{
    static const struct {
        const char *name;
        uint8_t value;
    } constants[] = {
        {"memory_order_relaxed", 0},         {"memory_order_acquire", 2},
        {"memory_order_release", 3},         {"memory_order_acq_rel", 4},
        {"memory_order_seq_cst", 5},         {"memory_scope_work_item", 0},
        {"memory_scope_work_group", 1},      {"memory_scope_device", 2},
        {"memory_scope_all_svm_devices", 3}, {"memory_scope_all_devices", 3},
        {"memory_scope_sub_group", 4},
    };
    if (ast->version < 200 || strncmp(name, "memory_", 7) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (!strcmp(name, constants[i].name))
            return sema_const_int(ast, TYPE_INT, constants[i].value, loc);
    return NULL;
}

// CLK_COOPERATIVE_MATRIX_* constants; the scope has SPIR-V's number.
struct expr *sema_matrix_constant(struct ast *ast, const char *name, struct loc loc)
{
    static const char prefix[] = "CLK_COOPERATIVE_MATRIX_";
    static const struct {
        const char *name;
        uint8_t value;
    } constants[] = {
        {"SCOPE_SUBGROUP", 3},
        {"A", USE_A},
        {"B", USE_B},
        {"ACCUMULATOR", USE_ACCUMULATOR},
        {"LAYOUT_ROW_MAJOR", 0},
        {"LAYOUT_COLUMN_MAJOR", 1},
        {"OPERAND_NONE", 0},
        {"OPERAND_MATRIX_A_SIGNED", MATRIX_A_SIGNED},
        {"OPERAND_MATRIX_B_SIGNED", MATRIX_B_SIGNED},
        {"OPERAND_MATRIX_C_SIGNED", MATRIX_C_SIGNED},
        {"OPERAND_MATRIX_RESULT_SIGNED", MATRIX_RESULT_SIGNED},
        {"OPERAND_SATURATING_ACCUMULATION", MATRIX_SATURATING},
        {"OPERAND_MATRIX_SATURATING_ACCUMULATION", MATRIX_SATURATING},
    };
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || !ast_has_matrices(ast))
        return NULL;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (!strcmp(name + sizeof prefix - 1, constants[i].name))
            return sema_const_int(ast, TYPE_INT, constants[i].value, loc);
    return NULL;
}

// CLK_NULL_RESERVE_ID: its macro expands to itself, because no expression in the source could express the value.
static struct expr *null_reservation(struct ast *ast, const char *name, struct loc loc)
{
    if (strcmp(name, "CLK_NULL_RESERVE_ID") != 0 || !ast_has_pipes(ast))
        return NULL;
    return sema_lanes(ast, &ast->types->opaque[OPAQUE_RESERVE_ID], (uint64_t[1]){0}, loc);
}

// __func__ and GNU's equivalents.
static struct expr *function_name(struct ast *ast, const char *name, struct loc loc)
{
    static const char *const names[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"};
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known |= name[0] == '_' && !strcmp(name, names[i]);
    if (!known)
        return NULL;
    if (!ast->function)
        diag_warning(ast->diag, loc, "predefined identifier is only valid inside function");
    return sema_text(ast, ast->function ? ast->function->name : "", loc);
}

struct expr *sema_identifier(struct ast *ast, const char *name, struct loc loc)
{
    struct decl *decl = scope_find(ast, name);
    if (decl)
        return name_decl(ast, decl, loc);
    struct expr *text = function_name(ast, name, loc);
    if (text)
        return text;
    struct expr *constant = predefined_constant(ast, name, loc);
    if (!constant)
        constant = sema_matrix_constant(ast, name, loc);
    if (!constant)
        constant = null_reservation(ast, name, loc);
    if (constant)
        return constant;
    // Also for unknown names: a call reports "implicit declaration", any other use (sema_value) "undeclared".
    struct expr *expr = sema_new(ast, EXPR_BUILTIN_NAME, sema_basic(ast, TYPE_VOID), loc);
    expr->builtin_name = name;
    return expr;
}

// ---- operators on types -------------------------------------------------------------------------

static struct expr *size_constant(struct ast *ast, uint64_t value, struct loc loc)
{
    return sema_const_int(ast, scope_narrowed(ast, TYPE_ULONG), value, loc);
}

static bool has_size(struct ast *ast, struct qtype type, const char *what, struct loc loc)
{
    if (type.type->kind == TYPE_ERROR)
        return false;
    if (type.type->kind == TYPE_VOID || type.type->kind == TYPE_FUNCTION) {
        diag_error(ast->diag, loc, "invalid application of '%s' to a %s type", what,
                   type.type->kind == TYPE_VOID ? "void" : "function");
        return false;
    }
    if (!type_complete(type.type)) {
        diag_error(ast->diag, loc, "invalid application of '%s' to an incomplete type %s", what,
                   sema_type_text(ast, type));
        return false;
    }
    return true;
}

struct expr *sema_sizeof(struct ast *ast, struct qtype type, struct loc loc)
{
    if (!has_size(ast, type, "sizeof", loc))
        return sema_error(ast, loc);
    return size_constant(ast, type.type->size, loc);
}

struct expr *sema_alignof(struct ast *ast, struct qtype type, struct loc loc)
{
    if (!has_size(ast, type, "__alignof", loc))
        return sema_error(ast, loc);
    return size_constant(ast, type.type->align, loc);
}

// OpenCL C 6.11.12: 4 for vectors of 3; 1 for void and scalars.
struct expr *sema_vec_step(struct ast *ast, struct qtype type, struct loc loc)
{
    struct type *t = type.type;
    if (t->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    if (!type_is_vector(t) && !type_is_arithmetic(t) && t->kind != TYPE_VOID) {
        diag_error(ast->diag, loc, "'vec_step' requires built-in scalar or vector type, %s invalid",
                   sema_type_text(ast, type));
        return sema_error(ast, loc);
    }
    unsigned lanes = type_lanes(t);
    return size_constant(ast, lanes == 3 ? 4 : lanes, loc);
}

struct expr *sema_offsetof(struct ast *ast, struct qtype type, struct expr *designator_offset,
                           struct loc loc)
{
    if (type.type->kind == TYPE_ERROR || sema_is_error(designator_offset))
        return sema_error(ast, loc);
    return sema_convert_node(ast, type_basic(ast->types, scope_narrowed(ast, TYPE_ULONG)),
                             sema_value(ast, designator_offset));
}

struct expr *sema_compound_literal(struct ast *ast, struct qtype type, struct init *init,
                                   struct loc loc)
{
    if (type.type->kind == TYPE_ERROR)
        return sema_error(ast, loc);
    bool file_scope = !ast->function;
    type.space = file_scope ? SPACE_CONSTANT : SPACE_PRIVATE;
    struct expr *expr = sema_new(ast, EXPR_COMPOUND, type, loc);
    expr->init = init;
    expr->lvalue = true;
    if (ast->function)
        ast->function->gen_reports = true; // gen reports where its address cannot be taken
    return expr;
}

struct expr *sema_statement_expr(struct ast *ast, struct stmt *body, struct loc loc)
{
    struct stmt *last = body->first;
    while (last && last->next)
        last = last->next;
    struct qtype type = sema_basic(ast, TYPE_VOID);
    if (last && last->kind == STMT_EXPR && last->expr) {
        last->expr = sema_value(ast, last->expr);
        if (sema_is_error(last->expr))
            return sema_error(ast, loc);
        type = last->expr->type;
    }
    struct expr *expr = sema_new(ast, EXPR_STATEMENT, type, loc);
    expr->body = body;
    return expr;
}
