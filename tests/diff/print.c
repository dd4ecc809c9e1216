// SPDX-License-Identifier: Apache-2.0
// Prints the tree as OpenCL C source.
//
// Nodes with `guard` set are printed in a form that is always defined: unsigned arithmetic for signed, masked
// indices, and helper functions (collected while printing, output first) for division, clamp, mul24 and float
// arithmetic.
#include "arith.h"

#include <assert.h>
#include <stdio.h>

enum helper {
    HELP_DIV,
    HELP_REM,
    HELP_CLAMP,
    HELP_MUL24,
    HELP_MAD24,
    HELP_EXACT,
    HELP_WHOLE,
    HELP_LIMIT, // from here on: for matrices only
    HELP_LIMIT_HALF,
    HELP_LIMIT_BRIEF,
    HELP_LIMIT_E4M3,
    HELP_LIMIT_E5M2,
    HELP_EXACT_HALF,
    HELP_EXACT_BRIEF,
    HELP_EXACT_E4M3,
    HELP_EXACT_E5M2,
    HELP_CUT,
    HELP_CUT_TO_ONE,
    HELPER_COUNT
};
enum { MAX_MATRICES = 256 };

struct printer {
    const struct program *program;
    struct str *out;
    unsigned indent;
    bool helpers[HELPER_COUNT][BASE_COUNT][17]; // which ones are used
    bool matrix_helpers[HELPER_COUNT][MAX_MATRICES];
    bool narrow_of[BASE_COUNT]; // half_of, bf16_of, double_of
};

static const char *const helper_names[] = {"div",         "rem",        "clamp",       "mul24", "mad24",
                                           "exact",       "whole",      "limit",       "limit_half", "limit_bf16",
                                           "limit_e4m3",  "limit_e5m2", "exact_half",  "exact_bf16", "exact_e4m3",
                                           "exact_e5m2",  "cut",        "cut_to_one"};
static const char *const operators[OP_COUNT] = {
    "+", "-",  "*", "/",  "%",  "&",  "|", "^", "<<", ">>",
    "<", "<=", ">", ">=", "==", "!=", "-", "~", "!"};
static const char *const space_names[] = {"private ", "local ", "global ", "constant ", ""};
static const char *const item_functions[] = {"get_global_id",  "get_local_id",    "get_group_id",
                                             "get_local_size", "get_global_size", "get_num_groups"};
static const char *const atomic_names[] = {"atomic_add", "atomic_sub", "atomic_or", "atomic_and",
                                           "atomic_xor", "atomic_min", "atomic_max"};

static void print_expr(struct printer *p, const struct expr *e);
static void print_known(struct printer *p, const struct expr *e);

// ---- types --------------------------------------------------------------------------------------

static const char *value_name(enum base base, unsigned lanes)
{
    static char names[BASE_COUNT][17][12];
    char *name = names[base][lanes];
    if (lanes == 1)
        return base_names[base];
    snprintf(name, sizeof names[0][0], "%s%u", base_names[base], lanes);
    return name;
}

static void print_type(struct printer *p, const struct type *t)
{
    switch (t->kind) {
    case TYPE_VALUE:
        str_add(p->out, value_name(t->base, t->lanes));
        break;
    case TYPE_RECORD:
        str_printf(p->out, "%s r%u", t->is_union ? "union" : "struct", t->id);
        break;
    case TYPE_POINTER:
        print_type(p, t->of);
        str_printf(p->out, " %s%s*", t->read_only && t->space != CONSTANT ? "const " : "",
                   space_names[t->space]);
        break;
    case TYPE_MATRIX:
        str_printf(p->out, "m%u_t", t->id);
        break;
    case TYPE_ARRAY:
        assert(!"declared by print_declarator");
        break;
    }
}

static void print_declarator(struct printer *p, const struct type *t, const char *name)
{
    const struct type *element = t;
    while (element->kind == TYPE_ARRAY)
        element = element->of;
    print_type(p, element);
    str_printf(p->out, " %s", name);
    for (; t->kind == TYPE_ARRAY; t = t->of)
        str_printf(p->out, "[%u]", t->count);
}

// ---- expressions --------------------------------------------------------------------------------

static void print_list(struct printer *p, struct expr *const *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        str_add(p->out, i ? ", " : "");
        print_known(p, args[i]);
    }
    str_add(p->out, ")");
}

