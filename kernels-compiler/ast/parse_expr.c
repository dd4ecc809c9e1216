// SPDX-License-Identifier: Apache-2.0
// Expressions: precedence climbing over a table. Sema makes every node.
//
// Operators of one precedence are parsed in a loop. Nesting (parentheses, prefixes, ?:, assignments) is counted. The
// height of each tree is limited too, because a loop can also build a deep tree and later stages walk trees
// recursively.
#include "ast/parse.h"
#include "ast/spirv.h"
#include "util/stack.h"

// ---- primary ---------------------------------------------------------------------------------------

struct expr *parse_string(struct parser *p)
{
    VEC(const struct token *) tokens = {0};
    while (parse_is(p, TOK_STRING)) {
        vec_push(p->ast->arena, &tokens, p->at);
        parse_next(p);
    }
    return sema_string(p->ast, tokens.items, (uint32_t)tokens.count);
}

static struct expr *parse_statement_expression(struct parser *p)
{
    struct loc loc = p->at->loc;
    if (!p->ast->function) {
        parse_error(p, loc, "statement expression not allowed at file scope");
        return sema_error(p->ast, loc);
    }
    struct stmt *body = parse_compound(p, true);
    return sema_statement_expr(p->ast, body, loc);
}

static struct expr *parse_parenthesized(struct parser *p)
{
    struct token open = *p->at;
    parse_next(p);
    struct expr *expr = parse_is(p, TOK_LBRACE) ? parse_statement_expression(p) : parse_expression(p);
    bool already = p->panic;
    if (!parse_expect(p, TOK_RPAREN, NULL) && !already)
        diag_note(p->ast->diag, open.loc, "to match this '('");
    expr->parenthesized = true;
    return expr;
}

// A built-in variable of SPIR-V denotes its value, unless it is called as a function.
static struct expr *parse_name(struct parser *p, const struct token *token)
{
    struct expr *value = parse_is(p, TOK_LPAREN) ? NULL : sema_spirv_variable(p->ast, token->text, token->loc);
    return value ? value : sema_identifier(p->ast, token->text, token->loc);
}

static struct expr *parse_primary(struct parser *p)
{
    const struct token *token = p->at;
    p->height = 1;
    switch (token->kind) {
    case TOK_NUMBER:
        parse_next(p);
        return sema_number(p->ast, token);
    case TOK_CHARACTER:
        parse_next(p);
        return sema_character(p->ast, token);
    case TOK_STRING:
        return parse_string(p);
    case TOK_IDENTIFIER:
        parse_next(p);
        return parse_name(p, token);
    case TOK_LPAREN:
        return parse_parenthesized(p);
    case TOK_BUILTIN_OFFSETOF: case TOK_BUILTIN_ASTYPE: case TOK_BUILTIN_BIT_CAST: case TOK_BUILTIN_CONVERTVECTOR:
    case TOK_BUILTIN_TYPES_COMPATIBLE: case TOK_GENERIC_C11:
        return parse_gnu(p);
    case TOK_CARET:
        if (ast_has_blocks(p->ast))
            return parse_block(p);
        parse_error(p, token->loc, "blocks require __opencl_c_device_enqueue, which the device does not support");
        return sema_error(p->ast, token->loc);
    default:
        parse_error(p, token->loc, "expected expression");
        return sema_error(p->ast, token->loc);
    }
}

// ---- postfix ---------------------------------------------------------------------------------------

struct args {
    struct expr **items;
    size_t count, capacity;
};

// Parses arguments and consumes the ')'. The height is that of the highest argument.
static void parse_args(struct parser *p, struct args *args)
{
    uint32_t height = 0;
    while (!p->panic && !parse_is(p, TOK_RPAREN)) {
        vec_push(p->ast->arena, args, parse_assignment(p));
        height = p->height > height ? p->height : height;
        if (!parse_accept(p, TOK_COMMA))
            break;
        if (parse_is(p, TOK_RPAREN))
            parse_error(p, p->at->loc, "expected expression");
    }
    parse_expect(p, TOK_RPAREN, NULL);
    p->height = height;
}

static struct expr *parse_member(struct parser *p, struct expr *base)
{
    bool arrow = parse_is(p, TOK_ARROW);
    struct loc loc = p->at->loc;
    parse_next(p);
    if (!parse_is(p, TOK_IDENTIFIER)) {
        parse_error(p, p->at->loc, "expected identifier");
        return sema_error(p->ast, loc);
    }
    const char *name = p->at->text;
    loc = p->at->loc;
    parse_next(p);
    return sema_member(p->ast, base, name, arrow, loc);
}

