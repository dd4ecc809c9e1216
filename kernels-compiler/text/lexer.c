// SPDX-License-Identifier: Apache-2.0
// The lexer; see lexer.h.
//
// One table classifies characters, another operators. A backslash-newline may stand anywhere, even inside a name, but
// is rare: loops run over plain bytes and test for it only where they stop. Only the text of tokens that contain one
// is copied.
#include "text/lexer.h"

#include "text/universal.h"
#include "util/str.h"
#include "util/utf8.h"
#include "util/vec.h"

#include <string.h>

enum {
    NAME_START = 1,
    NAME_PART = 2,
    SPACE = 4,
    NEWLINE = 8,
    DIGIT = 16,
    OPERATOR = 32,
    QUOTE = 64,
    HIGH = 128
};

static const unsigned char classes[256] = {
    ['a' ... 'z'] = NAME_START | NAME_PART,
    ['A' ... 'Z'] = NAME_START | NAME_PART,
    ['_'] = NAME_START | NAME_PART,
    ['$'] = NAME_START | NAME_PART,
    ['0' ... '9'] = DIGIT | NAME_PART,
    // clang-format off
    [' '] = SPACE, ['\t'] = SPACE, ['\v'] = SPACE, ['\f'] = SPACE,
    ['\n'] = NEWLINE, ['\r'] = NEWLINE,
    ['"'] = QUOTE, ['\''] = QUOTE,
    ['!'] = OPERATOR, ['#'] = OPERATOR, ['%'] = OPERATOR, ['&'] = OPERATOR, ['('] = OPERATOR,
    [')'] = OPERATOR, ['*'] = OPERATOR, ['+'] = OPERATOR, [','] = OPERATOR, ['-'] = OPERATOR,
    ['.'] = OPERATOR, ['/'] = OPERATOR, [':'] = OPERATOR, [';'] = OPERATOR, ['<'] = OPERATOR,
    ['='] = OPERATOR, ['>'] = OPERATOR, ['?'] = OPERATOR, ['['] = OPERATOR, [']'] = OPERATOR,
    ['^'] = OPERATOR, ['{'] = OPERATOR, ['|'] = OPERATOR, ['}'] = OPERATOR, ['~'] = OPERATOR,
    // clang-format on
    [128 ... 255] = HIGH,
};

// Token kinds for an operator's character once, once before '=', twice, and twice before '='; 0: no such operator.
struct spellings {
    unsigned char once, assign, twice, twice_assign;
};

static const struct spellings operators[128] = {
    ['!'] = {TOK_BANG, TOK_NE, 0, 0},
    ['#'] = {TOK_HASH, 0, TOK_HASH_HASH, 0},
    ['%'] = {TOK_PERCENT, TOK_PERCENT_ASSIGN, 0, 0},
    ['&'] = {TOK_AMP, TOK_AMP_ASSIGN, TOK_AMP_AMP, 0},
    ['('] = {TOK_LPAREN, 0, 0, 0},
    [')'] = {TOK_RPAREN, 0, 0, 0},
    ['*'] = {TOK_STAR, TOK_STAR_ASSIGN, 0, 0},
    ['+'] = {TOK_PLUS, TOK_PLUS_ASSIGN, TOK_INC, 0},
    [','] = {TOK_COMMA, 0, 0, 0},
    ['-'] = {TOK_MINUS, TOK_MINUS_ASSIGN, TOK_DEC, 0},
    ['.'] = {TOK_DOT, 0, 0, 0},
    ['/'] = {TOK_SLASH, TOK_SLASH_ASSIGN, 0, 0},
    [':'] = {TOK_COLON, 0, 0, 0},
    [';'] = {TOK_SEMICOLON, 0, 0, 0},
    ['<'] = {TOK_LT, TOK_LE, TOK_SHL, TOK_SHL_ASSIGN},
    ['='] = {TOK_ASSIGN, 0, TOK_EQ, 0},
    ['>'] = {TOK_GT, TOK_GE, TOK_SHR, TOK_SHR_ASSIGN},
    ['?'] = {TOK_QUESTION, 0, 0, 0},
    ['['] = {TOK_LBRACKET, 0, 0, 0},
    [']'] = {TOK_RBRACKET, 0, 0, 0},
    ['^'] = {TOK_CARET, TOK_CARET_ASSIGN, 0, 0},
    ['{'] = {TOK_LBRACE, 0, 0, 0},
    ['|'] = {TOK_PIPE, TOK_PIPE_ASSIGN, TOK_PIPE_PIPE, 0},
    ['}'] = {TOK_RBRACE, 0, 0, 0},
    ['~'] = {TOK_TILDE, 0, 0, 0},
};

