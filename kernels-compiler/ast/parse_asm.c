// SPDX-License-Identifier: Apache-2.0
// Inline assembly in functions: asm("text" : outputs : inputs : clobbers).
//
// It is rewritten as a compound statement of OpenCL C and parsed: a variable for each operand, initialised with the
// operand's tokens, the statements that ptx.c makes of the text, and assignments to the outputs. (An output that is also
// read is evaluated twice.) An empty text, with any constraints, keeps compilers from reordering and does nothing here.
#include "ast/parse.h"
#include "ast/ptx.h"
#include <ctype.h>
#include <string.h>

enum { MAX_OPERANDS = 32 };

struct asm_statement {
    struct ptx_operand operands[MAX_OPERANDS];
    uint32_t count;
};

// ---- tokens -------------------------------------------------------------------------------------

struct writer {
    struct parser *p;
    VEC(struct token) tokens;
    struct loc loc;
};

static enum token_kind kind_of(const char *text, size_t length)
{
    for (int kind = TOK_LPAREN; kind < TOK_COUNT; kind++)
        if (strlen(token_spelling((enum token_kind)kind)) == length && !strncmp(token_spelling((enum token_kind)kind), text, length))
            return (enum token_kind)kind;
    return isdigit((unsigned char)*text) ? TOK_NUMBER : TOK_IDENTIFIER;
}

static size_t length_of_token(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || (length && text[length] == '.' && isdigit((unsigned char)*text)))
        length++;
    if (length)
        return length;
    for (length = 3; length > 1; length--)
        if (strlen(text) >= length && kind_of(text, length) != TOK_IDENTIFIER)
            return length;
    return 1;
}

static void put_text(struct writer *w, const char *text)
{
    struct parser *p = w->p;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = length_of_token(text);
        struct token token = {.kind = kind_of(text, length), .loc = w->loc, .length = (uint32_t)length,
                              .text = intern_string(p->ast->intern, text, length)};
        vec_push(p->ast->arena, &w->tokens, token);
        text += length;
    }
}

static void put_expression(struct writer *w, const struct ptx_operand *operand)
{
    put_text(w, "(");
    for (const struct token *t = operand->first; t < operand->end; t++)
        vec_push(w->p->ast->arena, &w->tokens, *t);
    put_text(w, ")");
}

// The program ends after these tokens: an operand may have brackets that are never closed.
static const struct token *finished(struct writer *w)
{
    struct token end = {.kind = TOK_EOF, .loc = w->loc, .text = ""};
    vec_push(w->p->ast->arena, &w->tokens, end);
    return w->tokens.items;
}

// ---- grammar ------------------------------------------------------------------------------------

// The characters of a row of string literals.
static const char *parse_text(struct parser *p)
{
    if (!parse_is(p, TOK_STRING)) {
        parse_error(p, p->at->loc, "expected string literal in 'asm'");
        return "";
    }
    struct expr *string = parse_string(p);
    return sema_is_error(string) ? "" : string->string;
}

// Up to the ')' that closes the parenthesis before the current token.
static bool skip_expression(struct parser *p)
{
    uint32_t depth = 0;
    for (; !parse_is(p, TOK_EOF) && (depth || !parse_is(p, TOK_RPAREN)); parse_next(p))
        depth += parse_is(p, TOK_LPAREN) - parse_is(p, TOK_RPAREN);
    return parse_is(p, TOK_RPAREN);
}

// [name] "constraint" (expression)
static void parse_operand(struct parser *p, struct asm_statement *s, bool is_output)
{
    struct ptx_operand operand = {.is_output = is_output, .is_read = !is_output};
    struct loc loc = p->at->loc;
    if (parse_accept(p, TOK_LBRACKET)) {
        operand.name = p->at->text;
        parse_next(p);
        parse_expect(p, TOK_RBRACKET, NULL);
    }
    const char *constraint = parse_text(p);
    operand.is_read |= strchr(constraint, '+') != NULL;
    operand.type = ptx_constraint_type(constraint + strspn(constraint, "=+&"));
    if (p->panic || !parse_expect(p, TOK_LPAREN, "in an operand of 'asm'"))
        return;
    operand.first = p->at;
    bool closed = skip_expression(p);
    operand.end = p->at;
    if (!closed || operand.first == operand.end || s->count == MAX_OPERANDS)
        parse_error(p, loc, s->count == MAX_OPERANDS ? "too many operands of 'asm'" : "expected expression");
    else
        s->operands[s->count++] = operand;
    parse_accept(p, TOK_RPAREN);
}

static void parse_operands(struct parser *p, struct asm_statement *s, bool is_output)
{
    while (!p->panic && (parse_is(p, TOK_STRING) || parse_is(p, TOK_LBRACKET))) {
        parse_operand(p, s, is_output);
        if (!parse_accept(p, TOK_COMMA))
            break;
    }
}