static void print_literal(struct printer *p, enum base base, uint64_t value)
{
    static const char *const suffixes[] = {"", "", "", "", "", "u", "l", "ul", ".0f", ""};
    const char *suffix = suffixes[base];
    const char *cast = base < INT || base == BOOL ? base_names[base] : NULL;
    if (cast)
        str_printf(p->out, "(%s)", cast);
    if (base == FLOAT)
        value = (uint64_t)(int64_t)lane_float(value);
    if (!base_signed(base))
        str_printf(p->out, "%llu%s", (unsigned long long)value, suffix);
    else if ((int64_t)value >= 0)
        str_printf(p->out, "%lld%s", (long long)value, suffix);
    else if (base == INT || base == LONG) // the smallest value has no literal
        str_printf(p->out, "(-%lld%s - 1)", -((long long)value + 1), suffix);
    else
        str_printf(p->out, "(-%lld%s)", -(long long)value, suffix);
}

// An operand converted to the unsigned form of its type.
static void print_unsigned(struct printer *p, const struct expr *e, const struct type *operand)
{
    const char *to = value_name(base_with_sign(operand->base, false), e->type->lanes);
    str_printf(p->out, e->type->lanes > 1 ? "as_%s(" : "(%s)(", to);
    print_expr(p, e);
    str_add(p->out, ")");
}

static void print_wrapping(struct printer *p, const struct expr *e)
{
    str_printf(p->out, e->operand->lanes > 1 ? "as_%s(" : "(%s)(",
               value_name(e->operand->base, e->operand->lanes));
    if (e->count == 1)
        str_printf(p->out, "(%s)0",
                   value_name(base_with_sign(e->operand->base, false), e->operand->lanes));
    else
        print_unsigned(p, e->args[0], e->operand);
    str_printf(p->out, " %s ", operators[e->op]);
    print_unsigned(p, e->args[e->count - 1], e->operand);
    str_add(p->out, ")");
}

static void print_helper(struct printer *p, enum helper helper, const struct type *t)
{
    if (t->kind == TYPE_MATRIX) {
        assert(t->id < MAX_MATRICES);
        p->matrix_helpers[helper][t->id] = true;
        str_printf(p->out, "%s_m%u(", helper_names[helper], t->id);
        return;
    }
    p->helpers[helper][t->base][t->lanes] = true;
    str_printf(p->out, "%s_%s(", helper_names[helper], value_name(t->base, t->lanes));
}

static void print_raw_binary(struct printer *p, const struct expr *e)
{
    str_add(p->out, "(");
    print_expr(p, e->args[0]);
    str_printf(p->out, " %s ", operators[e->op]);
    print_expr(p, e->args[1]);
    str_add(p->out, ")");
}

static void print_binary(struct printer *p, const struct expr *e)
{
    if (!e->guard) {
        print_raw_binary(p, e);
    } else if (base_is_float(e->operand->base)) {
        print_helper(p, e->op == DIV ? HELP_WHOLE : HELP_EXACT, e->operand);
        print_raw_binary(p, e);
        str_add(p->out, ")");
    } else if (e->op == DIV || e->op == REM) {
        print_helper(p, e->op == DIV ? HELP_DIV : HELP_REM, e->operand);
        print_list(p, e->args, 2);
    } else {
        print_wrapping(p, e);
    }
}

static void print_unary(struct printer *p, const struct expr *e)
{
    if (e->guard) {
        print_wrapping(p, e);
        return;
    }
    str_printf(p->out, "(%s", operators[e->op]);
    print_expr(p, e->args[0]);
    str_add(p->out, ")");
}

// An index, guarded to be below `count`.
static void print_index(struct printer *p, const struct expr *index, bool guard, unsigned count)
{
    str_add(p->out, guard ? "(uint)" : "");
    print_expr(p, index);
    if (guard && (count & (count - 1)) == 0)
        str_printf(p->out, " & %uu", count - 1);
    else if (guard)
        str_printf(p->out, " %% %uu", count);
}

static void print_builtin(struct printer *p, const struct expr *e)
{
    const struct builtin *b = &builtins[e->builtin];
    if (!e->guard)
        str_printf(p->out, "%s(", b->name);
    else if (!strcmp(b->name, "clamp"))
        print_helper(p, HELP_CLAMP, e->type);
    else if (!strcmp(b->name, "mul24"))
        print_helper(p, HELP_MUL24, e->type);
    else if (!strcmp(b->name, "mad24"))
        print_helper(p, HELP_MAD24, e->type);
    else {
        print_helper(p, HELP_EXACT, e->type);
        str_printf(p->out, "%s(", b->name);
    }
    print_list(p, e->args, e->count);
    if (e->guard && e->type->base == FLOAT)
        str_add(p->out, ")");
}

