// SPDX-License-Identifier: Apache-2.0
// Lines that begin with # (C 6.10): a table with one function for each directive.
//
// A directive's line is read with lexer.directive set: the lexer then returns PP_END_OF_LINE at its end, repeatedly.
// The lexer skips a false group without making tokens.
#include "text/pp.h"
#include "util/stack.h"

#include <string.h>

static void drop_contexts(struct pp *pp)
{
    while (pp->contexts.count)
        pp_pop(pp);
}

static void skip_line(struct lexer *lexer)
{
    struct pp_token token;
    do
        lexer_next(lexer, &token);
    while (token.kind != PP_END_OF_LINE);
}

void pp_end_of_line(struct pp *pp, const char *directive)
{
    struct pp_token token;
    pp_read(pp, &token);
    if (token.kind != PP_END_OF_LINE)
        diag_warning(pp->diag, token.loc, "extra tokens at end of #%s directive", directive);
}

// ---- conditionals ---------------------------------------------------------------------

enum conditional { NOT_CONDITIONAL, OPENS, ELIF, ELSE, ENDIF };

static enum conditional classify(const struct pp_name *name)
{
    static const struct {
        const char *text;
        enum conditional kind;
    } table[] = {{"if", OPENS},  {"ifdef", OPENS}, {"ifndef", OPENS},
                 {"elif", ELIF}, {"else", ELSE},   {"endif", ENDIF}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(name->text, table[i].text))
            return table[i].kind;
    return NOT_CONDITIONAL;
}

static struct pp_if *innermost(struct pp *pp)
{
    size_t base = pp->files.items[pp->files.count - 1]->if_base;
    return pp->conditionals.count > base ? &pp->conditionals.items[pp->conditionals.count - 1]
                                         : NULL;
}

static bool condition(struct pp *pp)
{
    bool result = pp_condition(pp);
    drop_contexts(pp);
    return result;
}

// Handles #elif or #else of the innermost conditional. Returns whether to read its group.
static bool enter_branch(struct pp *pp, enum conditional kind, struct loc loc)
{
    struct pp_if *open = innermost(pp);
    if (open->else_seen)
        diag_error(pp->diag, loc, "#%s after #else", kind == ELSE ? "else" : "elif");
    open->else_seen |= kind == ELSE;
    if (open->selected)
        return false;
    bool enter = kind == ELSE || condition(pp);
    innermost(pp)->selected = enter;
    return enter;
}

// Skips groups until the end of the conditional or a branch that is read.
static void skip_groups(struct pp *pp)
{
    struct lexer *lexer = pp->lexer;
    struct pp_token token;
    struct loc hash;
    unsigned long depth = 0;
    for (;;) {
        skip_line(lexer);
        lexer->directive = false;
        bool found = lexer_skip_to_hash(lexer, &hash);
        lexer->directive = true;
        if (!found)
            return;
        lexer_next(lexer, &token);
        enum conditional kind =
            token.kind == TOK_IDENTIFIER ? classify(token.name) : NOT_CONDITIONAL;
        if (kind == OPENS) {
            depth++;
        } else if (kind == ENDIF) {
            if (depth-- == 0) {
                pp->conditionals.count--;
                pp_end_of_line(pp, "endif");
                return;
            }
        } else if (kind != NOT_CONDITIONAL && depth == 0) {
            bool enter = enter_branch(pp, kind, token.loc);
            if (kind == ELSE)
                pp_end_of_line(pp, "else");
            if (enter)
                return;
        }
    }
}

static void open_conditional(struct pp *pp, struct loc loc, bool selected)
{
    vec_push(pp->arena, &pp->conditionals, ((struct pp_if){loc, selected, false}));
    if (!selected)
        skip_groups(pp);
}

static void directive_if(struct pp *pp, struct loc loc)
{
    open_conditional(pp, loc, condition(pp));
}

static bool name_is_defined(struct pp *pp, const char *directive)
{
    struct pp_token token;
    lexer_next(pp->lexer, &token);
    if (token.kind != TOK_IDENTIFIER) {
        diag_error(pp->diag, token.loc, "macro name missing");
        return false;
    }
    bool result = token.name->macro != NULL;
    pp_end_of_line(pp, directive);
    return result;
}

static void directive_ifdef(struct pp *pp, struct loc loc)
{
    open_conditional(pp, loc, name_is_defined(pp, "ifdef"));
}

static void directive_ifndef(struct pp *pp, struct loc loc)
{
    open_conditional(pp, loc, !name_is_defined(pp, "ifndef"));
}

// Ends a group that was read: skips the remaining branches.
static void end_group(struct pp *pp, enum conditional kind, struct loc loc)
{
    if (!innermost(pp)) {
        diag_error(pp->diag, loc, "#%s without #if", kind == ELSE ? "else" : "elif");
        return;
    }
    enter_branch(pp, kind, loc);
    if (kind == ELSE)
        pp_end_of_line(pp, "else");
    skip_groups(pp);
}

static void directive_elif(struct pp *pp, struct loc loc)
{
    end_group(pp, ELIF, loc);
}

