// SPDX-License-Identifier: Apache-2.0
// The parser of build options; see options.h. Flags are rows of options.def; options with a value
// are the table below, where a value may be joined to its option or follow it.
#include "text/options.h"
#include "util/vec.h"

#include <stdio.h>
#include <string.h>

struct parser {
    struct arena *arena;
    const char *at;
    char *words; // where the next word is written
    bool link;
    struct kc_options *options;
    VEC(struct text_define) defines;
    VEC(const char *) ignored;
    char *why;
    size_t why_size;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool refuse(struct parser *parser, const char *format, const char *what)
{
    snprintf(parser->why, parser->why_size, format, what);
    return false;
}

// The next word with its quotes removed; NULL at the end. The end of the string closes an open quote.
static char *next_word(struct parser *parser)
{
    const char *p = parser->at;
    while (is_blank(*p))
        p++;
    if (!*p) {
        parser->at = p;
        return NULL;
    }
    char *word = parser->words, *to = word, quote = 0;
    for (; *p && (quote || !is_blank(*p)); p++) {
        if (*p == '\\' && quote != '\'' && p[1] && (strchr("\"'\\", p[1]) || is_blank(p[1])))
            *to++ = *++p;
        else if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else
            *to++ = *p;
    }
    *to++ = 0;
    parser->words = to;
    parser->at = p;
    return word;
}

// Whether a name may begin here; the preprocessor checks the rest. Bytes above 0x7f are UTF-8, a backslash begins a
// universal character name.
static bool begins_name(const char *text)
{
    char c = *text;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80 ||
           (c == '\\' && (text[1] == 'u' || text[1] == 'U'));
}

static bool add_define(struct parser *parser, enum text_define_kind kind, const char *text)
{
    vec_push(parser->arena, &parser->defines, ((struct text_define){kind, text}));
    return true;
}

static bool parse_define(struct parser *parser, const char *value)
{
    if (!begins_name(value))
        return refuse(parser, "-D %s: macro name must be an identifier", value);
    return add_define(parser, TEXT_DEFINE, value);
}

static bool parse_undef(struct parser *parser, const char *value)
{
    if (!begins_name(value))
        return refuse(parser, "-U %s: macro name must be an identifier", value);
    return add_define(parser, TEXT_UNDEF, value);
}

static bool parse_folder(struct parser *parser, const char *value)
{
    return add_define(parser, TEXT_INCLUDE_DIR, value);
}

// As in clang, small letters are accepted, and CL stands for CL1.0.
static bool parse_standard(struct parser *parser, const char *value)
{
    static const struct {
        const char *name;
        uint32_t version;
    } standards[] = {{"CL", 100}, {"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120},
                     {"CL2.0", 200}, {"CL3.0", 300}, {"CL3.1", 310}};
    bool named = !strncmp(value, "CL", 2) || !strncmp(value, "cl", 2);
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (named && !strcmp(value + 2, standards[i].name + 2)) {
            parser->options->version = standards[i].version;
            return true;
        }
    return refuse(parser, "-cl-std=%s: unknown version of OpenCL C", value);
}

static bool parse_language(struct parser *parser, const char *value)
{
    return refuse(parser, "-x %s: only OpenCL C is supported", value);
}

static const struct {
    const char *name;
    bool separate; // the value may be the next word
    bool (*parse)(struct parser *parser, const char *value);
} valued[] = {
    {"-cl-std=", false, parse_standard}, {"-D", true, parse_define},   {"-U", true, parse_undef},
    {"-I", true, parse_folder},          {"-x", true, parse_language},
};

static const struct {
    const char *name;
    size_t offset; // of a bool in struct kc_options
    bool link;
} flags[] = {
#define OPTION(name, field, link) {name, offsetof(struct kc_options, field), link},
#define IGNORED(name, whole_word, separate)
#include "text/options.def"
};

static const struct {
    const char *name;
    bool whole_word, separate;
} ignored[] = {
#define OPTION(name, field, link)
#define IGNORED(name, whole_word, separate) {name, whole_word, separate},
#include "text/options.def"
};

static bool parse_flag(struct parser *parser, const char *word, bool *known)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(word, flags[i].name))
            continue;
        *known = true;
        if (parser->link && !flags[i].link)
            return refuse(parser, "%s: not a linker option", word);
        *(bool *)((char *)parser->options + flags[i].offset) = true;
        return true;
    }
    return *known = false;
}