// Limits the components before the conversion, and keeps those that are in range.
static void print_matrix_cast(struct printer *p, const struct expr *e)
{
    enum base from = e->args[0]->type->base, to = e->type->base;
    str_add(p->out, "((");
    print_type(p, e->type);
    str_add(p->out, ")");
    if (e->guard && base_is_float(from))
        print_helper(p, (enum helper)(HELP_EXACT_HALF + (to == HALF ? 0 : to - BRIEF + 1)), e->args[0]->type);
    else if (e->guard)
        print_helper(p, (enum helper)(to == HALF ? HELP_LIMIT_HALF : to < BRIEF ? HELP_LIMIT : HELP_LIMIT_BRIEF + (to - BRIEF)),
                     e->args[0]->type);
    print_expr(p, e->args[0]);
    str_add(p->out, e->guard ? "))" : ")");
}

static void print_cast(struct printer *p, const struct expr *e)
{
    if (e->type->kind == TYPE_MATRIX) {
        print_matrix_cast(p, e);
        return;
    }
    if (e->type->kind == TYPE_VALUE && e->type->base > BOOL) {
        p->narrow_of[e->type->base] = true;
        str_printf(p->out, "%s_of(", base_names[e->type->base]);
        print_list(p, e->args, 1);
        return;
    }
    str_add(p->out, "((");
    print_type(p, e->type);
    str_add(p->out, !e->by_number ? ")" : address_bits == 64 ? ")(ulong)" : ")(uintptr_t)");
    str_add(p->out, e->guard ? "(" : "");
    print_expr(p, e->args[0]);
    if (e->guard)
        str_printf(p->out, " %% %d)", FLOAT_LIMIT);
    str_add(p->out, ")");
}

static void print_lanes(struct printer *p, const struct expr *e)
{
    static const char letters[] = "xyzw";
    unsigned most = 0, sum = 0;
    for (unsigned i = 0; i < e->type->lanes; i++) {
        most = e->lanes[i] > most ? e->lanes[i] : most;
        sum += e->lanes[i];
    }
    print_expr(p, e->args[0]);
    bool xyzw = most < 4 && e->args[0]->type->lanes <= 4 && sum % 2;
    str_add(p->out, xyzw ? "." : ".s");
    for (unsigned i = 0; i < e->type->lanes; i++)
        str_addc(p->out, xyzw ? letters[e->lanes[i]] : "0123456789abcdef"[e->lanes[i]]);
}

static void print_assign(struct printer *p, const struct expr *e)
{
    const struct expr *value = e->args[1];
    str_add(p->out, "(");
    print_expr(p, e->args[0]);
    if (e->compound && !value->guard) {
        str_printf(p->out, " %s= ", operators[value->op]);
        value = value->args[1];
    } else {
        str_add(p->out, " = ");
    }
    print_known(p, value);
    str_add(p->out, ")");
}

static void print_convert(struct printer *p, const struct expr *e)
{
    str_printf(p->out, "convert_%s%s(", value_name(e->type->base, e->type->lanes),
               e->saturate ? "_sat" : "");
    print_expr(p, e->args[0]);
    if (e->guard) // keeps all lanes in range, in the operand's own type
        str_printf(p->out, " %% (%s)%d", base_names[e->args[0]->type->base], FLOAT_LIMIT);
    str_add(p->out, ")");
}

static void print_memory(struct printer *p, const struct expr *e)
{
    bool store = e->kind == E_VSTORE;
    const struct expr *pointer = e->args[store + 1];
    unsigned lanes = store ? e->args[0]->type->lanes : e->type->lanes;
    str_printf(p->out, store ? "vstore%u(" : "vload%u(", lanes);
    if (store) {
        print_expr(p, e->args[0]);
        str_add(p->out, ", ");
    }
    print_index(p, e->args[store], e->guard, pointer->type->count / lanes);
    str_add(p->out, ", ");
    print_expr(p, pointer);
    str_add(p->out, ")");
}

static void print_pair(struct printer *p, const struct expr *e, const char *between)
{
    str_add(p->out, "(");
    print_expr(p, e->args[0]);
    str_add(p->out, between);
    print_expr(p, e->args[1]);
    str_add(p->out, ")");
}

