// SPDX-License-Identifier: Apache-2.0
// Statements and function bodies.
//
// Lists, else-if chains and rows of case labels are parsed in loops, not by recursion: generated sources have
// thousands.
#include "ast/parse.h"

static struct stmt *new_stmt(struct parser *p, enum stmt_kind kind)
{
    struct stmt *stmt = ARENA_NEW(p->ast->arena, struct stmt);
    stmt->kind = kind;
    stmt->loc = p->at->loc;
    return stmt;
}

static struct stmt *parse_statement(struct parser *p);

// The body of if, for ... has a scope of its own, even without braces.
static struct stmt *parse_body(struct parser *p)
{
    scope_push(p->ast);
    p->blocks++;
    struct stmt *body = parse_statement(p);
    p->blocks--;
    scope_pop(p->ast);
    if (body->kind == STMT_DECL)
        diag_error(p->ast->diag, body->loc, "expected expression");
    return body;
}

// `loc`: place of the statement, for errors about its condition.
static struct expr *parse_condition(struct parser *p, const char *after, struct loc loc)
{
    struct expr *condition = sema_error(p->ast, p->at->loc);
    if (!parse_expect(p, TOK_LPAREN, after))
        return condition;
    condition = parse_full_expression(p);
    parse_close_header(p);
    return sema_condition(p->ast, condition, loc);
}

// ---- selection -------------------------------------------------------------------------------------

static struct stmt *parse_if(struct parser *p)
{
    struct stmt *first = NULL, **link = &first;
    uint32_t chain = 0;
    bool ends = true; // all bodies end with a jump
    for (;;) {
        struct stmt *stmt = *link = new_stmt(p, STMT_IF);
        if (++chain > PARSE_MAX_CHAIN)
            diag_fatal(p->ast->diag, stmt->loc, "more than %d 'else if' in a row", PARSE_MAX_CHAIN);
        parse_next(p);
        stmt->expr = parse_condition(p, "after 'if'", stmt->loc);
        if (p->panic)
            return first;
        if (parse_is(p, TOK_SEMICOLON) && p->at[1].kind != TOK_ELSE && p->at->loc.line == p->prev->loc.line)
            diag_warning(p->ast->diag, p->at->loc, "if statement has empty body");
        const struct token *inner = parse_is(p, TOK_IF) ? p->at : NULL;
        bool dead = p->ast->dead;
        int outcome = sema_outcome(p->ast, stmt->expr);
        p->ast->dead |= outcome == 0;
        stmt->body = parse_body(p);
        ends &= p->ast->dead;
        p->ast->dead = dead || outcome == 1;
        if (inner && stmt->body->kind == STMT_IF && stmt->body->else_body)
            diag_warning(p->ast->diag, p->last_else, "add explicit braces to avoid dangling else");
        if (!parse_is(p, TOK_ELSE)) {
            p->ast->dead &= ends;
            return first;
        }
        p->last_else = p->at->loc;
        parse_next(p);
        link = &stmt->else_body;
        if (parse_is(p, TOK_IF))
            continue;
        stmt->else_body = parse_body(p);
        p->ast->dead &= ends;
        return first;
    }
}

static bool has_case(const struct parse_switch *in, uint64_t value)
{
    unsigned unused = 64 - type_bits(in->type);
    value = value << unused >> unused;
    return value ? map_get(&in->cases, (const void *)(uintptr_t)value) != NULL : in->zero_case != NULL;
}

// Warns about enumerators without a case in a switch without default.
static void warn_missing(struct parser *p, const struct parse_switch *in, const struct type *type, struct loc loc)
{
    enum { SHOWN = 3 };
    struct str names;
    uint32_t missing = 0;
    if (type->kind != TYPE_ENUM || in->default_case)
        return;
    str_init(&names, p->ast->arena);
    for (uint32_t i = 0; i < type->enumerator_count; i++)
        if (!has_case(in, type->enumerators[i]->value) && ++missing <= SHOWN)
            str_printf(&names, "%s'%s'", missing > 1 ? ", " : "", type->enumerators[i]->name);
    if (missing)
        diag_warning(p->ast->diag, loc, "%u enumeration value%s not handled in switch: %s%s", missing,
                     missing > 1 ? "s" : "", names.text, missing > SHOWN ? "..." : "");
}