// Operators of two different characters, including digraphs (C 6.4.6).
static const struct {
    char text[3];
    unsigned char kind;
} pairs[] = {
    {"->", TOK_ARROW},  {"<:", TOK_LBRACKET}, {":>", TOK_RBRACKET},
    {"<%", TOK_LBRACE}, {"%>", TOK_RBRACE},   {"%:", TOK_HASH},
};

// ---- names ----------------------------------------------------------------------------

enum { HASH_SEED = 0x811c9dc5, FIRST_CAPACITY = 512 };

static inline uint32_t hash_step(uint32_t hash, unsigned char c)
{
    return (hash ^ c) * 0x01000193;
}

static struct pp_name **names_slot(const struct pp_names *names, uint32_t hash, const char *text,
                                   size_t length)
{
    size_t mask = names->capacity - 1, i = (hash ^ hash >> 15) & mask;
    for (;; i = (i + 1) & mask) {
        struct pp_name *name = names->slots[i];
        if (!name ||
            (name->hash == hash && name->length == length && !memcmp(name->text, text, length)))
            return &names->slots[i];
    }
}

static void names_grow(struct pp_names *names)
{
    struct pp_names old = *names;
    names->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
    names->slots = ARENA_ARRAY(names->arena, struct pp_name *, names->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        struct pp_name *name = old.slots[i];
        if (name)
            *names_slot(names, name->hash, name->text, name->length) = name;
    }
}

static void name_use(struct pp_names *names, struct pp_name *name)
{
    name->text = intern_string(names->intern, name->text, name->length);
    name->seen = true;
    if (names->first_use && name->keyword == TOK_IDENTIFIER)
        names->first_use(names->context, name);
}

static struct pp_name *names_find(struct pp_names *names, uint32_t hash, const char *text,
                                  size_t length)
{
    struct pp_name **slot = names_slot(names, hash, text, length), *name = *slot;
    if (name) {
        if (!name->seen)
            name_use(names, name);
        return name;
    }
    name = ARENA_NEW(names->arena, struct pp_name);
    *name = (struct pp_name){
        .text = text, .length = (uint32_t)length, .hash = hash, .keyword = TOK_IDENTIFIER};
    *slot = name;
    name_use(names, name);
    if (++names->count * 2 > names->capacity)
        names_grow(names);
    return name;
}

static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = HASH_SEED;
    for (size_t i = 0; i < length; i++)
        hash = hash_step(hash, (unsigned char)text[i]);
    return hash;
}

struct pp_name *names_get(struct pp_names *names, const char *text, size_t length)
{
    return names_find(names, hash_text(text, length), text, length);
}

static const struct {
    const char *text;
    unsigned char length, kind;
} keywords[] = {
#define KEYWORD(id, spelling) {spelling, sizeof(spelling) - 1, TOK_##id},
#include "text/tokens.def"
};

