// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: the attribute coop_mat, built-in functions, operators, conversions, components.
//
// Names are those of the drafts of cl_khr_cooperative_matrix's OpenCL C and of clang. The results of coop_mat_load()
// and coop_mat_init() have an open type: a matrix without shape (rows 0), until an assignment, parameter or operand
// determines it.
#include "ast/sema_impl.h"

enum { MAX_EDGE = 1024, MAX_COMPONENTS = 1 << 16, // same limits as in the IR
       SPIRV_SUB_GROUP = 3, OPENCL_SUB_GROUP = 4 }; // numbers of the scope

// ---- types ---------------------------------------------------------------------------------------

static bool is_number(const struct type *type) { return type_is_arithmetic(type) || type_is_small_float(type); }
static bool holds_floats(const struct type *matrix) { return type_is_float(matrix->elem.type) || type_is_small_float(matrix->elem.type); }

static bool component_ok(struct ast *ast, const struct type *type, struct loc loc)
{
    bool missing = (type->kind == TYPE_HALF && !ast_has_half(ast)) || (type->kind == TYPE_DOUBLE && !ast_has(ast, KC_EXT_FP64));
    if (!is_number(type) || type->kind == TYPE_BOOL || type->kind == TYPE_ENUM)
        diag_error(ast->diag, loc, "%s is an invalid component type of a cooperative matrix: it must be an integer or a float",
                   sema_type_text(ast, qtype_of((struct type *)type)));
    else if (missing)
        diag_error(ast->diag, loc, "a cooperative matrix of %s components is not supported by this device",
                   sema_type_text(ast, qtype_of((struct type *)type)));
    else
        return true;
    return false;
}

static bool same_edges(const struct kc_matrix_shape *a, const struct kc_matrix_shape *b)
{
    return a->rows == b->rows && a->columns == b->columns && a->depth == b->depth;
}

// Lists the product shapes that the device supports, each once, whatever the component types.
static void note_shapes(struct ast *ast, struct loc loc)
{
    const struct kc_target *target = ast->target;
    struct str text;
    str_init(&text, ast->arena);
    for (uint32_t i = 0, k; i < target->matrix_shape_count; i++) {
        const struct kc_matrix_shape *shape = &target->matrix_shapes[i];
        for (k = 0; k < i && !same_edges(shape, &target->matrix_shapes[k]); k++)
            ;
        if (k == i)
            str_printf(&text, "%s%ux%ux%u", text.length ? ", " : "", shape->rows, shape->columns, shape->depth);
    }
    if (text.length)
        diag_note(ast->diag, loc, "the device's matrix units support MxNxK %s; this size is emulated", text.text);
}

struct type *sema_matrix_type(struct ast *ast, struct type *component, const struct matrix_shape *shape)
{
    struct type *error = type_basic(ast->types, TYPE_ERROR);
    uint64_t scope = shape->value[0], rows = shape->value[1], columns = shape->value[2], use = shape->value[3];
    if (!ast_has_matrices(ast)) {
        diag_error(ast->diag, shape->name, "cooperative matrices require sub-groups, which this device does not have");
        return error;
    }
    if (ast->target->mapping.any_sub_groups) {
        diag_error(ast->diag, shape->name, "cooperative matrices require a target with a known sub-group size");
        return error;
    }
    if (!component_ok(ast, component, shape->name))
        return error;
    if (scope != SPIRV_SUB_GROUP && scope != OPENCL_SUB_GROUP) {
        diag_error(ast->diag, shape->loc[0], "invalid scope of a cooperative matrix: only "
                   "CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP is supported");
        return error;
    }
    if (use >= USE_COUNT) {
        diag_error(ast->diag, shape->loc[3], "invalid use of a cooperative matrix: it must be CLK_COOPERATIVE_MATRIX_A, "
                   "CLK_COOPERATIVE_MATRIX_B or CLK_COOPERATIVE_MATRIX_ACCUMULATOR");
        return error;
    }
    for (int i = 1; i <= 2; i++)
        if (!shape->value[i] || shape->value[i] > MAX_EDGE) {
            diag_error(ast->diag, shape->loc[i], "a cooperative matrix must have from 1 to %d %s", MAX_EDGE,
                       i == 1 ? "rows" : "columns");
            note_shapes(ast, shape->loc[i]);
            return error;
        }
    if (rows * columns > MAX_COMPONENTS) {
        diag_error(ast->diag, shape->loc[1], "a cooperative matrix must have no more than %d components", MAX_COMPONENTS);
        note_shapes(ast, shape->loc[1]);
        return error;
    }
    return type_matrix(ast->types, component, (unsigned)rows, (unsigned)columns, (enum type_use)use);
}