// Warns if a switch over a constant has no matching case.
static void warn_no_case(struct parser *p, const struct parse_switch *in, struct loc loc)
{
    const struct expr *value = in->stmt->expr;
    uint64_t bits;
    if (!in->default_case && !sema_is_error(value) && const_eval_int(p->ast, value, &bits, NULL) &&
        !has_case(in, bits))
        sema_warn_no_case(p->ast, value, bits, loc);
}

// Warns about a ';' right after the ')' if the next statement looks like the intended body.
static void warn_empty_body(struct parser *p, const struct stmt *stmt, struct loc close, const char *what)
{
    const struct stmt *body = stmt->body;
    bool same_line = body && body->kind == STMT_NULL && body->loc.line == close.line && !close.in_macro;
    bool typo = parse_is(p, TOK_LBRACE) || (p->at->loc.column > stmt->loc.column && !parse_is(p, TOK_RBRACE));
    if (same_line && (stmt->kind == STMT_SWITCH || typo))
        diag_warning(p->ast->diag, body->loc, "%s has empty body", what);
}

static struct stmt *parse_switch(struct parser *p)
{
    struct ast *ast = p->ast;
    struct stmt *stmt = new_stmt(p, STMT_SWITCH);
    struct parse_switch context = {.stmt = stmt, .outer = p->in_switch, .dead = ast->dead};
    parse_next(p);
    if (!parse_expect(p, TOK_LPAREN, "after 'switch'"))
        return stmt;
    struct loc loc = stmt->loc, start = p->at->loc;
    struct expr *value = sema_value(ast, parse_full_expression(p));
    struct type *type = value->type.type;
    parse_close_header(p);
    struct loc close = p->prev->loc, value_loc = value->parenthesized ? start : sema_place(value);
    if (type->kind == TYPE_BOOL || sema_is_truth(value))
        diag_warning(ast->diag, loc, "switch condition has boolean value");
    if (!sema_is_error(value) && !type_is_integer(value->type.type)) {
        diag_error(ast->diag, loc, "statement requires expression of integer type ('%s' invalid)",
                   type_name(ast->arena, value->type));
        value = sema_error(ast, loc);
    }
    if (!sema_is_error(value))
        value = sema_integer_promote(ast, value);
    stmt->expr = value;
    context.type = value->type.type;
    context.written = type;
    if (p->panic)
        return stmt;
    p->in_switch = &context;
    p->breakables++;
    stmt->body = parse_body(p);
    ast->dead = context.dead;
    p->breakables--;
    p->in_switch = context.outer;
    warn_missing(p, &context, type, value_loc);
    warn_no_case(p, &context, value_loc);
    warn_empty_body(p, stmt, close, "switch statement");
    return stmt;
}

// Parses a case value as bits of the switch value's type. Returns false after an error.
static bool parse_case_value(struct parser *p, uint64_t *value)
{
    struct ast *ast = p->ast;
    struct loc loc = p->at->loc;
    struct expr *expr = sema_value(ast, parse_conditional(p));
    struct type *type = p->in_switch ? p->in_switch->type : NULL;
    *value = 0;
    if (sema_is_error(expr) || !type || type->kind == TYPE_ERROR)
        return false;
    if (!type_is_integer(expr->type.type)) {
        diag_error(ast->diag, loc, "integer constant expression must have integer type, not '%s'",
                   type_name(ast->arena, expr->type));
        return false;
    }
    sema_warn_case(ast, p->in_switch->written, expr, loc);
    expr = sema_convert(ast, qtype_of(type), expr, SEMA_ASSIGN);
    if (sema_is_error(expr) || !const_eval_int(ast, expr, value, "expression"))
        return false;
    unsigned unused = 64 - type_bits(type);
    *value = *value << unused >> unused;
    return true;
}