void names_init(struct pp_names *names, struct arena *arena, struct intern *intern)
{
    enum { COUNT = sizeof keywords / sizeof *keywords };
    *names = (struct pp_names){.arena = arena, .intern = intern, .count = COUNT};
    names_grow(names);
    struct pp_name *name = ARENA_ARRAY(arena, struct pp_name, COUNT);
    for (size_t i = 0; i < COUNT; i++, name++) {
        name->text = keywords[i].text;
        name->length = keywords[i].length;
        name->keyword = keywords[i].kind;
        name->hash = hash_text(name->text, name->length);
        *names_slot(names, name->hash, name->text, name->length) = name;
    }
}

// ---- moving over the text -------------------------------------------------------------

// The character that a trigraph (C 5.2.1.1) stands for; 0 if `p` is not at a trigraph.
static unsigned char trigraph(const unsigned char *p, const unsigned char *end)
{
    static const char thirds[] = "=/'()!<>-", meanings[] = "#\\^[]|{}~";
    const char *third = end - p > 2 && p[0] == '?' && p[1] == '?' && p[2] ? strchr(thirds, p[2]) : NULL;
    return third ? (unsigned char)meanings[third - thirds] : 0;
}

static const unsigned char *next_trigraph(const unsigned char *p, const unsigned char *end)
{
    while (p < end && (p = memchr(p, '?', (size_t)(end - p))))
        if (trigraph(p, end))
            return p;
        else
            p++;
    return NULL;
}

// Replaces the trigraphs of the text. The lexer remembers their places for columns and warnings.
static const char *replace_trigraphs(struct lexer *lexer, struct arena *arena, const char *text, size_t *length)
{
    const unsigned char *from = (const unsigned char *)text, *end = from + *length, *next = next_trigraph(from, end);
    if (!next)
        return text;
    unsigned char *copy = arena_alloc(arena, *length + 1), *to = copy;
    VEC(const unsigned char *) places = {0};
    for (; next; next = next_trigraph(from, end)) {
        memcpy(to, from, (size_t)(next - from));
        to += next - from;
        vec_push(arena, &places, to);
        *to++ = trigraph(next, end);
        from = next + 3;
    }
    memcpy(to, from, (size_t)(end - from) + 1);
    *length = (size_t)(to - copy) + (size_t)(end - from);
    lexer->trigraphs = places.items;
    lexer->trigraph_count = places.count;
    return (const char *)copy;
}

void lexer_init(struct lexer *lexer, struct pp_names *names, struct diag *diag, uint32_t file,
                const char *text, size_t length)
{
    *lexer = (struct lexer){.trigraphs = NULL};
    text = replace_trigraphs(lexer, names->arena, text, &length);
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        at += 3;
    lexer->begin = lexer->at = lexer->line_begin = at;
    lexer->end = end;
    lexer->file = file;
    lexer->line = 1;
    lexer->line_start = true;
    lexer->arena = names->arena;
    lexer->names = names;
    lexer->diag = diag;
}