static void print_step(struct printer *p, const struct expr *e)
{
    const char *sign = e->op == ADD ? "++" : "--";
    str_add(p->out, e->before ? sign : "");
    print_expr(p, e->args[0]);
    str_add(p->out, e->before ? "" : sign);
}

// Expressions that access memory.
static bool print_place(struct printer *p, const struct expr *e)
{
    switch (e->kind) {
    case E_INDEX:
        print_expr(p, e->args[0]);
        str_add(p->out, "[");
        print_index(p, e->args[1], e->guard, e->args[0]->type->count);
        str_add(p->out, "]");
        return true;
    case E_LANE_AT:
        print_expr(p, e->args[0]);
        str_add(p->out, "[");
        print_index(p, e->args[1], e->guard, e->args[0]->type->lanes);
        str_add(p->out, "]");
        return true;
    case E_DEREF:
        str_add(p->out, "(*");
        print_expr(p, e->args[0]);
        str_add(p->out, ")");
        return true;
    case E_FIELD:
    case E_ARROW:
        print_expr(p, e->args[0]);
        const struct type *record = e->kind == E_ARROW ? e->args[0]->type->of : e->args[0]->type;
        str_printf(p->out, "%s%s", e->kind == E_ARROW ? "->" : ".", record->fields[e->number].name);
        return true;
    case E_ADDRESS:
        str_add(p->out, "(&");
        print_expr(p, e->args[0]);
        str_add(p->out, ")");
        return true;
    case E_OFFSET:
        str_add(p->out, "(");
        print_expr(p, e->args[0]);
        str_add(p->out, " + ");
        str_add(p->out, e->guard ? "(" : "");
        print_index(p, e->args[1], e->guard, e->args[0]->type->count - e->type->count + 1);
        str_add(p->out, e->guard ? "))" : ")");
        return true;
    default:
        return false;
    }
}

static void print_call_like(struct printer *p, const struct expr *e)
{
    switch (e->kind) {
    case E_AS:
        str_printf(p->out, "as_%s(", value_name(e->type->base, e->type->lanes));
        break;
    case E_VECTOR:
        str_printf(p->out, "((%s)(", value_name(e->type->base, e->type->lanes));
        break;
    case E_SHUFFLE:
        str_add(p->out, e->count == 3 ? "shuffle2(" : "shuffle(");
        break;
    case E_ATOMIC:
        str_printf(p->out, "%s(", atomic_names[e->builtin]);
        break;
    case E_CALL:
        str_printf(p->out, "%s(", e->callee->name);
        break;
    default:
        assert(!"an expression");
    }
    print_list(p, e->args, e->count);
    str_add(p->out, e->kind == E_VECTOR ? ")" : "");
}

// ---- matrices -----------------------------------------------------------------------------------

static void print_layout(struct printer *p, const struct expr *e)
{
    static const char *const layouts[] = {"ROW_MAJOR", "COLUMN_MAJOR"};
    str_printf(p->out, ", CLK_COOPERATIVE_MATRIX_LAYOUT_%s, ", layouts[e->number]);
    print_expr(p, e->args[e->count - 1]);
    str_add(p->out, ")");
}

// An expression in a context that determines its type.
static void print_known(struct printer *p, const struct expr *e)
{
    if (e->kind == E_LOAD) {
        str_add(p->out, "coop_mat_load(");
        print_expr(p, e->args[0]);
        print_layout(p, e);
    } else if (e->kind == E_SPLAT && !e->before) {
        str_add(p->out, "coop_mat_init(");
        print_expr(p, e->args[0]);
        str_add(p->out, ")");
    } else {
        print_expr(p, e);
    }
}

static void print_store(struct printer *p, const struct expr *e)
{
    str_add(p->out, "coop_mat_store(");
    print_expr(p, e->args[0]);
    str_add(p->out, ", ");
    print_expr(p, e->args[1]);
    print_layout(p, e);
}

