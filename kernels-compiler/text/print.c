// SPDX-License-Identifier: Apache-2.0
// Tokens -> text, for -E. Keeps the source's lines and adds a blank wherever two tokens would otherwise be read as
// one.
#include "text/text.h"

#include <ctype.h>
#include <string.h>

static const char *const spellings[] = {
#define TOKEN(id, spelling) spelling,
#define KEYWORD(id, spelling) spelling,
#include "text/tokens.def"
};

const char *token_spelling(enum token_kind kind)
{
    return spellings[kind];
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
           (unsigned char)c >= 0x80;
}

// Whether character `a`, which ends a token, and `b`, which begins the next, would be read as one token.
static bool would_merge(char a, char b)
{
    static const char *const pairs[] = {"->", "<:", ":>", "<%", "%>", "%:", "//", "/*",
                                        "<<", ">>", "++", "--", "&&", "||", "==", "##"};
    if (is_word(a) && is_word(b))
        return true;
    if (is_word(a) && (b == '+' || b == '-' || b == '"' || b == '\''))
        return strchr("eEpPLuU", a) != NULL;
    if (b == '=' && strchr("+-*/%<>=!&|^", a))
        return true;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == a && pairs[i][1] == b)
            return true;
    return false;
}

static void print_pragma(struct str *out, const struct token *token)
{
    if (out->length && out->text[out->length - 1] != '\n')
        str_addc(out, '\n');
    str_printf(out, "#pragma %s\n", token->text);
}

void text_print(struct str *out, const struct token_list *tokens)
{
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (token->kind == TOK_PRAGMA) {
            print_pragma(out, token);
            continue;
        }
        char last = out->length ? out->text[out->length - 1] : '\n';
        if (token->line_start && last != '\n')
            str_addc(out, '\n');
        else if (last != '\n' && (token->space_before || would_merge(last, token->text[0])))
            str_addc(out, ' ');
        str_addn(out, token->text, token->length);
    }
    if (out->length && out->text[out->length - 1] != '\n')
        str_addc(out, '\n');
}
