// SPDX-License-Identifier: Apache-2.0
// The AST as text for tests: one node a line, children indented, types in brackets.
#include "ast/ast.h"
#include "ast/types.h"
#include "util/stack.h"
#include "util/str.h"

struct dump {
    struct str *out;
    unsigned indent;
};

static const char *const expr_names[] = {
    [EXPR_ERROR] = "error", [EXPR_CONST] = "const", [EXPR_STRING] = "string", [EXPR_OBJECT] = "object",
    [EXPR_FUNCTION] = "function", [EXPR_BUILTIN_NAME] = "builtin-name", [EXPR_LOAD] = "load",
    [EXPR_DECAY] = "decay", [EXPR_DEREF] = "deref", [EXPR_ADDRESS] = "address", [EXPR_MEMBER] = "member",
    [EXPR_SWIZZLE] = "swizzle", [EXPR_LANE] = "lane", [EXPR_UNARY] = "unary", [EXPR_BINARY] = "binary",
    [EXPR_LOGICAL] = "logical", [EXPR_PTR_ADD] = "ptr-add", [EXPR_PTR_DIFF] = "ptr-diff",
    [EXPR_ASSIGN] = "assign", [EXPR_ASSIGN_OP] = "assign-op", [EXPR_INCDEC] = "incdec", [EXPR_COND] = "cond",
    [EXPR_VECTOR_COND] = "vector-cond", [EXPR_COMMA] = "comma", [EXPR_CAST] = "cast", [EXPR_CALL] = "call",
    [EXPR_BUILTIN] = "builtin", [EXPR_VECTOR] = "vector", [EXPR_COMPOUND] = "compound-literal",
    [EXPR_STATEMENT] = "statement-expr", [EXPR_SHUFFLE] = "shuffle", [EXPR_WITH] = "with", [EXPR_ONCE] = "once",
    [EXPR_GIVEN] = "given", [EXPR_MATRIX] = "matrix",
    [EXPR_BLOCK] = "block",
    [EXPR_ENQUEUE] = "enqueue",
};

static const char *const op_names[] = {
    [EXPR_OP_NEG] = "-", [EXPR_OP_NOT] = "~", [EXPR_OP_LNOT] = "!", [EXPR_OP_ADD] = "+", [EXPR_OP_SUB] = "-",
    [EXPR_OP_MUL] = "*", [EXPR_OP_DIV] = "/", [EXPR_OP_REM] = "%", [EXPR_OP_SHL] = "<<", [EXPR_OP_SHR] = ">>",
    [EXPR_OP_AND] = "&", [EXPR_OP_OR] = "|", [EXPR_OP_XOR] = "^", [EXPR_OP_EQ] = "==", [EXPR_OP_NE] = "!=",
    [EXPR_OP_LT] = "<", [EXPR_OP_LE] = "<=", [EXPR_OP_GT] = ">", [EXPR_OP_GE] = ">=", [EXPR_OP_LAND] = "&&",
    [EXPR_OP_LOR] = "||",
};

static const char *const stmt_names[] = {
    [STMT_NULL] = "null", [STMT_EXPR] = "expr", [STMT_DECL] = "decl", [STMT_COMPOUND] = "compound",
    [STMT_IF] = "if", [STMT_WHILE] = "while", [STMT_DO] = "do", [STMT_FOR] = "for", [STMT_SWITCH] = "switch",
    [STMT_CASE] = "case", [STMT_BREAK] = "break", [STMT_CONTINUE] = "continue", [STMT_RETURN] = "return",
    [STMT_LABEL] = "label", [STMT_GOTO] = "goto",
};

static void dump_expr(struct dump *d, const struct expr *expr);
static void dump_stmt(struct dump *d, const struct stmt *stmt);

static void begin(struct dump *d)
{
    str_printf(d->out, "%*s", (int)d->indent * 2, "");
}

static void add_type(struct dump *d, struct qtype type)
{
    str_add(d->out, " [");
    type_print(d->out, type);
    if (type.space == SPACE_LOCAL)
        str_add(d->out, " in local");
    else if (type.space == SPACE_GLOBAL)
        str_add(d->out, " in global");
    else if (type.space == SPACE_CONSTANT)
        str_add(d->out, " in constant");
    if (type.low_align)
        str_printf(d->out, " align %u", (unsigned)qtype_align(type));
    str_add(d->out, "]");
}

static void dump_init(struct dump *d, const struct init *init)
{
    stack_check();
    begin(d);
    str_printf(d->out, "init%s\n", init->zero_first ? " zero-first" : "");
    d->indent++;
    for (uint32_t i = 0; i < init->count; i++) {
        begin(d);
        str_printf(d->out, "at %llu\n", (unsigned long long)init->entries[i].offset);
        d->indent++;
        dump_expr(d, init->entries[i].value);
        d->indent--;
    }
    d->indent--;
}