static void print_product(struct printer *p, const struct expr *e)
{
    static const char *const names[] = {"MATRIX_A_SIGNED", "MATRIX_B_SIGNED", "MATRIX_C_SIGNED", "MATRIX_RESULT_SIGNED",
                                        "SATURATING_ACCUMULATION"};
    bool floats = base_is_float(e->type->base);
    unsigned flags = e->guard ? e->number & ~(unsigned)PRODUCT_SATURATING : e->number;
    str_add(p->out, e->before ? "coop_matmul_add(" : "coop_mat_mulAdd(");
    for (unsigned i = 0; i < 3; i++) {
        str_add(p->out, i ? ", " : "");
        if (e->guard && floats)
            print_helper(p, e->type->base == BRIEF ? HELP_CUT_TO_ONE : HELP_CUT, e->args[i]->type);
        print_expr(p, e->args[i]);
        str_add(p->out, e->guard && floats ? ")" : "");
    }
    if (e->before && !flags)
        str_add(p->out, ", CLK_COOPERATIVE_MATRIX_OPERAND_NONE");
    for (unsigned i = 0, n = 0; i < 5; i++)
        if (flags >> i & 1)
            str_printf(p->out, "%sCLK_COOPERATIVE_MATRIX_OPERAND_%s", n++ ? " | " : ", ", names[i]);
    str_add(p->out, ")");
}

// for (uint q = 0; q < coop_mat_length(m); q++) m[q] = x
static void print_each(struct printer *p, const struct expr *e)
{
    str_add(p->out, "for (uint q = 0; q < coop_mat_length(");
    print_expr(p, e->args[0]->args[0]);
    str_add(p->out, "); q++)\n");
    str_printf(p->out, "%*s", (int)(p->indent + 1) * 4, "");
    print_assign(p, e);
    str_add(p->out, ";");
}

// An expression in a context that does not determine its type.
static void print_open(struct printer *p, const struct expr *e)
{
    str_add(p->out, "((");
    print_type(p, e->type);
    str_add(p->out, ")");
    print_known(p, e);
    str_add(p->out, ")");
}

static bool print_matrix(struct printer *p, const struct expr *e)
{
    switch (e->kind) {
    case E_COMPONENT:
        print_expr(p, e->args[0]);
        str_add(p->out, "[q]");
        return true;
    case E_SPLAT:
        if (!e->before) {
            print_open(p, e);
            return true;
        }
        str_add(p->out, "((");
        print_type(p, e->type);
        str_add(p->out, ")(");
        print_expr(p, e->args[0]);
        str_add(p->out, "))");
        return true;
    case E_LOAD:
        print_open(p, e);
        return true;
    case E_STORE:
        print_store(p, e);
        return true;
    case E_PRODUCT:
        print_product(p, e);
        return true;
    default:
        return false;
    }
}

// ---- all expressions ----------------------------------------------------------------------------

static void print_expr(struct printer *p, const struct expr *e)
{
    if (print_place(p, e) || print_matrix(p, e))
        return;
    switch (e->kind) {
    case E_LITERAL:
        print_literal(p, e->type->base, e->literal);
        break;
    case E_VAR:
        str_add(p->out, e->var->name);
        break;
    case E_LANES:
        print_lanes(p, e);
        break;
    case E_UNARY:
        print_unary(p, e);
        break;
    case E_BINARY:
        print_binary(p, e);
        break;
    case E_LOGIC:
        print_pair(p, e, e->op == AND ? " && " : " || ");
        break;
    case E_COMMA:
        print_pair(p, e, ", ");
        break;
    case E_DISTANCE:
        print_pair(p, e, " - ");
        break;
    case E_SAME:
        print_pair(p, e, e->op == EQ ? " == " : " != ");
        break;
    case E_CHOICE:
        str_add(p->out, "(");
        print_expr(p, e->args[0]);
        str_add(p->out, " ? ");
        print_expr(p, e->args[1]);
        str_add(p->out, " : ");
        print_expr(p, e->args[2]);
        str_add(p->out, ")");
        break;
    case E_CAST:
        print_cast(p, e);
        break;
    case E_CONVERT:
        print_convert(p, e);
        break;
    case E_BUILTIN:
        print_builtin(p, e);
        break;
    case E_VLOAD:
    case E_VSTORE:
        print_memory(p, e);
        break;
    case E_ITEM:
        str_printf(p->out, "%s(%u)", item_functions[e->builtin], e->number);
        break;
    case E_SIZEOF:
        str_add(p->out, "sizeof(");
        print_declarator(p, e->operand, "");
        str_add(p->out, ")");
        break;
    case E_ASSIGN:
        print_assign(p, e);
        break;
    case E_STEP:
        print_step(p, e);
        break;
    default:
        print_call_like(p, e);
        break;
    }
}

// ---- statements ---------------------------------------------------------------------------------

static void print_stmts(struct printer *p, const struct stmts *list);

static void line(struct printer *p)
{
    str_printf(p->out, "%*s", (int)p->indent * 4, "");
}