static bool parse_valued(struct parser *parser, const char *word, bool *known)
{
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        size_t length = strlen(valued[i].name);
        if (strncmp(word, valued[i].name, length))
            continue;
        *known = true;
        if (parser->link)
            return refuse(parser, "%s: not a linker option", word);
        const char *value = word + length;
        if (!*value && valued[i].separate)
            value = next_word(parser);
        if (!value || !*value)
            return refuse(parser, "%s: missing value", word);
        return valued[i].parse(parser, value);
    }
    return *known = false;
}

// Skips the value of an ignored option.
static void skip_value(struct parser *parser)
{
    const char *p = parser->at;
    while (is_blank(*p))
        p++;
    if (*p >= '0' && *p <= '9')
        next_word(parser);
}

static bool parse_ignored(struct parser *parser, const char *word)
{
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        size_t length = strlen(ignored[i].name);
        if (strncmp(word, ignored[i].name, length) || !word[length] != ignored[i].whole_word)
            continue;
        if (ignored[i].separate)
            skip_value(parser);
        vec_push(parser->arena, &parser->ignored, word);
        return true;
    }
    return false;
}

static bool parse_option(struct parser *parser, const char *word)
{
    bool known;
    bool good = parse_flag(parser, word, &known) || (!known && parse_valued(parser, word, &known));
    if (!known && parse_ignored(parser, word))
        return true;
    return known ? good : refuse(parser, "%s: unknown option", word);
}

// Only a link may create a library.
static bool check_library(struct parser *parser)
{
    const struct kc_options *options = parser->options;
    if (!parser->link && (options->create_library || options->enable_link_options))
        return refuse(parser, "%s: a linker option, not a compiler option",
                      options->create_library ? "-create-library" : "-enable-link-options");
    if (options->enable_link_options && !options->create_library)
        return refuse(parser, "%s: requires -create-library", "-enable-link-options");
    return true;
}

static void imply(struct kc_options *options)
{
    options->finite_math_only |= options->fast_relaxed_math;
    options->unsafe_math_optimizations |= options->fast_relaxed_math;
    options->no_signed_zeros |= options->unsafe_math_optimizations;
    options->mad_enable |= options->unsafe_math_optimizations;
}

enum kc_status options_parse(struct arena *arena, const char *text, bool link,
                             struct kc_options *options, char *why, size_t why_size)
{
    struct parser parser = {.arena = arena,
                            .at = text ? text : "",
                            .link = link,
                            .options = options,
                            .why = why,
                            .why_size = why_size};
    *options = (struct kc_options){.version = OPTIONS_DEFAULT_VERSION};
    parser.words = arena_alloc(arena, strlen(parser.at) + 1);
    if (why_size)
        *why = 0;
    for (char *word; (word = next_word(&parser));)
        if (!parse_option(&parser, word))
            return KC_INVALID_OPTIONS;
    if (!check_library(&parser))
        return KC_INVALID_OPTIONS;
    imply(options);
    options->defines = parser.defines.items;
    options->define_count = parser.defines.count;
    options->ignored = parser.ignored.items;
    options->ignored_count = parser.ignored.count;
    return KC_OK;
}

enum kc_status kc_check_options(const char *options, bool link, char *why, size_t why_size)
{
    jmp_buf full;
    struct arena arena;
    struct kc_options parsed;
    arena_init(&arena, 0, &full);
    if (setjmp(full)) {
        arena_finish(&arena);
        return KC_OUT_OF_MEMORY;
    }
    enum kc_status status = options_parse(&arena, options, link, &parsed, why, why_size);
    arena_finish(&arena);
    return status;
}