static void add_case(struct parser *p, struct stmt *stmt, struct loc loc)
{
    struct parse_switch *in = p->in_switch;
    const void *key = (const void *)(uintptr_t)stmt->value;
    struct stmt *old = stmt->value ? map_get(&in->cases, key) : in->zero_case;
    if (old) {
        diag_error(p->ast->diag, loc, "duplicate case value '%lld'",
                   type_bits(in->type) == 64 ? (long long)stmt->value : (long long)(int32_t)stmt->value);
        diag_note(p->ast->diag, old->loc, "previous case defined here");
    } else if (stmt->value) {
        map_set(p->ast->arena, &in->cases, key, stmt);
    } else {
        in->zero_case = stmt;
    }
}

enum { MAX_CASE_RANGE = 1024 };

// "case a ... b": adds a label for each value. Returns the last one.
static struct stmt *add_case_range(struct parser *p, struct stmt *first, uint64_t to,
                                   struct loc loc)
{
    struct stmt *last = first;
    bool is_signed = type_is_signed(p->in_switch->type);
    unsigned unused = 64 - type_bits(p->in_switch->type);
    int64_t a = (int64_t)(first->value << unused), b = (int64_t)(to << unused);
    if (is_signed ? a > b : (uint64_t)a > (uint64_t)b) {
        diag_warning(p->ast->diag, loc, "empty case range specified");
        return last;
    }
    if (to - first->value >= MAX_CASE_RANGE) {
        diag_error(p->ast->diag, first->loc, "case ranges of more than %d values are not supported", MAX_CASE_RANGE);
        return last;
    }
    for (uint64_t value = first->value; value != to;) {
        value = (value + 1) << unused >> unused;
        struct stmt *stmt = arena_copy(p->ast->arena, last, sizeof *last);
        stmt->value = value;
        add_case(p, stmt, first->loc);
        last->body = stmt;
        last = stmt;
    }
    return last;
}

// Parses one label; `*last` is the label that gets the labelled statement.
static struct stmt *parse_case(struct parser *p, struct stmt **last)
{
    struct stmt *stmt = new_stmt(p, STMT_CASE);
    stmt->is_default = parse_is(p, TOK_DEFAULT);
    *last = stmt;
    parse_next(p);
    if (!p->in_switch)
        diag_error(p->ast->diag, stmt->loc, "'%s' statement not in switch statement",
                   stmt->is_default ? "default" : "case");
    if (stmt->is_default) {
        struct stmt *old = p->in_switch ? p->in_switch->default_case : NULL;
        if (old) {
            diag_error(p->ast->diag, old->loc, "multiple default labels in one switch");
            diag_note(p->ast->diag, stmt->loc, "previous default label is here");
        }
        if (p->in_switch)
            p->in_switch->default_case = stmt;
    } else {
        struct loc loc = p->at->loc;
        bool ok = parse_case_value(p, &stmt->value);
        uint64_t to = 0;
        if (ok)
            add_case(p, stmt, loc);
        if (parse_accept(p, TOK_ELLIPSIS) && parse_case_value(p, &to) && ok)
            *last = add_case_range(p, stmt, to, loc);
    }
    parse_expect(p, TOK_COLON, stmt->is_default ? "after 'default'" : "after 'case'");
    return stmt;
}

// ---- loops -----------------------------------------------------------------------------------------

// `condition`: evaluated before the body; NULL: none.
static struct stmt *parse_loop_body(struct parser *p, const struct expr *condition)
{
    p->loops++;
    p->breakables++;
    bool dead = p->ast->dead;
    p->ast->dead |= condition && sema_outcome(p->ast, condition) == 0;
    struct stmt *body = parse_body(p);
    p->ast->dead = dead;
    p->loops--;
    p->breakables--;
    return body;
}