// The values of an initializer with braces as the type has them; false: there are no more values.
static bool print_init(struct printer *p, const struct type *t, struct expr *const *inits,
                       size_t count, size_t *at)
{
    if (t->kind == TYPE_VALUE || t->kind == TYPE_POINTER || t->kind == TYPE_MATRIX) {
        print_known(p, inits[(*at)++]);
        return *at < count;
    }
    unsigned parts = t->kind == TYPE_ARRAY ? t->count : t->is_union ? 1 : t->field_count;
    bool more = true;
    str_add(p->out, "{");
    for (unsigned i = 0; more && i < parts; i++) {
        str_add(p->out, i ? ", " : "");
        more = print_init(p, t->kind == TYPE_ARRAY ? t->of : t->fields[i].type, inits, count, at);
    }
    str_add(p->out, "}");
    return more;
}

static void print_decl(struct printer *p, const struct stmt *s)
{
    size_t at = 0;
    if (s->var->place == PLACE_GROUP)
        str_add(p->out, "local ");
    if (s->var->place == PLACE_PROGRAM)
        str_add(p->out, "constant ");
    print_declarator(p, s->var->type, s->var->name);
    if (s->inits.count == 1 && s->inits.items[0]->type->kind == TYPE_RECORD) {
        str_add(p->out, " = ");
        print_expr(p, s->inits.items[0]);
    } else if (s->inits.count) {
        str_add(p->out, " = ");
        print_init(p, s->var->type, s->inits.items, s->inits.count, &at);
    }
    str_add(p->out, ";");
}

static void print_block(struct printer *p, const struct stmts *list)
{
    str_add(p->out, "{\n");
    p->indent++;
    print_stmts(p, list);
    p->indent--;
    line(p);
    str_add(p->out, "}");
}

static void print_head(struct printer *p, const char *word, const struct expr *e)
{
    str_printf(p->out, "%s (", word);
    print_expr(p, e);
    str_add(p->out, ") ");
}

static void print_for(struct printer *p, const struct stmt *s)
{
    str_add(p->out, "for (");
    if (s->first)
        print_decl(p, s->first);
    else
        str_add(p->out, ";");
    str_add(p->out, " ");
    print_expr(p, s->e);
    str_add(p->out, "; ");
    if (s->step)
        print_expr(p, s->step);
    str_add(p->out, ") ");
    print_block(p, &s->body);
}

static void print_stmt(struct printer *p, const struct stmt *s)
{
    switch (s->kind) {
    case S_EXPR:
        print_expr(p, s->e);
        str_add(p->out, ";");
        break;
    case S_DECL:
        print_decl(p, s);
        break;
    case S_IF:
        print_head(p, "if", s->e);
        print_block(p, &s->body);
        if (s->other.count) {
            str_add(p->out, " else ");
            print_block(p, &s->other);
        }
        break;
    case S_WHILE:
        print_head(p, "while", s->e);
        print_block(p, &s->body);
        break;
    case S_DO:
        str_add(p->out, "do ");
        print_block(p, &s->body);
        print_head(p, " while", s->e);
        str_add(p->out, ";");
        break;
    case S_FOR:
        print_for(p, s);
        break;
    case S_SWITCH:
        print_head(p, "switch", s->e);
        print_block(p, &s->body);
        break;
    case S_CASE:
        str_printf(p->out, "case %d:;", s->number);
        break;
    case S_DEFAULT:
        str_add(p->out, "default:;");
        break;
    case S_LABEL:
        str_printf(p->out, "L%d:;", s->number);
        break;
    case S_GOTO:
        str_printf(p->out, "goto L%d;", s->number);
        break;
    case S_BREAK:
        str_add(p->out, "break;");
        break;
    case S_CONTINUE:
        str_add(p->out, "continue;");
        break;
    case S_RETURN:
        str_add(p->out, s->e ? "return " : "return");
        if (s->e)
            print_known(p, s->e);
        str_add(p->out, ";");
        break;
    case S_BLOCK:
        print_block(p, &s->body);
        break;
    case S_EACH:
        print_each(p, s->e);
        break;
    case S_BARRIER:
        str_add(p->out, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
        break;
    }
}

static void print_stmts(struct printer *p, const struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->removed)
            continue;
        line(p);
        print_stmt(p, list->items[i]);
        str_add(p->out, "\n");
    }
}

// ---- the program --------------------------------------------------------------------------------