static size_t trigraphs_before(const struct lexer *lexer, const unsigned char *place)
{
    size_t low = 0, high = lexer->trigraph_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (lexer->trigraphs[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The column in the programmer's text, where each trigraph is three characters.
static uint32_t column_of(const struct lexer *lexer, const unsigned char *line, const unsigned char *place)
{
    size_t column = (size_t)(place - line) + 1;
    if (lexer->trigraphs)
        column += 2 * (trigraphs_before(lexer, place) - trigraphs_before(lexer, line));
    return (uint32_t)column;
}

struct loc lexer_loc(const struct lexer *lexer)
{
    return (struct loc){
        .file = lexer->file, .line = lexer->line, .column = column_of(lexer, lexer->line_begin, lexer->at)};
}

// Length in bytes of the backslash-newline at `p`; 0 if there is none. Blanks between backslash and newline are
// accepted, as other C compilers do, because they are invisible.
static size_t splice_length(const unsigned char *p)
{
    const unsigned char *q = p + 1;
    if (*p != '\\')
        return 0;
    while (*q == ' ' || *q == '\t')
        q++;
    if (*q == '\r')
        return (size_t)(q - p) + (q[1] == '\n' ? 2 : 1);
    return *q == '\n' ? (size_t)(q - p) + 1 : 0;
}

static bool skip_splices(struct lexer *lexer)
{
    bool any = false;
    for (size_t length; (length = splice_length(lexer->at)); any = true) {
        lexer->at += length;
        lexer->line++;
        lexer->line_begin = lexer->at;
    }
    lexer->spliced |= any;
    return any;
}

static inline void advance(struct lexer *lexer)
{
    if (*++lexer->at == '\\')
        skip_splices(lexer);
}

static void skip_newline(struct lexer *lexer)
{
    lexer->at += lexer->at[0] == '\r' && lexer->at[1] == '\n' ? 2 : 1;
    lexer->line++;
    lexer->line_begin = lexer->at;
}

static inline bool at_end(const struct lexer *lexer)
{
    return lexer->at >= lexer->end;
}

// Skips characters of the given classes, which the end, a line end and a backslash do not have, and splices.
static inline void skip_classes(struct lexer *lexer, unsigned plain)
{
    do
        while (classes[*lexer->at] & plain)
            lexer->at++;
    while (*lexer->at == '\\' && skip_splices(lexer));
}

static void skip_line_comment(struct lexer *lexer)
{
    for (;; advance(lexer)) {
        skip_classes(lexer, NAME_PART | SPACE | OPERATOR | QUOTE | HIGH);
        if (at_end(lexer) || classes[*lexer->at] & NEWLINE)
            return;
    }
}

static void skip_block_comment(struct lexer *lexer, struct loc start)
{
    advance(lexer); // the *
    while (!at_end(lexer)) {
        unsigned char c = *lexer->at;
        if (classes[c] & NEWLINE) {
            skip_newline(lexer);
            continue;
        }
        if (c == '/' && lexer->at[1] == '*' && lexer->at[2] != '/')
            diag_warning(lexer->diag, lexer_loc(lexer), "'/*' within block comment");
        advance(lexer);
        if (c == '*' && *lexer->at == '/') {
            advance(lexer);
            return;
        }
    }
    diag_error(lexer->diag, start, "unterminated /* comment");
}

// Skips the comment that begins here, if any. Returns whether it did.
static bool skip_comment(struct lexer *lexer)
{
    struct lexer before = *lexer;
    advance(lexer);
    if (*lexer->at == '/')
        skip_line_comment(lexer);
    else if (*lexer->at == '*')
        skip_block_comment(lexer, lexer_loc(&before));
    else
        *lexer = before;
    return lexer->at != before.at;
}

// Skips a blank beyond ASCII; text copied from web pages has them.
static bool skip_wide_blank(struct lexer *lexer)
{
    size_t length = utf8_length(lexer->at, (size_t)(lexer->end - lexer->at));
    uint32_t character = length ? utf8_decode(lexer->at, length) : 0;
    if (universal_kind(character) != UNIVERSAL_BLANK)
        return false;
    diag_warning(lexer->diag, lexer_loc(lexer), "treating Unicode character U+%04X as whitespace", (unsigned)character);
    lexer->at += length;
    return true;
}

// Skips white space, comments and line ends (line ends not in a directive). Returns the flags of the next token.
static unsigned skip_space(struct lexer *lexer)
{
    unsigned flags = lexer->line_start ? PP_LINE_START : 0;
    lexer->line_start = false;
    for (;; flags |= PP_SPACE) {
        while (classes[*lexer->at] & SPACE) {
            lexer->at++;
            flags |= PP_SPACE;
        }
        unsigned char c = *lexer->at;
        if (classes[c] & NEWLINE) {
            if (lexer->directive)
                return flags;
            skip_newline(lexer);
            flags |= PP_LINE_START;
        } else if (c == '/') {
            if (!skip_comment(lexer))
                return flags;
        } else if (c == '\\') {
            if (!skip_splices(lexer))
                return flags;
        } else if (c == 0 && !at_end(lexer)) {
            lexer->at++; // callers often include the terminator in the length
        } else if (!(classes[c] & HIGH) || !skip_wide_blank(lexer)) {
            return flags;
        }
    }
}

// ---- tokens ---------------------------------------------------------------------------

// The text from `start` to here, without splices.
static const char *text_since(struct lexer *lexer, const unsigned char *start, uint32_t *length)
{
    *length = (uint32_t)(lexer->at - start);
    if (!lexer->spliced)
        return (const char *)start;
    char *copy = arena_alloc(lexer->arena, *length + 1), *to = copy;
    for (const unsigned char *p = start; p < lexer->at;) {
        size_t splice = splice_length(p);
        if (splice)
            p += splice;
        else
            *to++ = (char)*p++;
    }
    *to = 0;
    *length = (uint32_t)(to - copy);
    return copy;
}

// Length in bytes of the non-ASCII character here if it may be part of a name, else 0.
static size_t wide_name_part(const struct lexer *lexer, bool first, uint32_t *character)
{
    const char *at = (const char *)lexer->at, *error = NULL;
    size_t length;
    if (*at == '\\') {
        if (at[1] != 'u' && at[1] != 'U')
            return 0;
        length = universal_read(at, character, &error);
        if (*character == '$' && !error)
            return length;
    } else {
        length = utf8_length(at, (size_t)(lexer->end - lexer->at));
        *character = length ? utf8_decode(at, length) : 0;
    }
    enum universal_kind kind = universal_kind(*character);
    return !error && (kind == UNIVERSAL_LETTER || (kind == UNIVERSAL_NUMERAL && !first)) ? length : 0;
}

static bool is_wide(unsigned char c) { return c == '\\' || classes[c] & HIGH; }

static bool starts_wide_name(const struct lexer *lexer)
{
    uint32_t character;
    return is_wide(*lexer->at) && wide_name_part(lexer, true, &character);
}

// A name that contains splices, non-ASCII characters or universal character names.
static void lex_wide_name(struct lexer *lexer, struct pp_token *token)
{
    struct str text;
    bool first = true;
    str_init(&text, lexer->arena);
    for (;; first = false) {
        char bytes[UTF8_MAX];
        uint32_t character;
        size_t length = 1;
        if (classes[*lexer->at] & NAME_PART) {
            str_addc(&text, (char)*lexer->at);
        } else {
            length = is_wide(*lexer->at) ? wide_name_part(lexer, first, &character) : 0;
            if (!length)
                break;
            str_addn(&text, bytes, utf8_encode(character, bytes));
        }
        lexer->at += length - 1;
        advance(lexer);
    }
    token->kind = TOK_IDENTIFIER;
    token->name = names_get(lexer->names, text.text, text.length);
}

static void lex_name(struct lexer *lexer, struct pp_token *token)
{
    const unsigned char *start = lexer->at, *p = start;
    uint32_t hash = HASH_SEED;
    do
        hash = hash_step(hash, *p++);
    while (classes[*p] & NAME_PART);
    if (is_wide(*p)) {
        lex_wide_name(lexer, token);
        return;
    }
    lexer->at = p;
    token->kind = TOK_IDENTIFIER;
    token->name = names_find(lexer->names, hash, (const char *)start, (size_t)(p - start));
}

static void set_text(struct lexer *lexer, struct pp_token *token, unsigned kind,
                     const unsigned char *start)
{
    const char *text = text_since(lexer, start, &token->length);
    token->kind = (uint8_t)kind;
    token->text =
        kind == TOK_OTHER ? text : intern_string(lexer->names->intern, text, token->length);
}

// A preprocessing number (C 6.4.8). It accepts more than valid numbers, so pasting and suffixes need no special case.
static void lex_number(struct lexer *lexer, struct pp_token *token)
{
    const unsigned char *start = lexer->at;
    for (;;) {
        unsigned char c = *lexer->at | 0x20;
        if (!(classes[*lexer->at] & NAME_PART) && *lexer->at != '.')
            break;
        advance(lexer);
        if ((c == 'e' || c == 'p') && (*lexer->at == '+' || *lexer->at == '-'))
            advance(lexer);
    }
    set_text(lexer, token, TOK_NUMBER, start);
}

// Skips a literal. Returns false if the line ends before the closing quote or if there is a NUL, because the parser
// reads spellings as C strings.
static bool skip_literal(struct lexer *lexer)
{
    unsigned char quote = *lexer->at;
    advance(lexer);
    while (*lexer->at && !(classes[*lexer->at] & NEWLINE)) {
        unsigned char c = *lexer->at;
        advance(lexer);
        if (c == quote)
            return true;
        if (c == '\\' && *lexer->at && !(classes[*lexer->at] & NEWLINE))
            advance(lexer);
    }
    return false;
}

static void lex_literal(struct lexer *lexer, struct pp_token *token)
{
    const unsigned char *start = lexer->at;
    unsigned kind = *start == '"' ? TOK_STRING : TOK_CHARACTER;
    set_text(lexer, token, skip_literal(lexer) ? kind : TOK_OTHER, start);
}

static bool lex_pair(struct lexer *lexer, struct pp_token *token, char first)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].text[0] == first && pairs[i].text[1] == (char)*lexer->at) {
            token->kind = pairs[i].kind;
            token->text = pairs[i].text;
            token->length = 2;
            advance(lexer);
            return true;
        }
    return false;
}