static void parse_clobbers(struct parser *p)
{
    while (!p->panic && parse_is(p, TOK_STRING)) {
        parse_string(p);
        if (!parse_accept(p, TOK_COMMA))
            break;
    }
}

// ---- the statement ------------------------------------------------------------------------------

static const char *without_doubled_percent(struct parser *p, const char *text)
{
    struct str s;
    str_init(&s, p->ast->arena);
    str_add(&s, "");
    for (; *text; text++) {
        str_addc(&s, *text);
        text += text[0] == '%' && text[1] == '%';
    }
    return s.text;
}

// Declares the carry flag at the beginning of the function; parse_function_body() puts the declaration there.
static void declare_carry(struct parser *p, struct loc loc)
{
    struct writer w = {.p = p, .loc = loc};
    struct attributes none = {0};
    struct scope *inner = p->ast->scope;
    const struct token *at = p->at, *prev = p->prev;
    if (p->carry)
        return;
    put_text(&w, "uint " PTX_CARRY " = 0;");
    p->at = finished(&w);
    p->ast->scope = p->function_scope;
    p->carry = parse_local_declaration(p, &none);
    p->ast->scope = inner;
    p->at = at;
    p->prev = prev;
}

static struct stmt *parse_written(struct parser *p, struct writer *w)
{
    const struct token *at = p->at, *prev = p->prev;
    p->at = finished(w);
    struct stmt *stmt = parse_compound(p, true);
    p->panic = false;
    p->at = at;
    p->prev = prev;
    return stmt;
}

static bool has_types(struct parser *p, const struct asm_statement *s, struct loc loc)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->operands[i].type) {
            diag_error(p->ast->diag, loc, "inline assembly: unsupported constraint of operand %u", i);
            return false;
        }
    return true;
}

static struct stmt *make_statement(struct parser *p, const struct asm_statement *s, const char *text, struct loc loc)
{
    struct writer w = {.p = p, .loc = loc};
    struct ptx_code code = {.sets_carry = p->carry != NULL};
    str_init(&code.text, p->ast->arena);
    str_add(&code.text, "");
    if (!has_types(p, s, loc) || !ptx_translate(p->ast, text, s->operands, s->count, loc, &code))
        return NULL;
    if (code.reads_carry) {
        diag_error(p->ast->diag, loc, "inline assembly: the carry flag is not set earlier in this function");
        return NULL;
    }
    if (code.sets_carry)
        declare_carry(p, loc);
    put_text(&w, "{");
    for (uint32_t i = 0; i < s->count; i++) {
        struct str variable;
        str_init(&variable, p->ast->arena);
        str_printf(&variable, "%s __asm_%u%s", s->operands[i].type, i, s->operands[i].is_read ? " = (" : ";");
        put_text(&w, variable.text);
        if (!s->operands[i].is_read)
            continue;
        put_text(&w, s->operands[i].type);
        put_text(&w, ")");
        put_expression(&w, &s->operands[i]);
        put_text(&w, ";");
    }
    put_text(&w, code.text.text);
    for (uint32_t i = 0; i < s->count; i++) {
        struct str variable;
        if (!s->operands[i].is_output)
            continue;
        str_init(&variable, p->ast->arena);
        str_printf(&variable, "= __asm_%u;", i);
        put_expression(&w, &s->operands[i]);
        put_text(&w, variable.text);
    }
    put_text(&w, "}");
    return parse_written(p, &w);
}

struct stmt *parse_asm(struct parser *p)
{
    struct asm_statement s = {.count = 0};
    struct stmt *none = ARENA_NEW(p->ast->arena, struct stmt);
    struct loc loc = p->at->loc;
    none->kind = STMT_NULL;
    none->loc = loc;
    parse_next(p);
    while (parse_is(p, TOK_VOLATILE) || parse_is(p, TOK_VOLATILE_GNU) || parse_is(p, TOK_INLINE))
        parse_next(p);
    if (!parse_expect(p, TOK_LPAREN, "after 'asm'"))
        return none;
    const char *text = parse_text(p);
    const bool extended = parse_is(p, TOK_COLON);
    for (int part = 0; !p->panic && part < 3 && parse_accept(p, TOK_COLON); part++)
        if (part < 2)
            parse_operands(p, &s, part == 0);
        else
            parse_clobbers(p);
    bool valid = !p->panic;
    parse_close_header(p);
    parse_expect(p, TOK_SEMICOLON, "after asm statement");
    if (!valid || p->panic || !text[strspn(text, " \t\r\n;")])
        return none;
    struct stmt *stmt = make_statement(p, &s, extended ? without_doubled_percent(p, text) : text, loc);
    return stmt ? stmt : none;
}