static struct qtype open_type(struct ast *ast)
{
    return qtype_of(type_matrix(ast->types, type_basic(ast->types, TYPE_VOID), 0, 0, USE_A));
}

// ---- conversions ---------------------------------------------------------------------------------

static struct expr *splat(struct ast *ast, struct type *type, struct expr *scalar, struct loc loc)
{
    return sema_one(ast, EXPR_CAST, type, sema_convert_node(ast, type->elem.type, scalar), loc);
}

// Checks that the pointee is the matrix's component type or a vector of it.
static bool pointer_fits(struct ast *ast, const struct expr *pointer, const struct type *matrix)
{
    struct type *elem = type_scalar(pointer->type.type->elem.type);
    if (elem == matrix->elem.type)
        return true;
    diag_error(ast->diag, sema_start(pointer), "a cooperative matrix of %s components cannot be loaded or stored through %s",
               sema_type_text(ast, matrix->elem), sema_value_text(ast, pointer));
    return false;
}

struct expr *sema_matrix_settle(struct ast *ast, struct type *type, struct expr *a)
{
    if (a->kind != EXPR_MATRIX) { // coop_mat_init, which is a cast of its scalar
        if (a->kind == EXPR_CAST && type_is_arithmetic(a->a->type.type))
            return splat(ast, type, a->a, a->loc);
        diag_error(ast->diag, sema_start(a), "the type of this cooperative matrix is unknown");
        return sema_error(ast, a->loc);
    }
    if (!pointer_fits(ast, a->args[0], type))
        return sema_error(ast, a->loc);
    a->type = qtype_of(type);
    return a;
}

// Conversions to and from small floats go through float, so the other type's values must be representable as floats.
static bool passes_floats(const struct type *from, const struct type *to)
{
    bool fits = type_is_small_float(from) || from->kind == TYPE_HALF || from->kind == TYPE_FLOAT || from->size < 4;
    return !type_is_small_float(to) || fits;
}

struct expr *sema_matrix_cast(struct ast *ast, struct type *type, struct expr *a, struct loc loc)
{
    struct type *from = a->type.type;
    if (type == from)
        return a;
    if (sema_matrix_is_open(a))
        return sema_matrix_settle(ast, type, a);
    if (type_is_arithmetic(from))
        return splat(ast, type, a, loc);
    bool shaped = type_is_matrix(from) && from->rows == type->rows && from->columns == type->columns;
    if (shaped && passes_floats(from->elem.type, type->elem.type))
        return sema_one(ast, EXPR_CAST, type, a, loc);
    if (shaped)
        diag_error(ast->diag, loc, "conversion of %s to %s: convert it to components of type 'float' first",
                   sema_value_text(ast, a), sema_type_text(ast, qtype_of(type)));
    else if (type_is_matrix(from))
        diag_error(ast->diag, loc, "conversion of %s to %s changes the number of rows or columns", sema_value_text(ast, a),
                   sema_type_text(ast, qtype_of(type)));
    else
        diag_error(ast->diag, loc, "invalid conversion of %s to a cooperative matrix", sema_value_text(ast, a));
    return sema_error(ast, loc);
}

// ---- operators -----------------------------------------------------------------------------------

// Operations on small floats are computed as floats and rounded once.
static struct type *computed_type(struct ast *ast, struct type *type)
{
    if (!type_is_small_float(type->elem.type))
        return type;
    return type_matrix(ast->types, type_basic(ast->types, TYPE_FLOAT), type->rows, type->columns, (enum type_use)type->use);
}

// `b`: NULL for a unary operator.
static struct expr *compute(struct ast *ast, enum expr_op op, struct expr *a, struct expr *b, struct loc loc)
{
    struct type *type = a->type.type, *wide = computed_type(ast, type);
    struct expr *expr = sema_one(ast, b ? EXPR_BINARY : EXPR_UNARY, wide, sema_convert_node(ast, wide, a), loc);
    expr->b = b ? sema_convert_node(ast, wide, b) : NULL;
    expr->op = op;
    return sema_convert_node(ast, type, expr);
}

// Whether a scalar may scale the matrix: it has the component type, or converts to it without changing kind.
static bool scales(const struct expr *matrix, const struct expr *scalar)
{
    const struct type *component = matrix->type.type->elem.type, *s = scalar->type.type;
    if (!type_is_arithmetic(s))
        return false;
    return component == s || type_is_integer(s) || (type_is_float(s) && holds_floats(matrix->type.type));
}