static struct stmt *parse_while(struct parser *p)
{
    struct stmt *stmt = new_stmt(p, STMT_WHILE);
    parse_next(p);
    stmt->expr = parse_condition(p, "after 'while'", stmt->loc);
    struct loc close = p->prev->loc;
    if (!p->panic)
        stmt->body = parse_loop_body(p, stmt->expr);
    warn_empty_body(p, stmt, close, "while loop");
    return stmt;
}

static struct stmt *parse_do(struct parser *p)
{
    struct stmt *stmt = new_stmt(p, STMT_DO);
    parse_next(p);
    stmt->body = parse_loop_body(p, NULL);
    if (parse_expect(p, TOK_WHILE, "in do/while loop"))
        stmt->expr = parse_condition(p, "after 'while'", stmt->loc);
    else
        stmt->expr = sema_error(p->ast, p->at->loc);
    parse_expect(p, TOK_SEMICOLON, "after do/while statement");
    return stmt;
}

static struct stmt *parse_for_init(struct parser *p)
{
    struct attributes none = {0};
    if (parse_accept(p, TOK_SEMICOLON))
        return NULL;
    if (parse_starts_type(p, p->at))
        return parse_local_declaration(p, &none);
    struct stmt *stmt = new_stmt(p, STMT_EXPR);
    stmt->expr = sema_unused(p->ast, parse_full_expression(p));
    sema_warn_unused(p->ast, stmt->expr);
    parse_expect(p, TOK_SEMICOLON, "in 'for' statement specifier");
    return stmt;
}

static struct stmt *parse_for(struct parser *p)
{
    struct ast *ast = p->ast;
    struct stmt *stmt = new_stmt(p, STMT_FOR);
    parse_next(p);
    if (!parse_expect(p, TOK_LPAREN, "after 'for'"))
        return stmt;
    scope_push(ast);
    p->blocks++;
    stmt->first = parse_for_init(p);
    if (!p->panic && !parse_is(p, TOK_SEMICOLON))
        stmt->expr = sema_condition(ast, parse_full_expression(p), stmt->loc);
    parse_expect(p, TOK_SEMICOLON, "in 'for' statement specifier");
    if (!p->panic && !parse_is(p, TOK_RPAREN))
        sema_warn_unused(ast, stmt->step = sema_unused(ast, parse_full_expression(p)));
    parse_close_header(p);
    struct loc close = p->prev->loc;
    if (!p->panic)
        stmt->body = parse_loop_body(p, stmt->expr);
    warn_empty_body(p, stmt, close, "for loop");
    p->blocks--;
    scope_pop(ast);
    return stmt;
}

static struct stmt *parse_loop(struct parser *p, int32_t unroll)
{
    struct stmt *stmt = parse_is(p, TOK_FOR) ? parse_for(p) : parse_is(p, TOK_WHILE) ? parse_while(p) : parse_do(p);
    stmt->unroll = unroll;
    return stmt;
}

// ---- jumps and labels ------------------------------------------------------------------------------

static struct label *get_label(struct parser *p)
{
    struct label *label = map_get(&p->labels, p->at->text);
    if (!label) {
        label = ARENA_NEW(p->ast->arena, struct label);
        label->name = p->at->text;
        label->loc = p->at->loc;
        map_set(p->ast->arena, &p->labels, label->name, label);
        vec_push(p->ast->arena, &p->label_list, label);
    }
    return label;
}

static struct stmt *parse_label(struct parser *p)
{
    struct stmt *stmt = new_stmt(p, STMT_LABEL);
    struct label *label = stmt->label = get_label(p);
    struct attributes ignored = {0};
    if (label->stmt) {
        diag_error(p->ast->diag, stmt->loc, "redefinition of label '%s'", label->name);
        diag_note(p->ast->diag, label->stmt->loc, "previous definition is here");
    } else {
        label->stmt = stmt;
    }
    parse_next(p);
    parse_next(p);
    parse_attributes(p, &ignored);
    parse_check_place(p, &ignored, ON_LABEL);
    return stmt;
}

