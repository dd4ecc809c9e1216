// SPDX-License-Identifier: Apache-2.0
// The base of sema: making nodes, reading objects (load, decay), conditions, names, and the
// operators that ask about a type (sizeof and its kin).
//
// Values are rvalues without qualifiers; whoever consumes an operand calls sema_value() on it
// first.
#include "ast/sema_impl.h"
#include <string.h>

bool sema_has(const struct ast *ast, enum kc_extension extension)
{
    return (ast->target->extensions & ~ast->disabled) >> extension & 1;
}

bool sema_has_half(const struct ast *ast)
{
    return ast->target->float16 && !(ast->disabled >> KC_EXT_FP16 & 1);
}

bool sema_has_program_variables(const struct ast *ast)
{
    return ast->version >= 300 ? sema_has(ast, KC_EXT_PROGRAM_SCOPE_GLOBAL_VARIABLES) : ast->version >= 200;
}

bool sema_has_read_write_images(const struct ast *ast)
{
    return ast->version >= 200 && sema_has(ast, KC_EXT_READ_WRITE_IMAGES);
}

bool sema_has_generic(const struct ast *ast)
{
    return ast->version >= 300 ? sema_has(ast, KC_EXT_GENERIC_ADDRESS_SPACE) : ast->version >= 200;
}

struct qtype sema_basic(struct ast *ast, enum type_kind kind)
{
    return qtype_of(type_basic(ast->types, kind));
}

struct expr *sema_new(struct ast *ast, enum expr_kind kind, struct qtype type, struct loc loc)
{
    struct expr *expr = ARENA_NEW(ast->arena, struct expr);
    expr->kind = kind;
    expr->type = type;
    expr->loc = loc;
    return expr;
}

struct expr *sema_error(struct ast *ast, struct loc loc)
{
    return sema_new(ast, EXPR_ERROR, sema_basic(ast, TYPE_ERROR), loc);
}

bool sema_is_error(const struct expr *expr)
{
    return expr->type.type->kind == TYPE_ERROR;
}

struct expr *sema_one(struct ast *ast, enum expr_kind kind, struct type *type, struct expr *a,
                      struct loc loc)
{
    struct expr *expr = sema_new(ast, kind, qtype_of(type), loc);
    expr->a = a;
    return expr;
}

const char *sema_type_text(struct ast *ast, struct qtype type)
{
    struct str text;
    str_init(&text, ast->arena);
    str_addc(&text, '\'');
    type_print(&text, type);
    str_addc(&text, '\'');
    if (type_is_vector(type.type)) {
        str_printf(&text, " (vector of %u '", type_lanes(type.type));
        type_print(&text, type.type->elem);
        str_add(&text, "' values)");
    }
    return text.text;
}

const char *sema_value_text(struct ast *ast, const struct expr *a)
{
    struct qtype type = a->type;
    type.space = SPACE_PRIVATE;
    return sema_type_text(ast, type);
}

// The leftmost text of an expression: what diagnostics about a whole operand point to.
struct loc sema_start(const struct expr *a)
{
    for (;;) {
        bool left = false;
        switch (a->kind) {
        case EXPR_LOAD:
        case EXPR_DECAY:
        case EXPR_MEMBER:
        case EXPR_SWIZZLE:
        case EXPR_LANE:
        case EXPR_BINARY:
        case EXPR_LOGICAL:
        case EXPR_PTR_ADD:
        case EXPR_PTR_DIFF:
        case EXPR_ASSIGN:
        case EXPR_ASSIGN_OP:
        case EXPR_COND:
        case EXPR_VECTOR_COND:
        case EXPR_COMMA:
            left = a->a != NULL;
            break;
        case EXPR_INCDEC:
            left = !a->prefix;
            break;
        case EXPR_DEREF: // a[i]; *p itself starts earlier
            left = a->a->kind == EXPR_PTR_ADD && a->a->loc.column == a->loc.column;
            break;
        default:
            break;
        }
        if (!left || a->parenthesized)
            return a->loc;
        struct loc below = sema_start(a->a);
        bool earlier = below.file == a->loc.file &&
                       (below.line < a->loc.line ||
                        (below.line == a->loc.line && below.column < a->loc.column));
        return earlier ? below : a->loc;
    }
}

struct loc sema_place(const struct expr *a)
{
    struct loc loc = a->loc;
    if (a->kind != EXPR_CONST || !a->op_line)
        return loc;
    loc.line = a->op_line;
    loc.column = a->op_column;
    return loc;
}

// ---- values -------------------------------------------------------------------------------------

bool sema_is_pointer(const struct expr *a)
{
    return a->type.type->kind == TYPE_POINTER;
}

bool sema_is_null(const struct expr *a)
{
    return a->null_constant;
}