struct expr *sema_matrix_binary(struct ast *ast, enum token_kind token, enum expr_op op, struct expr *a, struct expr *b,
                                struct loc loc)
{
    bool knows = token == TOK_PLUS || token == TOK_MINUS || token == TOK_STAR || token == TOK_SLASH;
    if (!knows) {
        diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s): cooperative matrices support only + - * /",
                   sema_value_text(ast, a), sema_value_text(ast, b));
        return sema_error(ast, loc);
    }
    if (sema_matrix_is_open(a) && type_is_matrix(b->type.type) && !sema_matrix_is_open(b))
        a = sema_matrix_settle(ast, b->type.type, a);
    else if (sema_matrix_is_open(b) && type_is_matrix(a->type.type) && !sema_matrix_is_open(a))
        b = sema_matrix_settle(ast, a->type.type, b);
    if (sema_is_error(a) || sema_is_error(b))
        return sema_error(ast, loc);
    bool open = sema_matrix_is_open(a) || sema_matrix_is_open(b);
    if (!open && a->type.type == b->type.type)
        return compute(ast, op, a, b, loc);
    if (!open && token == TOK_STAR && type_is_matrix(a->type.type) && scales(a, b))
        return compute(ast, op, a, splat(ast, a->type.type, b, b->loc), loc);
    if (!open && token == TOK_STAR && type_is_matrix(b->type.type) && scales(b, a))
        return compute(ast, op, splat(ast, b->type.type, a, a->loc), b, loc);
    diag_error(ast->diag, loc, "invalid operands to binary expression (%s and %s): cooperative matrices must be of one type%s",
               sema_value_text(ast, a), sema_value_text(ast, b),
               type_is_matrix(a->type.type) && type_is_matrix(b->type.type) ? "" : ", or multiplied by a scalar");
    return sema_error(ast, loc);
}

struct expr *sema_matrix_negate(struct ast *ast, struct expr *a, struct loc loc)
{
    if (sema_matrix_is_open(a)) {
        diag_error(ast->diag, loc, "invalid argument type %s to unary expression", sema_value_text(ast, a));
        return sema_error(ast, loc);
    }
    return compute(ast, EXPR_OP_NEG, a, NULL, loc);
}

struct expr *sema_matrix_component(struct ast *ast, struct expr *base, struct expr *index, struct loc loc)
{
    if (!type_is_integer(index->type.type) || sema_matrix_is_open(base)) {
        diag_error(ast->diag, loc, type_is_integer(index->type.type) ? "the type of this cooperative matrix is unknown"
                                                                     : "array subscript is not an integer");
        return sema_error(ast, loc);
    }
    uint64_t at;
    if (const_eval_int(ast, index, &at, NULL) && at >= base->type.type->count)
        diag_warning(ast->diag, sema_start(index), "component %lld is past the end of %s: a work-item has at most %llu components",
                     (long long)at, sema_value_text(ast, base), (unsigned long long)base->type.type->count);
    struct expr *component = sema_one(ast, EXPR_LANE, base->type.type->elem.type, base, sema_start(base));
    component->b = sema_convert_node(ast, sema_promoted(ast, index->type.type), index);
    component->type.quals = base->type.quals;
    component->type.space = base->type.space;
    component->lvalue = base->lvalue;
    return component;
}

// ---- built-in functions --------------------------------------------------------------------------

struct matrix_call {
    struct ast *ast;
    const char *name;
    struct expr **args;
    uint32_t count;
    struct loc loc;
};

static struct expr *failed(const struct matrix_call *call) { return sema_error(call->ast, call->loc); }

static struct expr *make(const struct matrix_call *call, enum expr_matrix op, struct qtype type, struct expr **args,
                         uint32_t count)
{
    struct expr *expr = sema_new(call->ast, EXPR_MATRIX, type, call->loc);
    expr->args = arena_copy(call->ast->arena, args, count * sizeof *args);
    expr->arg_count = count;
    expr->matrix_op = (uint8_t)op;
    return expr;
}

static bool constant_of(const struct matrix_call *call, uint32_t which, uint64_t *value)
{
    struct expr *a = call->args[which];
    return type_is_integer(a->type.type) && const_eval_int(call->ast, a, value, NULL);
}