static struct stmt *parse_goto(struct parser *p)
{
    struct stmt *stmt = new_stmt(p, STMT_GOTO);
    parse_next(p);
    if (parse_is(p, TOK_IDENTIFIER)) {
        stmt->label = get_label(p);
        parse_next(p);
    } else {
        parse_error(p, p->at->loc, "expected identifier");
    }
    parse_expect(p, TOK_SEMICOLON, "after goto statement");
    return stmt;
}

static struct stmt *parse_break(struct parser *p)
{
    bool is_break = parse_is(p, TOK_BREAK);
    struct stmt *stmt = new_stmt(p, is_break ? STMT_BREAK : STMT_CONTINUE);
    if (is_break && !p->breakables)
        diag_error(p->ast->diag, stmt->loc, "'break' statement not in loop or switch statement");
    if (!is_break && !p->loops)
        diag_error(p->ast->diag, stmt->loc, "'continue' statement not in loop statement");
    parse_next(p);
    parse_expect(p, TOK_SEMICOLON, is_break ? "after break statement" : "after continue statement");
    return stmt;
}

// A block without a result type: the first return determines it, and all others must agree.
static struct expr *infer_result(struct parser *p, struct decl *function, struct expr *value, struct loc loc)
{
    struct ast *ast = p->ast;
    struct type *type = type_basic(ast->types, TYPE_VOID), *known = function->type.type;
    if (value) {
        value = sema_value(ast, value);
        type = value->type.type;
    }
    if (type->kind == TYPE_ERROR || (function->defined && known->elem.type == type))
        return value;
    if (function->defined) {
        diag_error(ast->diag, loc, "return type %s must match previous return type %s when block literal has unspecified "
                   "explicit return type", sema_type_text(ast, qtype_of(type)), sema_type_text(ast, known->elem));
        return value ? sema_error(ast, loc) : NULL;
    }
    function->defined = true;
    function->type.type = type_function(ast->types, qtype_of(type), known->params, (uint32_t)known->count, false);
    return value;
}

static struct stmt *parse_return(struct parser *p)
{
    struct ast *ast = p->ast;
    struct stmt *stmt = new_stmt(p, STMT_RETURN);
    struct decl *function = ast->function;
    parse_next(p);
    struct expr *value = parse_is(p, TOK_SEMICOLON) ? NULL : sema_unused(p->ast, parse_full_expression(p));
    if (function->infers_result)
        value = infer_result(p, function, value, stmt->loc);
    struct qtype result = function->type.type->elem;
    if (value) {
        bool void_value = value->type.type->kind == TYPE_VOID;
        if (result.type->kind != TYPE_VOID) {
            stmt->expr = sema_convert(ast, result, value, SEMA_RETURN);
            sema_warn_return(ast, stmt->expr);
        } else if (void_value || sema_is_error(value))
            stmt->expr = value;
        else
            diag_error(ast->diag, stmt->loc, "void function '%s' should not return a value", function->name);
    } else if (result.type->kind != TYPE_VOID && result.type->kind != TYPE_ERROR) {
        diag_error(ast->diag, stmt->loc, "non-void function '%s' should return a value", function->name);
    }
    parse_expect(p, TOK_SEMICOLON, "after return statement");
    return stmt;
}

// ---- any statement ---------------------------------------------------------------------------------

static bool unknown_type_name(const struct parser *p)
{
    const struct token *next = p->at + 1;
    return parse_is(p, TOK_IDENTIFIER) && next->kind == TOK_IDENTIFIER && !scope_find(p->ast, p->at->text);
}

static struct stmt *parse_expression_statement(struct parser *p)
{
    struct stmt *stmt = new_stmt(p, STMT_EXPR);
    if (unknown_type_name(p)) {
        parse_error(p, p->at->loc, "unknown type name '%s'", p->at->text);
        stmt->expr = sema_error(p->ast, p->at->loc);
        return stmt;
    }
    stmt->expr = sema_unused(p->ast, parse_full_expression(p));
    parse_expect(p, TOK_SEMICOLON, "after expression");
    bool value = parse_is(p, TOK_RBRACE) && p->at[1].kind == TOK_RPAREN; // the value of a statement expression
    if (!value)
        sema_warn_unused(p->ast, stmt->expr);
    return stmt;
}