static void print_record(struct printer *p, const struct type *t)
{
    print_type(p, t);
    str_add(p->out, " {");
    for (unsigned i = 0; i < t->field_count; i++) {
        str_add(p->out, " ");
        print_declarator(p, t->fields[i].type, t->fields[i].name);
        str_add(p->out, ";");
    }
    str_add(p->out, t->packed ? " } __attribute__((packed));\n" : " };\n");
}

static void print_function(struct printer *p, const struct function *f, bool kernel)
{
    str_add(p->out, kernel ? "kernel " : f->no_inline ? "__attribute__((noinline)) " : "");
    if (f->result)
        print_type(p, f->result);
    else
        str_add(p->out, "void");
    str_printf(p->out, " %s(", f->name);
    for (size_t i = 0; i < f->params.count; i++) {
        str_add(p->out, i ? ", " : "");
        print_declarator(p, f->params.items[i]->type, f->params.items[i]->name);
    }
    str_add(p->out, f->params.count ? ")\n" : "void)\n");
    print_block(p, &f->body);
    str_add(p->out, "\n");
}

static void print_helper_body(struct str *out, enum helper helper, enum base base, unsigned lanes)
{
    const char *t = value_name(base, lanes), *name = helper_names[helper];
    switch (helper) {
    case HELP_DIV:
    case HELP_REM: {
        char op = helper == HELP_DIV ? '/' : '%';
        str_printf(out, "%s %s_%s(%s a, %s b) { ", t, name, t, t, t);
        str_printf(out,
                   lanes > 1 ? "b = select(b, (%s)1, b == (%s)0);" : "b = b == (%s)0 ? (%s)1 : b;",
                   t, t);
        if (base_signed(base)) {
            str_printf(out, " %s least = (%s)1 << (%s)%u;", t, t, t, base_bits[base] - 1);
            str_printf(out,
                       lanes > 1 ? " b = select(b, (%s)1, (b == (%s)-1) & (a == least));"
                                 : " b = b == (%s)-1 && a == least ? (%s)1 : b;",
                       lanes > 1 ? t : t, t);
        }
        str_printf(out, " return a %c b; }\n", op);
        break;
    }
    case HELP_CLAMP:
        str_printf(out, "%s %s_%s(%s x, %s a, %s b) { return clamp(x, min(a, b), max(a, b)); }\n",
                   t, name, t, t, t, t);
        break;
    case HELP_MUL24:
        str_printf(out, "%s %s_%s(%s a, %s b) { return mul24((a << 8) >> 8, (b << 8) >> 8); }\n", t,
                   name, t, t, t);
        break;
    case HELP_MAD24:
        str_printf(
            out, "%s %s_%s(%s a, %s b, %s c) { return mad24((a << 8) >> 8, (b << 8) >> 8, c); }\n",
            t, name, t, t, t, t);
        break;
    case HELP_WHOLE:
        str_printf(out, "%s %s_%s(%s x) { ", t, name, t, t);
        str_printf(out, "%s whole = fabs(x) < %d.0f && trunc(x) == x; ",
                   value_name(INT, lanes), FLOAT_LIMIT);
        str_printf(out,
                   lanes > 1 ? "return select(select(select((%s)1, x, whole), (%s)2, isinf(x)), "
                               "(%s)3, isnan(x)); }\n"
                             : "return isnan(x) ? (%s)3 : isinf(x) ? (%s)2 : whole ? x : (%s)1; }\n",
                   t, t, t);
        break;
    default:
        str_printf(out, "%s %s_%s(%s x) { return fabs(x) < %d.0f ? x : (%s)1; }\n", t, name, t, t,
                   FLOAT_LIMIT, t);
        break;
    }
}