static void directive_else(struct pp *pp, struct loc loc)
{
    end_group(pp, ELSE, loc);
}

static void directive_endif(struct pp *pp, struct loc loc)
{
    if (!innermost(pp)) {
        diag_error(pp->diag, loc, "#endif without #if");
        return;
    }
    pp->conditionals.count--;
    pp_end_of_line(pp, "endif");
}

// ---- others ---------------------------------------------------------------------------

static void directive_define(struct pp *pp, struct loc loc)
{
    (void)loc;
    pp_define(pp);
}

static void directive_undef(struct pp *pp, struct loc loc)
{
    (void)loc;
    pp_undef(pp);
}

static const char *rest_of_line(struct pp *pp)
{
    struct str text;
    struct pp_token token;
    str_init(&text, pp->arena);
    str_add(&text, "");
    for (lexer_next(pp->lexer, &token); token.kind != PP_END_OF_LINE;
         lexer_next(pp->lexer, &token)) {
        if (text.length && token.flags & PP_SPACE)
            str_addc(&text, ' ');
        str_addn(&text, pp_token_text(&token),
                 token.kind == TOK_IDENTIFIER ? token.name->length : token.length);
    }
    return text.text;
}

static void directive_error(struct pp *pp, struct loc loc)
{
    diag_error(pp->diag, loc, "#error %s", rest_of_line(pp));
}

static void directive_warning(struct pp *pp, struct loc loc)
{
    diag_warning(pp->diag, loc, "#warning %s", rest_of_line(pp));
}

static bool line_number(const struct pp_token *token, int64_t *number)
{
    *number = 0;
    if (token->kind != TOK_NUMBER || token->length > 10)
        return false;
    for (uint32_t i = 0; i < token->length; i++) {
        if (token->text[i] < '0' || token->text[i] > '9')
            return false;
        *number = *number * 10 + (token->text[i] - '0');
    }
    return *number <= INT32_MAX;
}

// Numbers lines from the next one on, starting with `number`, by adding a second file entry for the same text.
static void renumber(struct pp *pp, int64_t number, const struct pp_token *name)
{
    struct lexer *lexer = pp->lexer;
    struct diag_file file = pp->diag->files[lexer->file];
    if (name)
        file.name = arena_strndup(pp->arena, name->text + 1, name->length - 2);
    lexer->file = diag_add_file(pp->diag, file.name, file.text, file.length);
    pp->diag->files[lexer->file].line_shift = number - ((int64_t)lexer->line + 1);
}

static void set_line(struct pp *pp, const struct pp_token *first, bool marker)
{
    struct pp_token name;
    int64_t number;
    if (!line_number(first, &number)) {
        diag_error(pp->diag, first->loc, "#line directive requires a number from 0 to 2147483647");
        return;
    }
    pp_next(pp, &name);
    if (name.kind != TOK_STRING && name.kind != PP_END_OF_LINE) {
        diag_error(pp->diag, name.loc, "invalid filename for #line directive: expected a string literal");
        return;
    }
    if (name.kind == TOK_STRING && !marker)
        pp_end_of_line(pp, "line");
    renumber(pp, number, name.kind == TOK_STRING ? &name : NULL);
}

static void directive_line(struct pp *pp, struct loc loc)
{
    struct pp_token first;
    (void)loc;
    pp_next(pp, &first);
    set_line(pp, &first, false);
}

static void directive_ident(struct pp *pp, struct loc loc)
{
    (void)pp;
    (void)loc;
}

static const struct {
    const char *name;
    void (*run_directive)(struct pp *pp, struct loc loc);
} directives[] = {
    {"define", directive_define}, {"if", directive_if},       {"ifdef", directive_ifdef},
    {"ifndef", directive_ifndef}, {"else", directive_else},   {"elif", directive_elif},
    {"endif", directive_endif},   {"include", pp_include},    {"undef", directive_undef},
    {"line", directive_line},     {"error", directive_error}, {"warning", directive_warning},
    {"ident", directive_ident},
};

static void run_directive(struct pp *pp, const struct pp_token *name)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (!strcmp(name->name->text, directives[i].name)) {
            directives[i].run_directive(pp, name->loc);
            return;
        }
    diag_error(pp->diag, name->loc, "invalid preprocessing directive '#%s'", name->name->text);
}

bool pp_directive(struct pp *pp, struct pp_token *token)
{
    stack_check();
    struct lexer *lexer = pp->lexer;
    struct pp_token first;
    bool forwarded = false;
    lexer->directive = true;
    lexer_next(lexer, &first);
    if (first.kind == TOK_NUMBER)
        set_line(pp, &first, true);
    else if (first.kind == TOK_IDENTIFIER && !strcmp(first.name->text, "pragma"))
        forwarded = pp_pragma(pp, token);
    else if (first.kind == TOK_IDENTIFIER)
        run_directive(pp, &first);
    else if (first.kind != PP_END_OF_LINE)
        diag_error(pp->diag, first.loc, "expected a directive name after '#'");
    drop_contexts(pp);
    skip_line(lexer);
    lexer->directive = false;
    return forwarded;
}