static bool at_loop(const struct parser *p)
{
    return parse_is(p, TOK_FOR) || parse_is(p, TOK_WHILE) || parse_is(p, TOK_DO);
}

static bool at_declaration(const struct parser *p)
{
    return parse_starts_type(p, parse_is(p, TOK_EXTENSION_GNU) ? p->at + 1 : p->at);
}

static struct stmt *parse_plain(struct parser *p, const struct attributes *attributes)
{
    if ((attributes->of_kernel || attributes->of_loop || attributes->matrix) && !at_declaration(p))
        parse_check_place(p, attributes, at_loop(p) ? ON_LOOP : ON_STATEMENT);
    switch (p->at->kind) {
    case TOK_LBRACE: return parse_compound(p, true);
    case TOK_IF: return parse_if(p);
    case TOK_SWITCH: return parse_switch(p);
    case TOK_FOR: case TOK_WHILE: case TOK_DO: return parse_loop(p, attributes->unroll);
    case TOK_BREAK: case TOK_CONTINUE: return parse_break(p);
    case TOK_RETURN: return parse_return(p);
    case TOK_GOTO: return parse_goto(p);
    case TOK_ASM: case TOK_ASM_GNU: return parse_asm(p);
    case TOK_ELSE:
        parse_error(p, p->at->loc, "expected expression");
        parse_next(p);
        return new_stmt(p, STMT_NULL);
    case TOK_SEMICOLON: {
        struct stmt *stmt = new_stmt(p, STMT_NULL);
        parse_next(p);
        return stmt;
    }
    case TOK_STATIC_ASSERT: {
        struct stmt *stmt = new_stmt(p, STMT_NULL);
        parse_static_assert(p);
        return stmt;
    }
    default:
        break;
    }
    if (at_declaration(p))
        return parse_local_declaration(p, attributes);
    return parse_expression_statement(p);
}

static bool at_label(const struct parser *p)
{
    return parse_is(p, TOK_IDENTIFIER) && p->at[1].kind == TOK_COLON;
}

// Parses pragmas and attributes before a statement.
static void parse_prefixes(struct parser *p, struct attributes *attributes)
{
    while (!p->panic) {
        int32_t unroll = 0;
        if (parse_is(p, TOK_PRAGMA)) {
            parse_pragma(p, &unroll);
            attributes->unroll = unroll ? unroll : attributes->unroll;
        } else if (!parse_attributes(p, attributes)) {
            return;
        }
    }
}

static bool is_jump(const struct stmt *stmt)
{
    return stmt && (stmt->kind == STMT_RETURN || stmt->kind == STMT_GOTO ||
                    stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE);
}

// The '{' after if (...), else, do ...: counts as one level of nesting together with that statement.
static bool is_block_of_statement(const struct parser *p)
{
    enum token_kind before = p->prev->kind;
    return parse_is(p, TOK_LBRACE) && (before == TOK_RPAREN || before == TOK_ELSE || before == TOK_DO);
}