// A helper for all components: m3_t cut_m3(m3_t a) { for (...) a[q] = ...; return a; }
static void print_matrix_helper(struct str *out, enum helper helper, const struct type *t)
{
    const char *base = base_names[t->base];
    bool two = helper == HELP_DIV;
    static const enum base all_to[HELPER_COUNT] = {[HELP_LIMIT_HALF] = HALF, [HELP_EXACT_HALF] = HALF,   [HELP_LIMIT_BRIEF] = BRIEF,
                                                   [HELP_EXACT_BRIEF] = BRIEF, [HELP_LIMIT_E4M3] = E4M3, [HELP_EXACT_E4M3] = E4M3,
                                                   [HELP_LIMIT_E5M2] = E5M2, [HELP_EXACT_E5M2] = E5M2};
    int limit = (int)lane_limit(all_to[helper] ? all_to[helper] : t->base);
    str_printf(out, "m%u_t %s_m%u(m%u_t a", t->id, helper_names[helper], t->id, t->id);
    if (two)
        str_printf(out, ", m%u_t b", t->id);
    str_printf(out, ") { for (uint q = 0; q < coop_mat_length(a); q++) { %s x = %s[q]; ", base, two ? "b" : "a");
    switch (helper) {
    case HELP_DIV:
        str_printf(out, "b[q] = x == 0");
        if (base_signed(t->base))
            str_printf(out, " || (x == -1 && a[q] == (%s)((%s)1 << %u))", base, base, base_bits[t->base] - 1);
        str_printf(out, " ? (%s)1 : x; } return a / b; }\n", base);
        return;
    case HELP_LIMIT:
    case HELP_LIMIT_HALF:
    case HELP_LIMIT_BRIEF:
    case HELP_LIMIT_E4M3:
    case HELP_LIMIT_E5M2:
        str_printf(out, "a[q] = (%s)(x %% %d)", base, limit);
        break;
    case HELP_WHOLE:
        str_printf(out, "a[q] = isnan(x) ? (%s)3 : isinf(x) ? (%s)2 : fabs(x) < (%s)%d && trunc(x) == x ? x : (%s)1", base, base,
                   base, limit, base);
        break;
    case HELP_CUT_TO_ONE:
        str_printf(out, "a[q] = fabs(x) <= 1 ? x : x > 0 ? (%s)1 : (%s)-1", base, base);
        break;
    case HELP_CUT:
        str_printf(out, "a[q] = fabs(x) <= (%s)%d ? x : x > 0 ? (%s)3 : (%s)-2", base, CUT_LIMIT, base, base);
        break;
    default:
        str_printf(out, "a[q] = fabs(x) < (%s)%d ? x : (%s)1", base, limit, base);
        break;
    }
    str_add(out, "; } return a; }\n");
}

static void print_matrix_types(const struct program *program, const bool *narrow_of, struct str *out)
{
    static const char *const uses[] = {"A", "B", "ACCUMULATOR"};
    bool has[BASE_COUNT] = {false};
    for (size_t i = 0; i < program->matrices.count; i++)
        has[program->matrices.items[i]->base] = true;
    if (has[HALF] || narrow_of[HALF])
        str_add(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (has[DOUBLE] || narrow_of[DOUBLE])
        str_add(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    for (enum base base = HALF; base < BASE_COUNT; base++)
        if (narrow_of[base])
            str_printf(out, "%s %s_of(float x) { return fabs(x) < %d ? (%s)x : (%s)1; }\n", base_names[base], base_names[base],
                       (int)lane_limit(base), base_names[base], base_names[base]);
    for (size_t i = 0; i < program->matrices.count; i++) {
        const struct type *t = program->matrices.items[i];
        str_printf(out, "typedef %s m%u_t __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, %u, %u, "
                        "CLK_COOPERATIVE_MATRIX_%s)));\n", base_names[t->base], t->id, t->rows, t->columns, uses[t->use]);
    }
}

void print_program(const struct program *program, struct str *out)
{
    struct str body;
    str_init(&body, program->arena);
    struct printer *p = ARENA_NEW(program->arena, struct printer);
    p->program = program;
    p->out = &body;
    for (size_t i = 0; i < program->records.count; i++)
        print_record(p, program->records.items[i]);
    for (size_t i = 0; i < program->matrix_records.count; i++)
        print_record(p, program->matrix_records.items[i]);
    print_stmts(p, (const struct stmts *)&program->constant_decls);
    for (size_t i = 0; i < program->functions.count; i++) {
        str_add(p->out, "\n");
        print_function(p, program->functions.items[i], i + 1 == program->functions.count);
    }
    print_matrix_types(program, p->narrow_of, out);
    for (unsigned helper = 0; helper < HELPER_COUNT; helper++)
        for (size_t i = 0; i < program->matrices.count; i++)
            if (p->matrix_helpers[helper][i])
                print_matrix_helper(out, (enum helper)helper, program->matrices.items[i]);
    for (unsigned helper = 0; helper < HELPER_COUNT; helper++)
        for (unsigned base = 0; base < BASE_COUNT; base++)
            for (unsigned lanes = 1; lanes <= 16; lanes++)
                if (p->helpers[helper][base][lanes])
                    print_helper_body(out, (enum helper)helper, (enum base)base, lanes);
    str_addn(out, body.text, body.length);
}