// After the digraph %: (#), looks for a second one: %:%: is ##.
static void lex_hash_digraph(struct lexer *lexer, struct pp_token *token)
{
    struct lexer before = *lexer;
    if (*lexer->at != '%')
        return;
    advance(lexer);
    if (*lexer->at == ':') {
        advance(lexer);
        token->kind = TOK_HASH_HASH;
        token->text = "%:%:";
        token->length = 4;
    } else {
        *lexer = before;
    }
}

static bool lex_dots(struct lexer *lexer)
{
    struct lexer before = *lexer;
    if (*lexer->at != '.')
        return false;
    advance(lexer);
    if (*lexer->at == '.') {
        advance(lexer);
        return true;
    }
    *lexer = before;
    return false;
}

static void lex_operator(struct lexer *lexer, struct pp_token *token)
{
    unsigned char c = *lexer->at;
    const struct spellings *op = &operators[c];
    unsigned kind = op->once;
    advance(lexer);
    if ((c == '-' || c == '<' || c == ':' || c == '%') && lex_pair(lexer, token, (char)c)) {
        if (token->kind == TOK_HASH)
            lex_hash_digraph(lexer, token);
        return;
    }
    if (c == '.' && lex_dots(lexer)) {
        kind = TOK_ELLIPSIS;
    } else if (op->twice && *lexer->at == c) {
        advance(lexer);
        kind = op->twice;
        if (op->twice_assign && *lexer->at == '=') {
            advance(lexer);
            kind = op->twice_assign;
        }
    } else if (op->assign && *lexer->at == '=') {
        advance(lexer);
        kind = op->assign;
    }
    token->kind = (uint8_t)kind;
    token->text = token_spelling(kind);
    token->length = (uint32_t)strlen(token->text);
}