// Parses a statement with its labels. Labels nest in the tree but are parsed in a loop.
static struct stmt *parse_statement(struct parser *p)
{
    struct stmt *first = NULL, **link = &first;
    struct attributes attributes = {0};
    uint32_t labels = 0;
    const struct token *start = p->at;
    bool counted = !is_block_of_statement(p);
    if (counted)
        ast_enter(p->ast, p->at->loc);
    parse_prefixes(p, &attributes);
    while (!p->panic && (parse_is(p, TOK_CASE) || parse_is(p, TOK_DEFAULT) || at_label(p))) {
        struct stmt *last;
        parse_check_place(p, &attributes, at_label(p) ? ON_LABEL : ON_STATEMENT);
        attributes = (struct attributes){0};
        if (++labels > PARSE_MAX_CHAIN)
            diag_fatal(p->ast->diag, p->at->loc, "more than %d labels in a row", PARSE_MAX_CHAIN);
        p->ast->dead = parse_is(p, TOK_CASE) || parse_is(p, TOK_DEFAULT)
                           ? p->in_switch && p->in_switch->dead
                           : false;
        *link = at_label(p) ? (last = parse_label(p)) : parse_case(p, &last);
        link = &last->body;
        parse_prefixes(p, &attributes);
    }
    // A label or a pragma may end a block, as if followed by ';'.
    if (!p->panic && !(p->at != start && parse_is(p, TOK_RBRACE)))
        *link = parse_plain(p, &attributes);
    else
        *link = new_stmt(p, STMT_NULL);
    if (labels && p->at != start && parse_is(p, TOK_RBRACE) && (*link)->kind == STMT_NULL &&
        p->prev->kind == TOK_COLON)
        diag_warning(p->ast->diag, p->at->loc,
                     "label at end of compound statement is a C23 extension");
    p->ast->dead |= is_jump(*link);
    if (p->panic)
        parse_synchronize(p);
    if (counted)
        ast_leave(p->ast);
    return first;
}

struct stmt *parse_compound(struct parser *p, bool new_scope)
{
    struct ast *ast = p->ast;
    struct stmt *stmt = new_stmt(p, STMT_COMPOUND), **tail = &stmt->first;
    struct loc open = p->at->loc;
    bool contract = ast->fp_contract;
    if (new_scope)
        scope_push(ast);
    p->blocks++;
    parse_expect(p, TOK_LBRACE, NULL);
    while (!parse_is(p, TOK_RBRACE) && !parse_is(p, TOK_EOF)) {
        const struct token *start = p->at;
        *tail = parse_statement(p);
        tail = &(*tail)->next;
        if (p->at == start)
            parse_next(p);
    }
    if (!parse_accept(p, TOK_RBRACE)) {
        diag_error(ast->diag, p->at->loc, "expected '}'");
        diag_note(ast->diag, open, "to match this '{'");
    }
    p->blocks--;
    ast->fp_contract = contract;
    if (new_scope)
        scope_pop(ast);
    return stmt;
}

void parse_function_body(struct parser *p, struct decl *decl, struct scope *scope)
{
    struct ast *ast = p->ast;
    struct scope *outer = ast->scope;
    struct decl *around = ast->function;
    bool dead = ast->dead;
    struct parser saved = *p;
    ast->scope = scope;
    ast->function = decl;
    for (uint32_t i = 0; i < decl->param_count; i++)
        decl->params[i]->owner = decl;
    p->labels = (struct map){0};
    memset(&p->label_list, 0, sizeof p->label_list);
    p->in_switch = NULL;
    ast->dead = false;
    p->loops = p->breakables = p->blocks = 0;
    p->carry = NULL;
    p->function_scope = scope;
    decl->body = parse_compound(p, false);
    if (p->carry) {
        p->carry->next = decl->body->first;
        decl->body->first = p->carry;
    }
    ast->dead = dead;
    sema_warn_end(ast, decl, p->prev->loc);
    decl->gen_reports |= p->label_list.count != 0; // gen checks jumps into and out of statement expressions
    for (size_t i = 0; i < p->label_list.count; i++)
        if (!p->label_list.items[i]->stmt)
            diag_error(ast->diag, p->label_list.items[i]->loc, "use of undeclared label '%s'",
                       p->label_list.items[i]->name);
    p->labels = saved.labels;
    p->label_list.items = saved.label_list.items;
    p->label_list.count = saved.label_list.count;
    p->label_list.capacity = saved.label_list.capacity;
    p->in_switch = saved.in_switch;
    p->loops = saved.loops;
    p->breakables = saved.breakables;
    p->blocks = saved.blocks;
    p->carry = saved.carry;
    p->function_scope = saved.function_scope;
    ast->function = around;
    ast->scope = outer;
}