static bool layout_of(const struct matrix_call *call, uint32_t which, uint8_t *by_columns)
{
    uint64_t layout = 2;
    bool known = constant_of(call, which, &layout) && layout < 2;
    *by_columns = (uint8_t)layout;
    if (!known)
        diag_error(call->ast->diag, sema_start(call->args[which]),
                   "the layout of '%s' must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or "
                   "CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR", call->name);
    return known;
}

// Checks for a pointer to numbers in memory that work-items share.
static bool pointer_ok(const struct matrix_call *call, bool writes)
{
    struct ast *ast = call->ast;
    const struct expr *a = call->args[0];
    const struct qtype to = sema_is_pointer(a) ? a->type.type->elem : a->type;
    if (!sema_is_pointer(a) || !is_number(type_scalar(to.type))) {
        diag_error(ast->diag, sema_start(a), "the first argument of '%s' must be a pointer to numbers, not %s", call->name,
                   sema_value_text(ast, a));
        return false;
    }
    if (to.space == SPACE_PRIVATE) {
        diag_error(ast->diag, sema_start(a), "'%s' requires a pointer to global or local memory, not %s",
                   call->name, sema_value_text(ast, a));
        return false;
    }
    if (writes && (to.space == SPACE_CONSTANT || to.quals & QUAL_CONST)) {
        diag_error(ast->diag, sema_start(a), "'%s' cannot write through %s", call->name, sema_value_text(ast, a));
        return false;
    }
    return true;
}

static struct expr *stride_of(const struct matrix_call *call, uint32_t which)
{
    struct expr *a = call->args[which];
    if (!type_is_integer(a->type.type)) {
        diag_error(call->ast->diag, sema_start(a), "the stride of '%s' must be an integer, not %s", call->name,
                   sema_value_text(call->ast, a));
        return failed(call);
    }
    uint64_t value;
    if (type_is_signed(a->type.type) && const_eval_int(call->ast, a, &value, NULL) && (int64_t)value < 0) {
        diag_error(call->ast->diag, sema_start(a), "the stride of '%s' must not be negative", call->name);
        return failed(call);
    }
    enum type_kind wide = type_is_signed(a->type.type) ? TYPE_LONG : TYPE_ULONG;
    return sema_convert_node(call->ast, type_basic(call->ast->types, wide), a);
}

static bool is_known_matrix(const struct matrix_call *call, uint32_t which)
{
    const struct expr *a = call->args[which];
    if (type_is_matrix(a->type.type) && !sema_matrix_is_open(a))
        return true;
    diag_error(call->ast->diag, sema_start(a), "argument %u of '%s' must be a cooperative matrix%s, not %s", which + 1,
               call->name, sema_matrix_is_open(a) ? " of known type" : "", sema_value_text(call->ast, a));
    return false;
}

static struct expr *make_load(const struct matrix_call *call)
{
    uint8_t by_columns;
    if (!pointer_ok(call, false) || !layout_of(call, 1, &by_columns))
        return failed(call);
    struct expr *args[2] = {call->args[0], stride_of(call, 2)};
    if (sema_is_error(args[1]))
        return failed(call);
    struct expr *load = make(call, MATRIX_LOAD, open_type(call->ast), args, 2);
    load->matrix_flags = by_columns;
    return load;
}

static struct expr *make_store(const struct matrix_call *call)
{
    uint8_t by_columns;
    if (!pointer_ok(call, true) || !is_known_matrix(call, 1) || !layout_of(call, 2, &by_columns) ||
        !pointer_fits(call->ast, call->args[0], call->args[1]->type.type))
        return failed(call);
    struct expr *args[3] = {call->args[0], stride_of(call, 3), call->args[1]};
    if (sema_is_error(args[1]))
        return failed(call);
    struct expr *store = make(call, MATRIX_STORE, sema_basic(call->ast, TYPE_VOID), args, 3);
    store->matrix_flags = by_columns;
    return store;
}

