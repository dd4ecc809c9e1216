// SPDX-License-Identifier: Apache-2.0
// The operators # and ## (C 6.10.3.2, 6.10.3.3): spellings -> a new token.
#include "text/pp.h"

#include <string.h>

enum { SMALL = 256, WORK_UNIT = 16 };

// Text that is built on the C stack while it is short.
struct spelling {
    struct pp *pp;
    struct loc loc;
    char small[SMALL];
    char *text;
    size_t length, capacity;
};

static void spelling_init(struct spelling *s, struct pp *pp, struct loc loc)
{
    s->pp = pp;
    s->loc = loc;
    s->text = s->small;
    s->length = 0;
    s->capacity = SMALL;
}

static void spelling_add(struct spelling *s, const char *text, size_t length)
{
    if (s->length + length + 1 > s->capacity) {
        if (s->length + length > PP_MAX_SPELLING)
            diag_fatal(s->pp->diag, s->loc, "# or ## forms a token of more than %d bytes",
                       PP_MAX_SPELLING);
        s->capacity = (s->length + length + 1) * 2;
        char *bigger = arena_alloc(s->pp->arena, s->capacity);
        memcpy(bigger, s->text, s->length);
        s->text = bigger;
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = 0;
}

static void spelling_add_escaped(struct spelling *s, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            spelling_add(s, "\\", 1);
        spelling_add(s, text + i, 1);
    }
}

static void spelling_add_token(struct spelling *s, const struct pp_token *token)
{
    uint32_t length = token->kind == TOK_IDENTIFIER ? token->name->length : token->length;
    if (token->kind == TOK_STRING || token->kind == TOK_CHARACTER)
        spelling_add_escaped(s, token->text, length);
    else
        spelling_add(s, pp_token_text(token), length);
}

static const char *spelling_intern(struct spelling *s)
{
    pp_charge(s->pp, s->loc, s->length / WORK_UNIT + 1);
    return intern_string(s->pp->names.intern, s->text, s->length);
}

const char *pp_quote(struct pp *pp, const char *text, size_t length, uint32_t *quoted_length)
{
    struct spelling s;
    spelling_init(&s, pp, (struct loc){0});
    spelling_add(&s, "\"", 1);
    spelling_add_escaped(&s, text, length);
    spelling_add(&s, "\"", 1);
    *quoted_length = (uint32_t)s.length;
    return spelling_intern(&s);
}

void pp_stringify(struct pp *pp, const struct pp_token *tokens, size_t count,
                  struct pp_token *result)
{
    struct spelling s;
    spelling_init(&s, pp, result->loc);
    spelling_add(&s, "\"", 1);
    for (size_t i = 0; i < count; i++) {
        if (i && tokens[i].flags & (PP_SPACE | PP_LINE_START))
            spelling_add(&s, " ", 1);
        spelling_add_token(&s, &tokens[i]);
    }
    spelling_add(&s, "\"", 1);
    result->kind = TOK_STRING;
    result->length = (uint32_t)s.length;
    result->text = spelling_intern(&s);
}

static bool makes_comment(const struct pp_token *left, const struct pp_token *right)
{
    char first = *pp_token_text(right);
    return left->kind == TOK_SLASH && (first == '/' || first == '*');
}

// Pastes both spellings into *left. Reports an error and returns false if they do not form one token.
bool pp_paste(struct pp *pp, struct pp_token *left, const struct pp_token *right, struct loc loc)
{
    struct spelling s;
    struct lexer lexer;
    struct pp_token token;
    spelling_init(&s, pp, loc);
    spelling_add(&s, pp_token_text(left),
                 left->kind == TOK_IDENTIFIER ? left->name->length : left->length);
    spelling_add(&s, pp_token_text(right),
                 right->kind == TOK_IDENTIFIER ? right->name->length : right->length);
    pp_charge(pp, loc, s.length / WORK_UNIT + 1);
    lexer_init(&lexer, &pp->names, pp->diag, loc.file, s.text, s.length);
    lexer.directive = true;
    token.kind = TOK_OTHER;
    if (!makes_comment(left, right))
        lexer_next(&lexer, &token);
    if (token.kind == TOK_OTHER || lexer.at != lexer.end) {
        diag_error(pp->diag, loc, "pasting formed '%.*s', an invalid preprocessing token", (int)s.length,
                   s.text);
        return false;
    }
    token.loc = left->loc;
    token.flags = left->flags & (PP_SPACE | PP_LINE_START);
    *left = token;
    return true;
}
