// SPDX-License-Identifier: Apache-2.0
// Answers __has_builtin(name), __has_feature and similar: whether this compiler supports the name, with clang's
// meaning.
//
// The name in the parentheses is not expanded. Underscores around names of attributes, features and extensions are
// ignored. Only features that work here are reported, even if clang has more.
#include "text/pp.h"
#include "util/stack.h"

#include <string.h>

// Language extensions beyond C99. `feature`: clang reports it as a feature of the language too.
static const struct {
    const char *name;
    bool feature;
} extensions[] = {
    {"attribute_deprecated_with_message", true},
    {"attribute_ext_vector_type", true},
    {"attribute_overloadable", true},
    {"attribute_unused_on_fields", true},
    {"c_alignas", false},
    {"c_alignof", false},
    {"c_generic_selections", false},
    {"c_static_assert", false},
    {"cxx_binary_literals", false},
};

static bool knows_extension(const char *name, bool features_only)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!strcmp(name, extensions[i].name))
            return extensions[i].feature || !features_only;
    return false;
}

static const char *without_underscores(struct pp *pp, const char *name)
{
    size_t length = strlen(name);
    if (length < 5 || strncmp(name, "__", 2) || strcmp(name + length - 2, "__"))
        return name;
    return arena_strndup(pp->arena, name + 2, length - 4);
}

static bool answer(struct pp *pp, enum pp_special question, const char *name)
{
    const struct text_input *input = pp->input;
    if (question == PP_HAS_BUILTIN)
        return input->knows_builtin && input->knows_builtin(name);
    name = without_underscores(pp, name);
    if (question == PP_HAS_ATTRIBUTE)
        return input->knows_attribute && input->knows_attribute(name);
    return knows_extension(name, question == PP_HAS_FEATURE);
}

// Reports the problem once and skips the rest of a directive's line. Returns false, the answer.
static bool fail(struct pp *pp, struct pp_token *token, const char *problem, const char *spelled)
{
    diag_error(pp->diag, token->loc, "%s '%s'", problem, spelled);
    while (pp->lexer->directive && token->kind != PP_END_OF_LINE &&
           token->kind != PP_END_OF_ARGUMENT)
        pp_read(pp, token);
    return false;
}

static bool ask(struct pp *pp, enum pp_special question, const char *spelled, bool *result)
{
    stack_check();
    struct pp_token token;
    bool named;
    if (question == PP_HAS_INCLUDE) {
        token = (struct pp_token){.loc = lexer_loc(pp->lexer)};
        *result = pp_include_exists(pp, &named);
        return named || fail(pp, &token, "expected \"FILENAME\" or <FILENAME> after", spelled);
    }
    pp_read(pp, &token);
    if (token.kind != TOK_IDENTIFIER)
        return fail(pp, &token, "expected a name after", spelled);
    *result = answer(pp, question, token.name->text);
    return true;
}

bool pp_has(struct pp *pp, const struct pp_macro *macro, const struct pp_token *name)
{
    const char *spelled = name->name->text;
    struct pp_token token = *name;
    bool result = false;
    if (macro->special == PP_HAS_INCLUDE && !pp->in_condition)
        return fail(pp, &token, "only #if and #elif can evaluate", spelled);
    pp_read(pp, &token);
    if (token.kind != TOK_LPAREN)
        return fail(pp, &token, "missing '(' after", spelled);
    if (!ask(pp, macro->special, spelled, &result))
        return false;
    pp_read(pp, &token);
    return token.kind == TOK_RPAREN ? result : fail(pp, &token, "missing ')' after", spelled);
}