static bool shapes_fit(const struct matrix_call *call)
{
    static const char *const uses[] = {"CLK_COOPERATIVE_MATRIX_A", "CLK_COOPERATIVE_MATRIX_B",
                                       "CLK_COOPERATIVE_MATRIX_ACCUMULATOR"};
    struct ast *ast = call->ast;
    const struct type *t[3];
    for (uint32_t i = 0; i < 3; i++) {
        t[i] = call->args[i]->type.type;
        if (t[i]->use == i)
            continue;
        diag_error(ast->diag, sema_start(call->args[i]), "argument %u of '%s' must be a cooperative matrix of use %s, not %s",
                   i + 1, call->name, uses[i], sema_value_text(ast, call->args[i]));
        return false;
    }
    if (t[0]->rows != t[2]->rows || t[0]->columns != t[1]->rows || t[1]->columns != t[2]->columns) {
        diag_error(ast->diag, call->loc, "shapes of cooperative matrices do not match: %ux%u times %ux%u is not %ux%u (expected "
                                         "MxK, KxN and MxN)", t[0]->rows, t[0]->columns, t[1]->rows, t[1]->columns, t[2]->rows, t[2]->columns);
        note_shapes(ast, call->loc);
        return false;
    }
    bool floats = holds_floats(t[0]);
    if (holds_floats(t[1]) == floats && holds_floats(t[2]) == floats)
        return true;
    diag_error(ast->diag, call->loc, "component types of cooperative matrices do not match (%s, %s and %s): all must be "
                                     "integers, or all floating point", sema_type_text(ast, t[0]->elem), sema_type_text(ast, t[1]->elem),
               sema_type_text(ast, t[2]->elem));
    return false;
}

// Components of signed types are signed; components of unsigned types are signed if the flag is given.
static uint8_t all_flags(const struct matrix_call *call, uint64_t said)
{
    static const uint8_t flags[] = {MATRIX_A_SIGNED, MATRIX_B_SIGNED, MATRIX_C_SIGNED | MATRIX_RESULT_SIGNED};
    for (uint32_t i = 0; i < 3; i++)
        said |= type_is_signed(call->args[i]->type.type->elem.type) ? flags[i] : 0;
    return holds_floats(call->args[0]->type.type) ? 0 : (uint8_t)said;
}

static struct expr *make_muladd(const struct matrix_call *call)
{
    uint64_t said = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (!is_known_matrix(call, i))
            return failed(call);
    if (!shapes_fit(call))
        return failed(call);
    if (call->count > 3 && (!constant_of(call, 3, &said) || said > MATRIX_FLAGS)) {
        diag_error(call->ast->diag, sema_start(call->args[3]), "argument 4 of '%s' must be a constant made of "
                   "CLK_COOPERATIVE_MATRIX_OPERAND_* flags", call->name);
        return failed(call);
    }
    struct expr *product = make(call, MATRIX_MULADD, qtype_of(call->args[2]->type.type), call->args, 3);
    product->matrix_flags = all_flags(call, said);
    return product;
}

static struct expr *make_init(const struct matrix_call *call)
{
    struct expr *a = call->args[0];
    if (type_is_arithmetic(a->type.type))
        return sema_one(call->ast, EXPR_CAST, open_type(call->ast).type, a, call->loc);
    diag_error(call->ast->diag, sema_start(a), "the argument of '%s' must be a number, not %s", call->name,
               sema_value_text(call->ast, a));
    return failed(call);
}

static struct expr *make_length(const struct matrix_call *call)
{
    if (!is_known_matrix(call, 0))
        return failed(call);
    return make(call, MATRIX_LENGTH, sema_basic(call->ast, TYPE_UINT), call->args, 1);
}

static const struct matrix_function {
    const char *name;
    uint32_t least, most; // arguments
    struct expr *(*make)(const struct matrix_call *call);
} functions[] = {
    {"coop_mat_load", 3, 3, make_load},     {"coop_mat_store", 4, 4, make_store},   {"coop_mat_mulAdd", 3, 4, make_muladd},
    {"coop_mat_muladd", 3, 4, make_muladd}, {"coop_matmul_add", 3, 4, make_muladd}, {"coop_mat_init", 1, 1, make_init},
    {"coop_mat_length", 1, 1, make_length},
};

static const struct matrix_function *find(struct ast *ast, const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(name, functions[i].name) && ast_has_matrices(ast))
            return &functions[i];
    return NULL;
}

bool sema_is_matrix_function(struct ast *ast, const char *name)
{
    return !strncmp(name, "coop_mat", 8) && find(ast, name);
}

struct expr *sema_matrix_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc,
                              struct loc end)
{
    const struct matrix_function *f = find(ast, name);
    struct matrix_call call = {ast, name, args, count, loc};
    if (count >= f->least && count <= f->most) {
        if (ast->function)
            ast->function->gen_reports = true; // gen reports a result whose type stays open
        return f->make(&call);
    }
    bool too_few = count < f->least;
    diag_error(ast->diag, too_few ? end : sema_start(args[f->most]), "too %s arguments to function call, expected %s%u, have %u",
               too_few ? "few" : "many", f->least == f->most ? "" : too_few ? "at least " : "at most ", too_few ? f->least : f->most, count);
    return sema_error(ast, loc);
}