static void add_details(struct dump *d, const struct expr *expr)
{
    static const char lane_names[] = "0123456789abcdef";
    switch (expr->kind) {
    case EXPR_CONST:
        for (unsigned i = 0; i < type_lanes(expr->type.type); i++)
            str_printf(d->out, " 0x%llx", (unsigned long long)expr->lanes[i]);
        break;
    case EXPR_CALL: case EXPR_BLOCK:
        str_printf(d->out, " %s", expr->decl->link_name);
        break;
    case EXPR_OBJECT: case EXPR_FUNCTION:
        str_printf(d->out, " %s", expr->decl ? expr->decl->name : "?");
        break;
    case EXPR_BUILTIN_NAME:
        str_printf(d->out, " %s", expr->builtin_name);
        break;
    case EXPR_BUILTIN:
        str_printf(d->out, " %s", expr->builtin->name);
        break;
    case EXPR_MEMBER:
        str_printf(d->out, " %s+%llu", expr->field->name ? expr->field->name : "(anonymous)",
                   (unsigned long long)expr->field->offset);
        break;
    case EXPR_SWIZZLE:
        str_add(d->out, " s");
        for (unsigned i = 0; i < expr->lane_count; i++)
            str_addc(d->out, expr->lane[i] & LANE_ABSENT ? '_' : lane_names[expr->lane[i]]);
        break;
    case EXPR_SHUFFLE:
        for (unsigned i = 0; i < expr->lane_count; i++)
            str_printf(d->out, " %u", expr->lane[i]);
        break;
    case EXPR_UNARY: case EXPR_BINARY: case EXPR_LOGICAL: case EXPR_ASSIGN_OP:
        str_printf(d->out, " %s", op_names[expr->op]);
        break;
    case EXPR_MATRIX:
        str_printf(d->out, " %s %u", ((const char *const[]){"load", "store", "muladd", "length"})[expr->matrix_op],
                   expr->matrix_flags);
        break;
    case EXPR_ENQUEUE:
        str_printf(d->out, " %u", expr->enqueue);
        break;
    case EXPR_INCDEC:
        str_printf(d->out, " %s%s", expr->prefix ? "prefix " : "", expr->increment > 0 ? "++" : "--");
        break;
    default:
        break;
    }
}

static void dump_expr(struct dump *d, const struct expr *expr)
{
    stack_check();
    begin(d);
    str_add(d->out, expr_names[expr->kind]);
    add_details(d, expr);
    add_type(d, expr->type);
    if (expr->lvalue)
        str_add(d->out, " lvalue");
    str_addc(d->out, '\n');
    d->indent++;
    const struct expr *a = expr->kind == EXPR_WITH ? expr->a->a : expr->kind == EXPR_ONCE ? NULL : expr->a;
    if (a)
        dump_expr(d, a);
    if (expr->b)
        dump_expr(d, expr->b);
    if (expr->c)
        dump_expr(d, expr->c);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        dump_expr(d, expr->args[i]);
    if (expr->kind == EXPR_COMPOUND)
        dump_init(d, expr->init);
    if (expr->kind == EXPR_STATEMENT)
        dump_stmt(d, expr->body);
    d->indent--;
}

static void dump_variable(struct dump *d, const struct decl *decl)
{
    begin(d);
    str_printf(d->out, "variable %s", decl->name);
    add_type(d, decl->type);
    if (decl->attributes.aligned)
        str_printf(d->out, " aligned %u", (unsigned)decl->attributes.aligned);
    str_addc(d->out, '\n');
    d->indent++;
    if (decl->init)
        dump_init(d, decl->init);
    d->indent--;
}

static void add_stmt_details(struct dump *d, const struct stmt *stmt)
{
    if (stmt->kind == STMT_CASE && stmt->is_default)
        str_add(d->out, " default");
    else if (stmt->kind == STMT_CASE)
        str_printf(d->out, " %llu", (unsigned long long)stmt->value);
    if (stmt->label)
        str_printf(d->out, " %s", stmt->label->name);
    if (stmt->unroll)
        str_printf(d->out, " unroll %d", (int)stmt->unroll);
    str_addc(d->out, '\n');
}

static void dump_stmt(struct dump *d, const struct stmt *stmt)
{
    stack_check();
    begin(d);
    str_add(d->out, stmt_names[stmt->kind]);
    add_stmt_details(d, stmt);
    d->indent++;
    for (const struct stmt *at = stmt->first; at; at = at->next)
        dump_stmt(d, at);
    for (uint32_t i = 0; i < stmt->decl_count; i++)
        dump_variable(d, stmt->decls[i]);
    if (stmt->expr)
        dump_expr(d, stmt->expr);
    if (stmt->step)
        dump_expr(d, stmt->step);
    if (stmt->body)
        dump_stmt(d, stmt->body);
    if (stmt->else_body) {
        d->indent--;
        begin(d);
        str_add(d->out, "else\n");
        d->indent++;
        dump_stmt(d, stmt->else_body);
    }
    d->indent--;
}

static void add_sizes(struct dump *d, const char *name, const uint32_t sizes[3])
{
    str_printf(d->out, " %s(%u,%u,%u)", name, (unsigned)sizes[0], (unsigned)sizes[1], (unsigned)sizes[2]);
}

static void dump_function(struct dump *d, const struct decl *decl)
{
    str_printf(d->out, "%s %s", decl->is_kernel ? "kernel" : "function", decl->link_name);
    add_type(d, decl->type.type->elem);
    if (decl->attributes.has_reqd)
        add_sizes(d, "reqd_work_group_size", decl->attributes.reqd_work_group_size);
    if (decl->attributes.has_hint)
        add_sizes(d, "work_group_size_hint", decl->attributes.work_group_size_hint);
    str_addc(d->out, '\n');
    d->indent++;
    for (uint32_t i = 0; i < decl->param_count; i++) {
        begin(d);
        str_printf(d->out, "parameter %s", decl->params[i]->name ? decl->params[i]->name : "(unnamed)");
        add_type(d, decl->params[i]->type);
        str_addc(d->out, '\n');
    }
    dump_stmt(d, decl->body);
    d->indent--;
}

void ast_dump(struct str *out, const struct unit *unit)
{
    struct dump d = {.out = out};
    for (size_t i = 0; i < unit->variables.count; i++)
        if (unit->variables.items[i]->file_scope)
            dump_variable(&d, unit->variables.items[i]);
    for (size_t i = 0; i < unit->functions.count; i++)
        dump_function(&d, unit->functions.items[i]);
}