struct expr *sema_lanes(struct ast *ast, struct type *type, const uint64_t *lanes, struct loc loc)
{
    struct expr *expr = sema_new(ast, EXPR_CONST, qtype_of(type), loc);
    expr->lanes = arena_copy(ast->arena, lanes, sizeof *lanes * type_lanes(type));
    expr->null_constant = type_is_integer(type) && lanes[0] == 0;
    return expr;
}

struct expr *sema_const_int(struct ast *ast, enum type_kind kind, uint64_t value, struct loc loc)
{
    struct type *type = type_basic(ast->types, kind);
    unsigned bits = type_bits(type);
    if (bits < 64)
        value &= (UINT64_C(1) << bits) - 1;
    return sema_lanes(ast, type, &value, loc);
}

struct expr *sema_fold(struct ast *ast, struct expr *a)
{
    if ((a->a && a->a->kind != EXPR_CONST) || (a->b && a->b->kind != EXPR_CONST) ||
        (a->c && a->c->kind != EXPR_CONST))
        return a;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i]->kind != EXPR_CONST)
            return a;
    uint64_t lanes[16];
    if (!const_eval_lanes(ast, a, lanes))
        return a;
    struct expr *folded = sema_lanes(ast, a->type.type, lanes, sema_start(a));
    folded->parenthesized = a->parenthesized;
    folded->op = a->op; // for what is said about it
    bool infix = folded->loc.column != a->loc.column || folded->loc.line != a->loc.line;
    folded->op_line = infix ? a->loc.line : 0;
    folded->op_column = infix ? a->loc.column : 0;
    return folded;
}

static struct expr *load(struct ast *ast, struct expr *a)
{
    struct qtype type = a->type;
    if (type.type->kind == TYPE_ARRAY) {
        struct qtype elem = type.type->elem;
        elem.quals |= type.quals;
        elem.space = a->lvalue ? type.space : SPACE_PRIVATE; // a value's array is in a place of its own
        if (type.under)
            elem = type_underaligned(elem, qtype_align(type));
        return sema_one(ast, EXPR_DECAY, type_pointer(ast->types, elem), a, a->loc);
    }
    if (!type_complete(type.type)) {
        diag_error(ast->diag, sema_start(a), "incomplete type %s where a complete type is required",
                   sema_type_text(ast, type));
        return sema_error(ast, a->loc);
    }
    if (type_scalar(type.type)->kind == TYPE_HALF && !sema_has(ast, KC_EXT_FP16)) {
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
    return a->lvalue || a->type.type->kind == TYPE_ARRAY ? load(ast, a) : a;
}

struct expr *sema_once(struct ast *ast, struct expr *a)
{
    if (sema_is_error(a) || a->kind == EXPR_CONST || a->type.type->kind == TYPE_VOID || type_is_record(a->type.type))
        return a;
    struct expr *once = sema_one(ast, EXPR_ONCE, a->type.type, a, sema_start(a));
    once->null_constant = a->null_constant;
    return once;
}

struct expr *sema_with(struct ast *ast, struct expr *once, struct expr *a)
{
    if (once->kind != EXPR_ONCE || sema_is_error(a) || a->kind == EXPR_CONST)
        return a;
    struct expr *with = sema_one(ast, EXPR_WITH, a->type.type, once, a->loc);
    with->b = a;
    return with;
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
    if (!type_is_scalar(a->type.type)) {
        diag_error(ast->diag, loc,
                   "statement requires expression of scalar type (%s invalid)",
                   sema_value_text(ast, a));
        return sema_error(ast, a->loc);
    }
    return sema_to_bool(ast, a);
}

struct type *sema_promoted(struct ast *ast, struct type *type)
{
    struct type *scalar = type_scalar(type);
    if (type_is_vector(type) || !type_is_integer(type))
        return type;
    return type_bits(scalar) < 32 ? type_basic(ast->types, TYPE_INT) : scalar;
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
    struct expr *expr = sema_new(ast, function ? EXPR_FUNCTION : EXPR_OBJECT, decl->type, loc);
    expr->decl = decl;
    expr->lvalue = !function;
    decl->called |= !function; // a variable is used
    return expr;
}

// Orders and scopes of OpenCL C 6.15.12.2 and 6.15.12.3, known from 2.0 on.
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

// __func__ and GNU's other names for it.
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
    if (constant)
        return constant;
    // Unknown names too: a call says "implicit declaration", any other use (sema_value)
    // "undeclared".
    struct expr *expr = sema_new(ast, EXPR_BUILTIN_NAME, sema_basic(ast, TYPE_VOID), loc);
    expr->builtin_name = name;
    return expr;
}

// ---- questions about types ----------------------------------------------------------------------

static struct expr *size_constant(struct ast *ast, uint64_t value, struct loc loc)
{
    return sema_const_int(ast, TYPE_ULONG, value, loc);
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
    return sema_convert_node(ast, type_basic(ast->types, TYPE_ULONG),
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
        ast->function->gen_judges = true; // its address may be asked for where it cannot be had
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