static void lex_other(struct lexer *lexer, struct pp_token *token)
{
    const unsigned char *start = lexer->at;
    do
        advance(lexer);
    while (!at_end(lexer) && classes[*start] & HIGH && (*lexer->at & 0xc0) == 0x80);
    set_text(lexer, token, TOK_OTHER, start);
}

// For text that ends with a line end: the place to report something missing at the end.
static struct loc last_line_end(const struct lexer *lexer)
{
    const unsigned char *end = lexer->at - 1;
    if (end > lexer->begin && end[0] == '\n' && end[-1] == '\r')
        end--;
    const unsigned char *line = end;
    while (line > lexer->begin && !(classes[line[-1]] & NEWLINE))
        line--;
    return (struct loc){.file = lexer->file, .line = lexer->line - 1, .column = column_of(lexer, line, end)};
}

static void lex_end(struct lexer *lexer, struct pp_token *token)
{
    token->kind = lexer->directive ? PP_END_OF_LINE : TOK_EOF;
    token->text = "";
    token->length = 0;
    if (token->kind == TOK_EOF && lexer->at > lexer->begin && classes[lexer->at[-1]] & NEWLINE)
        token->loc = last_line_end(lexer);
}

static void lex_token(struct lexer *lexer, struct pp_token *token)
{
    unsigned char c = *lexer->at, class = classes[c];
    if (class & NAME_START)
        lex_name(lexer, token);
    else if (class & DIGIT || (c == '.' && classes[lexer->at[1]] & DIGIT))
        lex_number(lexer, token);
    else if (class & OPERATOR)
        lex_operator(lexer, token);
    else if (class & QUOTE)
        lex_literal(lexer, token);
    else if (class & NEWLINE || at_end(lexer))
        lex_end(lexer, token);
    else if (starts_wide_name(lexer))
        lex_wide_name(lexer, token);
    else
        lex_other(lexer, token);
}