static struct expr *parse_postfix_of(struct parser *p, struct expr *expr)
{
    struct ast *ast = p->ast;
    while (!p->panic) {
        struct loc loc = p->at->loc;
        uint32_t height = p->height;
        switch (p->at->kind) {
        case TOK_LBRACKET: {
            parse_next(p);
            struct expr *index = parse_expression(p);
            parse_expect(p, TOK_RBRACKET, NULL);
            expr = sema_subscript(ast, expr, index, loc);
            if (expr->kind == EXPR_DEREF)
                expr->end = p->prev->loc;
            break;
        }
        case TOK_LPAREN: {
            struct args args = {0};
            parse_next(p);
            parse_args(p, &args);
            if (p->panic)
                return sema_error(ast, loc);
            expr = sema_call(ast, expr, args.items, (uint32_t)args.count, loc, p->prev->loc);
            break;
        }
        case TOK_DOT: case TOK_ARROW:
            expr = parse_member(p, expr);
            break;
        case TOK_INC: case TOK_DEC:
            expr = sema_incdec(ast, expr, parse_is(p, TOK_INC) ? 1 : -1, false, loc);
            parse_next(p);
            break;
        default:
            return expr;
        }
        parse_height(p, height, p->height);
    }
    return expr;
}

// ---- prefix operators and casts --------------------------------------------------------------------

static struct expr *parse_cast(struct parser *p);

static struct expr *parse_compound_literal(struct parser *p, struct qtype type, struct loc loc)
{
    struct init *init = parse_initializer(p, &type, NULL);
    if (!init || type.type->kind == TYPE_ERROR)
        return sema_error(p->ast, loc);
    return parse_postfix_of(p, sema_compound_literal(p->ast, type, init, loc));
}

static bool at_typed(const struct parser *p)
{
    if (!parse_is(p, TOK_LPAREN))
        return false;
    enum token_kind next = p->at[1].kind;
    return next == TOK_ATTRIBUTE || next == TOK_ATTRIBUTE2 || parse_starts_type(p, p->at + 1);
}

// At a '(' before a type: a cast, a compound literal or a vector literal.
static struct expr *parse_typed(struct parser *p)
{
    struct ast *ast = p->ast;
    struct loc loc = p->at->loc;
    parse_next(p);
    struct qtype type = parse_type_name(p);
    if (!parse_expect(p, TOK_RPAREN, NULL))
        return sema_error(ast, loc);
    if (parse_is(p, TOK_LBRACE))
        return parse_compound_literal(p, type, loc);
    if (type_is_vector(type.type) && parse_is(p, TOK_LPAREN) && !at_typed(p)) {
        struct args args = {0};
        struct loc open = p->at->loc;
        parse_next(p);
        parse_args(p, &args);
        if (p->panic)
            return sema_error(ast, loc);
        uint32_t count = (uint32_t)args.count;
        return parse_postfix_of(p, sema_vector_literal(ast, type.type, args.items, count, loc, open));
    }
    struct expr *operand = parse_cast(p);
    parse_height(p, p->height, 0);
    return sema_cast(ast, type, operand, loc);
}

// sizeof, __alignof__, vec_step: of a type in parentheses, or of an expression's type.
static struct expr *parse_of_type(struct parser *p)
{
    struct ast *ast = p->ast;
    enum token_kind kind = p->at->kind;
    struct loc loc = p->at->loc;
    struct qtype type;
    const struct expr *operand = NULL;
    parse_next(p);
    struct loc open = p->at->loc;
    if (at_typed(p)) {
        parse_next(p);
        type = parse_type_name(p);
        parse_expect(p, TOK_RPAREN, NULL);
        if (parse_is(p, TOK_LBRACE))
            type = parse_compound_literal(p, type, open)->type;
    } else {
        bool dead = ast->dead;
        ast->dead = true;
        operand = sema_unevaluated(ast, parse_cast(p));
        ast->dead = dead;
        sema_warn_sizeof(ast, operand, open);
        type = operand->type;
    }
    p->height = 1;
    if (type.type->kind == TYPE_ERROR || p->panic)
        return sema_error(ast, loc);
    if (kind == TOK_SIZEOF) {
        struct expr *size = sema_sizeof(ast, type, loc);
        ast->sizes[0] = ast->sizes[1];
        ast->sizes[1] = (struct ast_size){size, operand, type};
        return size;
    }
    return kind == TOK_VEC_STEP ? sema_vec_step(ast, type, loc) : sema_alignof(ast, type, loc);
}

static struct expr *parse_prefix(struct parser *p)
{
    struct ast *ast = p->ast;
    enum token_kind kind = p->at->kind;
    struct loc loc = p->at->loc;
    switch (kind) {
    case TOK_INC: case TOK_DEC: {
        parse_next(p);
        struct expr *operand = parse_cast(p);
        parse_height(p, p->height, 0);
        return sema_incdec(ast, operand, kind == TOK_INC ? 1 : -1, true, loc);
    }
    case TOK_AMP: case TOK_STAR: case TOK_PLUS: case TOK_MINUS: case TOK_TILDE: case TOK_BANG: {
        parse_next(p);
        struct expr *operand = parse_cast(p);
        parse_height(p, p->height, 0);
        return sema_unary(ast, kind, operand, loc);
    }
    case TOK_SIZEOF: case TOK_ALIGNOF: case TOK_ALIGNOF2: case TOK_ALIGNOF_C11: case TOK_VEC_STEP:
        return parse_of_type(p);
    case TOK_EXTENSION_GNU:
        parse_next(p);
        return parse_cast(p);
    case TOK_LPAREN:
        if (at_typed(p))
            return parse_typed(p);
        break;
    default:
        break;
    }
    return parse_postfix_of(p, parse_primary(p));
}

static struct expr *parse_cast(struct parser *p)
{
    if (p->panic)
        return sema_error(p->ast, p->at->loc);
    ast_enter(p->ast, p->at->loc);
    struct expr *expr = parse_prefix(p);
    ast_leave(p->ast);
    return expr;
}

// ---- binary operators and below --------------------------------------------------------------------

static unsigned precedence(enum token_kind kind)
{
    switch (kind) {
    case TOK_STAR: case TOK_SLASH: case TOK_PERCENT: return 10;
    case TOK_PLUS: case TOK_MINUS: return 9;
    case TOK_SHL: case TOK_SHR: return 8;
    case TOK_LT: case TOK_GT: case TOK_LE: case TOK_GE: return 7;
    case TOK_EQ: case TOK_NE: return 6;
    case TOK_AMP: return 5;
    case TOK_CARET: return 4;
    case TOK_PIPE: return 3;
    case TOK_AMP_AMP: return 2;
    case TOK_PIPE_PIPE: return 1;
    default: return 0;
    }
}

// "0 && ..." and "1 || ..." do not evaluate the right operand.
static bool skips_right(struct ast *ast, enum token_kind op, const struct expr *left)
{
    int skipping = op == TOK_AMP_AMP ? 0 : op == TOK_PIPE_PIPE ? 1 : 2;
    return left->kind == EXPR_CONST && sema_outcome(ast, left) == skipping;
}

static struct expr *parse_binary(struct parser *p, unsigned lowest);

static struct expr *parse_dead(struct parser *p, unsigned lowest)
{
    bool dead = p->ast->dead;
    p->ast->dead = true;
    struct expr *expr = sema_value(p->ast, parse_binary(p, lowest));
    p->ast->dead = dead;
    return expr;
}

static struct expr *parse_binary(struct parser *p, unsigned lowest)
{
    stack_check();
    struct expr *left = parse_cast(p);
    for (;;) {
        const struct token *op = p->at;
        unsigned level = precedence(op->kind);
        if (!level || level < lowest || p->panic)
            return left;
        uint32_t height = p->height;
        parse_next(p);
        bool skipped = skips_right(p->ast, op->kind, left);
        struct expr *right = skipped ? parse_dead(p, level + 1) : parse_binary(p, level + 1);
        parse_height(p, height, p->height);
        sema_warn_binary(p->ast, op->kind, left, right, op->loc);
        left = sema_binary(p->ast, op->kind, left, right, op->loc);
    }
}

struct expr *parse_conditional(struct parser *p)
{
    struct expr *condition = parse_binary(p, 1);
    if (p->panic || !parse_is(p, TOK_QUESTION))
        return condition;
    struct loc loc = p->at->loc;
    uint32_t height = p->height;
    parse_next(p);
    ast_enter(p->ast, loc);
    bool dead = p->ast->dead;
    int outcome = sema_outcome(p->ast, condition);
    p->ast->dead |= outcome == 0;
    struct expr *yes = parse_is(p, TOK_COLON)
                           ? NULL
                           : sema_value(p->ast, parse_expression(p)); // a ?: b is a ? a : b
    height = p->height > height ? p->height : height;
    parse_expect(p, TOK_COLON, NULL);
    p->ast->dead = dead || outcome == 1;
    struct expr *no = p->panic ? sema_error(p->ast, loc) : sema_value(p->ast, parse_conditional(p));
    p->ast->dead = dead;
    ast_leave(p->ast);
    parse_height(p, height + !yes, p->height);
    return yes ? sema_conditional(p->ast, condition, yes, no, loc) : sema_choose_itself(p->ast, condition, no, loc);
}