// Trigraphs are rarely intended.
static void warn_trigraphs(struct lexer *lexer, const unsigned char *start, struct loc loc)
{
    for (size_t i = trigraphs_before(lexer, start); i < trigraphs_before(lexer, lexer->at); i++)
        diag_warning(lexer->diag, loc, "trigraph converted to '%c' character", *lexer->trigraphs[i]);
}

void lexer_next(struct lexer *lexer, struct pp_token *token)
{
    token->flags = (uint8_t)skip_space(lexer);
    token->loc = lexer_loc(lexer);
    lexer->spliced = false;
    const unsigned char *start = lexer->at;
    lex_token(lexer, token);
    if (lexer->trigraphs)
        warn_trigraphs(lexer, start, token->loc);
}

// ---- for directives -------------------------------------------------------------------

const char *lexer_header_name(struct lexer *lexer, size_t *length, char *quote)
{
    skip_space(lexer);
    const unsigned char *start = lexer->at;
    if (*start != '"' && *start != '<')
        return NULL;
    unsigned char close = *start == '"' ? '"' : '>';
    lexer->spliced = false;
    do
        advance(lexer);
    while (*lexer->at != close && !at_end(lexer) && !(classes[*lexer->at] & NEWLINE));
    if (*lexer->at != close)
        return NULL;
    uint32_t count;
    const char *text = text_since(lexer, start, &count);
    advance(lexer);
    *quote = (char)*start;
    *length = count - 1;
    return text + 1;
}

// Skips to the end of this line or the start of a comment.
static void skip_line(struct lexer *lexer)
{
    for (;;) {
        skip_classes(lexer, NAME_PART | SPACE);
        if (at_end(lexer) || classes[*lexer->at] & NEWLINE)
            return;
        if (classes[*lexer->at] & QUOTE)
            skip_literal(lexer);
        else if (*lexer->at == '/' && skip_comment(lexer))
            continue;
        else
            advance(lexer);
    }
}

bool lexer_skip_to_hash(struct lexer *lexer, struct loc *hash)
{
    for (;; skip_line(lexer)) {
        unsigned flags = skip_space(lexer);
        if (at_end(lexer))
            return false;
        *hash = lexer_loc(lexer);
        bool digraph = lexer->at[0] == '%' && lexer->at[1] == ':';
        if (!(flags & PP_LINE_START) || (*lexer->at != '#' && !digraph))
            continue;
        advance(lexer);
        if (digraph)
            advance(lexer);
        return true;
    }
}

const char *pp_token_text(const struct pp_token *token)
{
    return token->kind == TOK_IDENTIFIER ? token->name->text : token->text;
}