static bool is_assignment(enum token_kind kind)
{
    switch (kind) {
    case TOK_ASSIGN: case TOK_STAR_ASSIGN: case TOK_SLASH_ASSIGN: case TOK_PERCENT_ASSIGN: case TOK_PLUS_ASSIGN:
    case TOK_MINUS_ASSIGN: case TOK_SHL_ASSIGN: case TOK_SHR_ASSIGN: case TOK_AMP_ASSIGN: case TOK_CARET_ASSIGN:
    case TOK_PIPE_ASSIGN:
        return true;
    default:
        return false;
    }
}

static bool is_next_to(const struct token *a, const struct token *b)
{
    return a->loc.line == b->loc.line && a->loc.column + 1 == b->loc.column && !b->loc.in_macro;
}

// Warns about "x =- 1", which may be a typo for "x -= 1": the sign is next to the '=' and applies to the whole
// operand.
static void warn_detached_sign(struct parser *p, const struct token *op, const struct expr *value)
{
    const struct token *sign = op + 1;
    struct loc place = sema_place(value);
    if (op->kind != TOK_ASSIGN || op->loc.in_macro ||
        (sign->kind != TOK_MINUS && sign->kind != TOK_PLUS) || !is_next_to(op, sign) ||
        is_next_to(sign, sign + 1) || sign[1].loc.in_macro || value->parenthesized ||
        place.line != sign->loc.line || place.column != sign->loc.column)
        return;
    const char *text = sign->kind == TOK_MINUS ? "-" : "+";
    diag_warning(p->ast->diag, op->loc, "use of unary operator '=%s' that may be intended as compound assignment '%s='",
                 text, text);
}

struct expr *parse_assignment(struct parser *p)
{
    struct expr *left = parse_conditional(p);
    const struct token *op = p->at;
    if (p->panic || !is_assignment(op->kind))
        return left;
    uint32_t height = p->height;
    parse_next(p);
    ast_enter(p->ast, op->loc);
    struct expr *right = parse_assignment(p);
    ast_leave(p->ast);
    parse_height(p, height, p->height);
    warn_detached_sign(p, op, right);
    return sema_assign(p->ast, op->kind, left, right, op->loc);
}

struct expr *parse_expression(struct parser *p)
{
    struct expr *expr = parse_assignment(p);
    while (!p->panic && parse_is(p, TOK_COMMA)) {
        struct loc loc = p->at->loc;
        uint32_t height = p->height;
        parse_next(p);
        struct expr *right = parse_assignment(p);
        parse_height(p, height, p->height);
        sema_warn_binary(p->ast, TOK_COMMA, expr, right, loc);
        expr = sema_binary(p->ast, TOK_COMMA, expr, right, loc);
    }
    return expr;
}

// Runs `parse` for a full expression and warns about unsequenced changes in it.
static struct expr *parse_full(struct parser *p, struct expr *(*parse)(struct parser *))
{
    uint32_t before = p->ast->changes;
    struct expr *expr = parse(p);
    bool outermost = expr->kind == EXPR_ASSIGN || expr->kind == EXPR_ASSIGN_OP || expr->kind == EXPR_INCDEC;
    if (p->ast->changes - before > outermost)
        sema_warn_order(p->ast, expr);
    return expr;
}

struct expr *parse_full_expression(struct parser *p)
{
    return parse_full(p, parse_expression);
}

struct expr *parse_full_assignment(struct parser *p)
{
    return parse_full(p, parse_assignment);
}

bool parse_constant(struct parser *p, uint64_t *value, const char *what)
{
    struct loc loc = p->at->loc;
    struct expr *expr = sema_value(p->ast, parse_conditional(p));
    *value = 0;
    if (sema_is_error(expr) || p->panic)
        return false;
    if (!type_is_integer(expr->type.type)) {
        diag_error(p->ast->diag, loc, "%s is not an integer constant expression", what);
        return false;
    }
    return const_eval_int(p->ast, expr, value, what);
}
