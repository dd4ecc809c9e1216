// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions: name -> rows of builtins.def -> the overloads that the rows describe -> the best
// match.
//
// Built-ins are not declared: a row is a pattern over element types and lane counts, expanded when its name is
// called. convert_* and as_* have no rows; their names are parsed.
#include "ast/builtins.h"
#include "ast/scope.h"
#include "ast/sema_base.h"
#include "util/hash.h"
#include <string.h>

// Element types of a row: a bit for each basic type kind, and above them one for each image type.
#define KIND(kind) (UINT32_C(1) << TYPE_##kind)
enum { IMAGE_SHIFT = TYPE_VECTOR - OPAQUE_IMAGE1D };
#define IMAGE(opaque) (UINT32_C(1) << (IMAGE_SHIFT + OPAQUE_##opaque))

#define NONE 0
#define INT8 (KIND(CHAR) | KIND(UCHAR))
#define INT16 (KIND(SHORT) | KIND(USHORT))
#define INT32 (KIND(INT) | KIND(UINT))
#define INT64 (KIND(LONG) | KIND(ULONG))
#define INTEGERS (INT8 | INT16 | INT32 | INT64)
#define SIGNED (KIND(CHAR) | KIND(SHORT) | KIND(INT) | KIND(LONG))
#define HALF KIND(HALF)
#define FLOAT KIND(FLOAT)
#define DOUBLE KIND(DOUBLE)
#define FLOATS (KIND(HALF) | KIND(FLOAT) | KIND(DOUBLE))
#define IMAGE1D IMAGE(IMAGE1D)
#define IMAGE1D_BUFFER IMAGE(IMAGE1D_BUFFER)
#define IMAGE1D_ARRAY IMAGE(IMAGE1D_ARRAY)
#define IMAGE2D IMAGE(IMAGE2D)
#define IMAGE2D_ARRAY IMAGE(IMAGE2D_ARRAY)
#define IMAGE2D_DEPTH IMAGE(IMAGE2D_DEPTH)
#define IMAGE2D_ARRAY_DEPTH IMAGE(IMAGE2D_ARRAY_DEPTH)
#define IMAGE2D_MSAA IMAGE(IMAGE2D_MSAA)
#define IMAGE2D_ARRAY_MSAA IMAGE(IMAGE2D_ARRAY_MSAA)
#define IMAGE2D_MSAA_DEPTH IMAGE(IMAGE2D_MSAA_DEPTH)
#define IMAGE2D_ARRAY_MSAA_DEPTH IMAGE(IMAGE2D_ARRAY_MSAA_DEPTH)
#define IMAGE3D IMAGE(IMAGE3D)
#define IMAGES_2D                                                                                  \
    (IMAGE2D | IMAGE2D_ARRAY | IMAGE2D_DEPTH | IMAGE2D_ARRAY_DEPTH | IMAGE2D_MSAA |                \
     IMAGE2D_ARRAY_MSAA | IMAGE2D_MSAA_DEPTH | IMAGE2D_ARRAY_MSAA_DEPTH)
#define IMAGES (IMAGES_2D | IMAGE1D | IMAGE1D_BUFFER | IMAGE1D_ARRAY | IMAGE3D)

enum { // bit i: lane_counts[i]
    L1 = 1,
    L2 = 2,
    L3 = 4,
    L4 = 8,
    L8 = 16,
    L16 = 32,
    ALL_LANES = 63,
    VECTORS = 62,
    UP_TO_4 = 15,
    EVEN_LANES = L2 | L4 | L8 | L16,
};
static const uint8_t lane_counts[] = {1, 2, 3, 4, 8, 16};

struct row {
    const char *name;
    uint16_t version;
    const char *needs;
    uint32_t elements;
    uint8_t lanes;
    const char *signature;
    uint8_t impl, special;
    uint16_t op;
    const char *op_name;
};

#define OP(name) BUILTIN_OP, 0, 0, #name
#define SPECIAL(x, number) BUILTIN_GEN, BUILTIN_##x, number, NULL
#define LIB BUILTIN_LIB, 0, 0, NULL
#define LIB_OR(x, number) BUILTIN_LIB, BUILTIN_##x, number, NULL
#define LIB_EXACT BUILTIN_LIB_EXACT, 0, 0, NULL
#define MISSING BUILTIN_MISSING, 0, 0, NULL
#define BUILTIN(name, version, needs, elements, lanes, signature, ...)                             \
    {name, version, needs, elements, lanes, signature, __VA_ARGS__},
static const struct row rows[] = {
#include "ast/builtins.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// ---- lookup -------------------------------------------------------------------------------------

// The first row with this name; NULL if there is none.
static const struct row *find_row(const char *name)
{
    size_t low = 0, high = ROW_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(rows[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ROW_COUNT && !strcmp(rows[low].name, name) ? &rows[low] : NULL;
}

static const struct row *next_row(const struct row *row)
{
    return row + 1 < rows + ROW_COUNT && !strcmp(row[1].name, row->name) ? row + 1 : NULL;
}

size_t builtin_row_count(void)
{
    return ROW_COUNT;
}

const char *builtin_row_name(size_t index)
{
    return rows[index].name;
}

// A signature's words are [pointer letter] letter [digits]. Letters for the row's type require elements. `...` is
// last.
bool builtin_row_well_formed(size_t index)
{
    const struct row *row = &rows[index];
    const char *p = row->signature;
    for (unsigned words = 0; *p; words++) {
        if (words && !strcmp(p, "..."))
            return true;
        p += strchr("*&@><}{", *p) != NULL;
        if (!*p || !strchr(row->elements ? "GgUSWRJjATrqwvbcytiulmzhfEsQV" : "vbcytiulmzhfEsQV", *p) ||
            words > CANDIDATE_PARAMS)
            return false;
        p += 1 + strspn(p + 1, "0123456789");
        if (*p && *p++ != ' ')
            return false;
    }
    return row->signature[0] != '\0';
}

// ---- what a row needs ---------------------------------------------------------------------------

static const char *const extension_names[] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = name,
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = name,
#include "pumice/extensions.def"
};

static bool has_word(const struct ast *ast, const char *word, size_t length)
{
    if (length == 3 && !memcmp(word, "cl2", 3))
        return ast->version >= 200 && ast->version < 300;
    if (length == 7 && !memcmp(word, "library", 7))
        return ast->library;
    if (length == 6 && !memcmp(word, "images", 6))
        return ast->target->images;
    for (size_t i = 0; i < sizeof extension_names / sizeof *extension_names; i++)
        if (strlen(extension_names[i]) == length && !memcmp(extension_names[i], word, length))
            return ast_has(ast, (enum kc_extension)i);
    return false;
}

// "a|b c" means (a or b) and c. Returns the first group of which nothing is available; NULL if all are met.
static const char *first_unmet(const struct ast *ast, const char *needs, size_t *length)
{
    for (const char *p = needs; p && *p; p += *p == ' ') {
        const char *group = p;
        bool any = false;
        for (bool more = true; more; p += more) {
            size_t word = strcspn(p, "| ");
            any |= has_word(ast, p, word);
            p += word;
            more = *p == '|';
        }
        *length = (size_t)(p - group);
        if (!any)
            return group;
    }
    return NULL;
}

static bool needs_met(const struct ast *ast, const char *needs)
{
    size_t length;
    return !first_unmet(ast, needs, &length);
}

static bool element_exists(const struct ast *ast, enum type_kind kind)
{
    if (kind == TYPE_HALF)
        return ast_has(ast, KC_EXT_FP16);
    return kind != TYPE_DOUBLE || ast_has(ast, KC_EXT_FP64);
}

// ---- expansion ----------------------------------------------------------------------------------

struct shape {
    struct ast *ast;
    struct type *element; // NULL: the row has no element type
    unsigned lanes;
    bool widen; // treat g and j parameters as G and J
};

static struct type *with_lanes(const struct shape *s, struct type *element, unsigned lanes)
{
    return lanes > 1 ? type_vector(s->ast->types, element, lanes) : element;
}

static struct type *int_of_size(const struct shape *s, uint64_t size, bool is_signed)
{
    enum type_kind kind = size == 1   ? TYPE_CHAR
                          : size == 2 ? TYPE_SHORT
                          : size == 4 ? TYPE_INT
                                      : TYPE_LONG;
    return type_basic(s->ast->types, is_signed ? kind : kind + 1);
}

static struct type *fixed_type(const struct shape *s, char letter, bool result)
{
    static const char letters[] = "vbcytiulmzhf";
    static const enum type_kind kinds[] = {TYPE_VOID, TYPE_BOOL,  TYPE_CHAR,  TYPE_UCHAR, TYPE_USHORT, TYPE_INT,
                                           TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_ULONG, TYPE_HALF,   TYPE_FLOAT};
    if (letter == 'z' && result) // parameters: an argument of any width is extended
        return type_basic(s->ast->types, scope_narrowed(s->ast, TYPE_ULONG));
    if (letter == 'E' || letter == 's')
        return &s->ast->types->opaque[letter == 'E' ? OPAQUE_EVENT : OPAQUE_SAMPLER];
    if (letter == 'Q' || letter == 'V')
        return &s->ast->types->opaque[letter == 'Q' ? OPAQUE_QUEUE : OPAQUE_CLK_EVENT];
    const char *at = strchr(letters, letter);
    return type_basic(s->ast->types, at ? kinds[at - letters] : TYPE_ERROR);
}

// The type that a letter stands for; `arg` is the corresponding argument, NULL for results.
static struct type *letter_type(const struct shape *s, char letter, const struct expr *arg)
{
    struct type *e = s->element, *i = type_basic(s->ast->types, TYPE_INT);
    switch (letter) {
    case 'G':
        return with_lanes(s, e, s->lanes);
    case 'g':
        return s->widen ? with_lanes(s, e, s->lanes) : e;
    case 'U':
    case 'S':
        return with_lanes(s, int_of_size(s, e->size, letter == 'S'), s->lanes);
    case 'W':
        return with_lanes(s, int_of_size(s, e->size * 2, type_is_signed(e)), s->lanes);
    case 'R':
        return s->lanes == 1 ? i : with_lanes(s, int_of_size(s, e->size, true), s->lanes);
    case 'J':
        return with_lanes(s, i, s->lanes);
    case 'j':
        return s->widen ? with_lanes(s, i, s->lanes) : i;
    case 'A':
        return with_lanes(s, e,
                          arg && type_lanes(arg->type.type) != 3 ? type_lanes(arg->type.type) : 2);
    case 'T':
    case 'r':
    case 'q':
    case 'w':
        return e;
    default:
        return fixed_type(s, letter, !arg);
    }
}

// The address spaces that a pointer letter admits. `first` is used if the argument does not determine the space.
static const struct pointer_letter {
    char letter;
    uint8_t spaces, first, quals;
} pointer_letters[] = {
    {'*', 1 << SPACE_PRIVATE | 1 << SPACE_LOCAL | 1 << SPACE_GLOBAL | 1 << SPACE_GENERIC,
     SPACE_PRIVATE, 0},
    {'&', 31, SPACE_GLOBAL, QUAL_CONST | QUAL_VOLATILE},
    {'@', 1 << SPACE_LOCAL | 1 << SPACE_GLOBAL | 1 << SPACE_GENERIC, SPACE_GLOBAL, QUAL_VOLATILE},
    {'>', 1 << SPACE_GLOBAL, SPACE_GLOBAL, 0},
    {'<', 1 << SPACE_LOCAL, SPACE_LOCAL, 0},
    {'}', 1 << SPACE_GLOBAL, SPACE_GLOBAL, QUAL_CONST},
    {'{', 1 << SPACE_LOCAL, SPACE_LOCAL, QUAL_CONST},
};

static const struct pointer_letter *find_pointer_letter(char letter)
{
    for (size_t i = 0; i < sizeof pointer_letters / sizeof *pointer_letters; i++)
        if (pointer_letters[i].letter == letter)
            return &pointer_letters[i];
    return NULL;
}

// A pointer parameter adopts the argument's address space and those of its qualifiers that are compatible.
static struct type *pointer_type(const struct shape *s, const struct pointer_letter *how,
                                 struct type *pointee, const struct expr *arg)
{
    struct qtype target = {.type = pointee, .quals = how->quals, .space = how->first};
    if (arg && sema_is_pointer(arg)) {
        struct qtype given = arg->type.type->elem;
        if (how->spaces >> given.space & 1)
            target.space = given.space;
        target.quals = how->quals & QUAL_CONST ? given.quals : given.quals & (uint8_t)~QUAL_CONST;
    }
    return type_pointer(s->ast->types, target);
}

// An image parameter adopts the argument's access qualifier if the letter admits it.
static uint8_t access_of(char letter, const struct expr *arg)
{
    uint8_t given = arg ? arg->type.access : KC_ACCESS_NONE;
    bool both = given == KC_ACCESS_READ_WRITE;
    switch (letter) {
    case 'T':
        return given;
    case 'r':
        return KC_ACCESS_READ_ONLY;
    case 'q':
        return both ? given : KC_ACCESS_READ_ONLY;
    case 'w':
        return both ? given : KC_ACCESS_WRITE_ONLY;
    default:
        return KC_ACCESS_NONE;
    }
}

// Reads one word of a signature and advances *at.
static struct qtype word_type(const struct shape *s, const char **at, const struct expr *arg)
{
    const struct pointer_letter *pointer = find_pointer_letter(**at);
    *at += pointer != NULL;
    char letter = *(*at)++;
    struct shape shape = *s;
    shape.widen &= arg && !pointer; // results and pointees are not widened
    struct type *type = letter_type(&shape, letter, arg);
    unsigned lanes = 0;
    while (**at >= '0' && **at <= '9')
        lanes = lanes * 10 + (unsigned)(*(*at)++ - '0');
    if (lanes)
        type = with_lanes(s, type, lanes);
    if (pointer)
        type = pointer_type(s, pointer, type, arg);
    *at += **at == ' ';
    struct qtype result = qtype_of(type);
    result.access = access_of(letter, arg);
    return result;
}

static uint32_t count_params(const char *signature, bool *variadic)
{
    uint32_t count = 0;
    *variadic = false;
    for (const char *p = strchr(signature, ' '); p; p = strchr(p + 1, ' ')) {
        if (p[1] == '.')
            *variadic = true;
        else
            count++;
    }
    return count;
}

static void instantiate(const struct shape *s, const struct row *row, struct expr **args,
                        uint32_t count, struct qtype *result, struct qtype *params)
{
    const char *at = row->signature;
    *result = word_type(s, &at, NULL);
    for (uint32_t i = 0; i < count; i++)
        params[i] = word_type(s, &at, args[i]);
}

// ---- candidates ---------------------------------------------------------------------------------

struct search {
    struct ast *ast;
    struct expr **args;
    uint32_t count;
    uint32_t elements; // element types of the arguments and of their pointees
    uint8_t lanes;     // lane counts of the arguments, and 1: no other lane count can match
    bool exact_only;
    struct candidate *list;  // candidates found so far
    struct candidate *exact; // exact match, which ends the search
};

static uint8_t lanes_bit(unsigned lanes)
{
    return (uint8_t)(lanes == 16 ? L16 : lanes == 8 ? L8 : 1u << (lanes - 1));
}

static void collect_argument_types(struct search *search)
{
    search->lanes = L1;
    for (uint32_t i = 0; i < search->count; i++) {
        struct type *type = search->args[i]->type.type;
        if (type->kind == TYPE_POINTER)
            type = type->elem.type;
        struct type *scalar = type_scalar(type);
        search->lanes |= lanes_bit(type_lanes(type));
        search->elements |= UINT32_C(1)
                            << (type->kind == TYPE_OPAQUE && type->opaque >= OPAQUE_IMAGE1D ? IMAGE_SHIFT + (int)type->opaque
                                                          : (int)scalar->kind);
    }
}

static void try_shape(struct search *search, const struct row *row, struct type *element,
                      unsigned lanes, uint32_t param_count, bool variadic)
{
    struct shape s = {.ast = search->ast, .element = element, .lanes = lanes};
    struct qtype result, params[CANDIDATE_PARAMS];
    instantiate(&s, row, search->args, param_count, &result, params);
    bool exact = true;
    for (uint32_t i = 0; i < param_count; i++) {
        enum overload_fit fit = overload_fit(search->ast, params[i], search->args[i]);
        if (fit == FIT_NONE)
            return;
        exact &= fit == FIT_EXACT;
        if (search->exact_only && !exact)
            return;
    }
    struct candidate *c = ARENA_NEW(search->ast->arena, struct candidate);
    *c = (struct candidate){
        .row = row, .param_count = param_count, .variadic = variadic, .next = search->list};
    // The parameter types for conversion: narrow ones widened.
    c->params =
        arena_copy(search->ast->arena, params, sizeof *params * (param_count ? param_count : 1));
    s.widen = true;
    c->final = ARENA_ARRAY(search->ast->arena, struct qtype, param_count ? param_count : 1);
    instantiate(&s, row, search->args, param_count, &c->result, c->final);
    search->list = c;
    if (exact)
        search->exact = c;
}

static struct type *row_element(struct ast *ast, unsigned bit)
{
    if (bit >= TYPE_VECTOR)
        return &ast->types->opaque[bit - IMAGE_SHIFT];
    return element_exists(ast, (enum type_kind)bit) ? type_basic(ast->types, (enum type_kind)bit)
                                                    : NULL;
}

static void try_row(struct search *search, const struct row *row)
{
    bool variadic;
    uint32_t params = count_params(row->signature, &variadic);
    if (search->count < params || (search->count > params && !variadic))
        return;
    if (!row->elements)
        try_shape(search, row, NULL, 1, params, variadic);
    bool one_count = !(row->lanes & (row->lanes - 1)); // the name determines the lane count: vload4
    uint8_t counts = one_count ? row->lanes : row->lanes & search->lanes;
    uint32_t elements = search->exact_only ? row->elements & search->elements : row->elements;
    for (; elements && !search->exact; elements &= elements - 1) {
        struct type *element = row_element(search->ast, (unsigned)__builtin_ctz(elements));
        for (unsigned l = 0; element && l < sizeof lane_counts && !search->exact; l++)
            if (counts >> l & 1)
                try_shape(search, row, element, lane_counts[l], params, variadic);
    }
}

static bool row_offered(const struct ast *ast, const struct row *row)
{
    return row->version <= ast->version && needs_met(ast, row->needs);
}

struct candidate *builtin_candidates(struct ast *ast, const char *name, struct expr **args,
                                     uint32_t count, struct candidate *list)
{
    struct search search = {.ast = ast, .args = args, .count = count};
    collect_argument_types(&search);
    for (int pass = 0; pass < 2 && !search.exact; pass++) {
        search.exact_only = pass == 0; // most calls match exactly, which needs few shapes
        for (const struct row *row = find_row(name); row && !search.exact; row = next_row(row))
            if (row_offered(ast, row))
                try_row(&search, row);
    }
    if (search.exact)
        search.exact->next = NULL, search.list = search.exact;
    while (search.list) {
        struct candidate *c = search.list;
        search.list = c->next;
        c->next = list;
        list = c;
    }
    return list;
}

// ---- the selected overload ----------------------------------------------------------------------

// With -cl-unsafe-math-optimizations: a faster form of a float library function. Some need accurate native functions.
static const char *relaxed_name(const struct ast *ast, const char *name, const struct type *scalar)
{
    static const struct {
        const char *name, *relaxed;
        bool any_device;
    } forms[] = {
        {"distance", "fast_distance", true},
        {"hypot", "relaxed_hypot", false},
        {"length", "fast_length", true},
        {"normalize", "fast_normalize", true},
        {"pow", "relaxed_pow", false},
    };
    bool wanted = ast->unsafe_math && scalar && scalar->kind == TYPE_FLOAT;
    for (size_t i = 0; wanted && i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(name, forms[i].name) && (forms[i].any_device || ast->target->close_natives))
            return forms[i].relaxed;
    return name;
}

static const char *library_name(struct ast *ast, const struct candidate *chosen, bool scalar)
{
    const struct row *row = chosen->row;
    const char *name = relaxed_name(ast, row->name, type_scalar(chosen->result.type));
    struct qtype *params = ARENA_ARRAY(ast->arena, struct qtype, chosen->param_count + 1);
    for (uint32_t i = 0; i < chosen->param_count; i++) {
        params[i] = chosen->final[i];
        if (scalar)
            params[i] = qtype_of(type_scalar(params[i].type));
    }
    return type_mangle(ast->arena, name, params, chosen->param_count);
}

static void report_missing(struct ast *ast, const char *name, struct loc loc)
{
    diag_error(ast->diag, loc, "'%s' is not implemented yet", name);
}

bool builtin_is_native(const struct kc_target *target, const char *name)
{
    size_t length = strlen(name), span;
    for (const char *word = target->mapping.natives; word && *word; word += span + (word[span] == ',')) {
        span = strcspn(word, ",");
        if (span == length && !memcmp(word, name, length))
            return true;
    }
    return target->mapping.native_math;
}

// The device's native function that replaces a float built-in: by the module's options, or by
// -cl-unsafe-math-optimizations if the relaxed error bounds of OpenCL C allow it (most functions then need an accurate
// native one). Returns its enum builtin_native, or -1.
static int relaxed_form(const struct ast *ast, const char *name, const struct type *scalar)
{
    static const struct {
        const char *name;
        enum builtin_native native;
        bool any_device;
    } forms[] = {
        {"cos", NATIVE_COS, true},  {"exp", NATIVE_EXP, false},     {"exp10", NATIVE_EXP10, false},
        {"exp2", NATIVE_EXP2, false}, {"log", NATIVE_LOG, false},   {"log10", NATIVE_LOG10, false},
        {"log2", NATIVE_LOG2, false}, {"powr", NATIVE_POWR, false}, {"sin", NATIVE_SIN, true},
        {"tan", NATIVE_TAN, true},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(name, forms[i].name) && (!scalar || scalar->kind == TYPE_FLOAT) &&
            ((ast->unsafe_math && (forms[i].any_device || ast->target->close_natives)) ||
             builtin_is_native(ast->target, name)))
            return (int)forms[i].native;
    return -1;
}

struct builtin *builtin_from_candidate(struct ast *ast, const struct candidate *chosen,
                                       struct loc loc)
{
    const struct row *row = chosen->row;
    int relaxed = relaxed_form(ast, row->name, type_scalar(chosen->result.type));
    if (row->impl == BUILTIN_MISSING && relaxed < 0) {
        report_missing(ast, row->name, loc);
        return NULL;
    }
    struct builtin *b = ARENA_NEW(ast->arena, struct builtin);
    *b = (struct builtin){.name = row->name,
                          .impl = (enum builtin_impl)row->impl,
                          .op = row->op,
                          .special = row->special,
                          .op_name = row->op_name,
                          .result = chosen->result,
                          .params = chosen->final,
                          .param_count = chosen->param_count};
    if (relaxed >= 0) {
        b->impl = BUILTIN_GEN;
        b->special = BUILTIN_NATIVE;
        b->op = (uint16_t)relaxed;
    }
    if (b->impl == BUILTIN_LIB || b->impl == BUILTIN_LIB_EXACT)
        b->lib_name = library_name(ast, chosen, b->impl == BUILTIN_LIB);
    return b;
}

static struct builtin *one_argument(struct ast *ast, const char *name, enum builtin_special special,
                                    unsigned op, struct type *result, struct type *param)
{
    struct builtin *b = ARENA_NEW(ast->arena, struct builtin);
    *b = (struct builtin){.name = name,
                          .impl = BUILTIN_GEN,
                          .special = (uint16_t)special,
                          .op = (uint16_t)op,
                          .result = qtype_of(result),
                          .param_count = 1};
    b->params = ARENA_ARRAY(ast->arena, struct qtype, 1);
    b->params[0] = qtype_of(param);
    return b;
}

// ---- convert_T and as_T -------------------------------------------------------------------------

// Parses "float4..."; *rest points after it. NULL if it names no type.
static struct type *parse_type(struct ast *ast, const char *text, const char **rest)
{
    static const struct {
        const char *name;
        enum type_kind kind;
    } names[] = {
        {"char", TYPE_CHAR},     {"uchar", TYPE_UCHAR},   {"short", TYPE_SHORT},
        {"ushort", TYPE_USHORT}, {"int", TYPE_INT},       {"uint", TYPE_UINT},
        {"long", TYPE_LONG},     {"ulong", TYPE_ULONG},   {"half", TYPE_HALF},
        {"float", TYPE_FLOAT},   {"double", TYPE_DOUBLE},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        if (strncmp(text, names[i].name, length) != 0 || !element_exists(ast, names[i].kind))
            continue;
        struct type *type = type_basic(ast->types, names[i].kind);
        const char *p = text + length;
        unsigned lanes = 0;
        while (*p >= '0' && *p <= '9' && lanes < 100)
            lanes = lanes * 10 + (unsigned)(*p++ - '0');
        *rest = p;
        if (p == text + length)
            return type;
        if (lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16)
            return type_vector(ast->types, type, lanes);
        return NULL;
    }
    return NULL;
}

// Parses rounding and saturation, e.g. "_sat_rte"; -1 if it is anything else.
static int parse_conversion(const char *p)
{
    static const char *const modes[] = {
        [ROUND_RTE] = "_rte", [ROUND_RTZ] = "_rtz", [ROUND_RTP] = "_rtp", [ROUND_RTN] = "_rtn"};
    int op = 0;
    if (!strncmp(p, "_sat", 4)) {
        op = CONVERT_SAT;
        p += 4;
    }
    if (!*p)
        return op;
    for (int i = ROUND_RTE; i <= ROUND_RTN; i++)
        if (!strcmp(p, modes[i]))
            return op | i;
    return -1;
}

struct pattern {
    struct type *type; // NULL: the name does not match the pattern
    bool as;
    unsigned op;
};

// as_T accepts four pointer-sized types that convert_T does not.
static struct type *as_wide_as_pointer(struct ast *ast, const char *name)
{
    static const char *const names[] = {"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
    const char *why;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return scope_predefined_type(ast, name, &why);
    return NULL;
}

static struct pattern parse_pattern(struct ast *ast, const char *name)
{
    struct pattern pattern = {0};
    const char *rest;
    if (!strncmp(name, "as_", 3)) {
        struct type *type = as_wide_as_pointer(ast, name + 3);
        if (type)
            rest = "";
        else
            type = parse_type(ast, name + 3, &rest);
        if (type && !*rest)
            pattern = (struct pattern){.type = type, .as = true};
    } else if (!strncmp(name, "convert_", 8)) {
        struct type *type = parse_type(ast, name + 8, &rest);
        int op = type ? parse_conversion(rest) : -1;
        if (op >= 0 && !(op & CONVERT_SAT && type_is_float(type_scalar(type))))
            pattern = (struct pattern){.type = type, .op = (unsigned)op};
    }
    return pattern;
}

static struct builtin *resolve_pattern(struct ast *ast, const char *name,
                                       const struct pattern *pattern, struct expr **args,
                                       uint32_t count, struct loc loc)
{
    if (count != 1) {
        diag_error(ast->diag, loc, "'%s' requires one argument, have %u", name, count);
        return NULL;
    }
    struct type *from = args[0]->type.type, *scalar = type_scalar(from);
    bool arithmetic = type_is_arithmetic(scalar);
    if (!type_is_vector(from))
        from = scalar;
    if (pattern->as) {
        bool pointer = from->kind == TYPE_POINTER; // through its integer value
        if (pointer)
            from = type_basic(ast->types, scope_narrowed(ast, TYPE_ULONG));
        if ((arithmetic || pointer) && from->kind != TYPE_BOOL && from->size == pattern->type->size)
            return one_argument(ast, name, BUILTIN_AS, 0, pattern->type, from);
        diag_error(ast->diag, loc, "invalid reinterpretation: sizes of %s and %s must match",
                   sema_type_text(ast, qtype_of(pattern->type)), sema_value_text(ast, args[0]));
        return NULL;
    }
    if (arithmetic && type_lanes(from) == type_lanes(pattern->type))
        return one_argument(ast, name, BUILTIN_CONVERT, pattern->op, pattern->type, from);
    diag_error(ast->diag, loc, "no matching function for call to '%s' (argument type: %s)", name,
               sema_value_text(ast, args[0]));
    return NULL;
}

// In the library: __op_NAME(a, b ...) is the IR operation NAME, with a's type for all operands and the result.
static struct builtin *resolve_operation(struct ast *ast, const char *name, struct expr **args,
                                         uint32_t count, struct loc loc)
{
    if (count == 0) {
        diag_error(ast->diag, loc, "'%s' requires arguments", name);
        return NULL;
    }
    struct builtin *b = ARENA_NEW(ast->arena, struct builtin);
    *b = (struct builtin){.name = name,
                          .impl = BUILTIN_OP,
                          .special = BUILTIN_IR_OP,
                          .op_name = name + 5,
                          .result = qtype_of(args[0]->type.type),
                          .param_count = count};
    b->params = ARENA_ARRAY(ast->arena, struct qtype, count);
    for (uint32_t i = 0; i < count; i++)
        b->params[i] = b->result;
    return b;
}

// to_global(p) and similar: the result has p's type with another address space.
static struct builtin *resolve_to_space(struct ast *ast, const struct row *row, struct expr **args,
                                        uint32_t count, struct loc loc)
{
    struct type *from = count == 1 ? args[0]->type.type : NULL;
    if (!from || from->kind != TYPE_POINTER || from->elem.space == SPACE_CONSTANT) {
        diag_error(ast->diag, loc, "'%s' requires one pointer to the generic address space", row->name);
        return NULL;
    }
    struct qtype target = from->elem;
    target.space = (uint8_t)row->op;
    return one_argument(ast, row->name, BUILTIN_TO_SPACE, row->op, type_pointer(ast->types, target), from);
}

// ---- resolution ---------------------------------------------------------------------------------

static bool is_operation(const struct ast *ast, const char *name)
{
    return ast->library && !strncmp(name, "__op_", 5);
}

bool builtin_has_row(const char *name)
{
    return find_row(name) != NULL;
}

bool builtin_exists(const struct ast *ast, const char *name)
{
    for (const struct row *row = find_row(name); row; row = next_row(row))
        if (row->version <= ast->version)
            return true;
    if (is_operation(ast, name))
        return true;
    return parse_pattern((struct ast *)ast, name).type != NULL;
}

bool builtin_has_one_form(const char *name, uint32_t *params)
{
    bool variadic = true;
    const struct row *row = find_row(name);
    if (row && !row->elements && !next_row(row))
        *params = count_params(row->signature, &variadic);
    return !variadic;
}

// Whether every overload is unimplemented or needs a feature that the device lacks. Checked before types.
static bool report_unavailable(struct ast *ast, const char *name, struct loc loc)
{
    const struct row *unmet = NULL;
    bool missing = false;
    for (const struct row *row = find_row(name); row; row = next_row(row)) {
        if (row->version > ast->version)
            continue;
        if (!needs_met(ast, row->needs))
            unmet = unmet ? unmet : row;
        else if (row->impl != BUILTIN_MISSING || relaxed_form(ast, name, NULL) >= 0)
            return false;
        else
            missing = true;
    }
    if (missing)
        report_missing(ast, name, loc);
    else if (unmet) {
        size_t length;
        const char *group = first_unmet(ast, unmet->needs, &length);
        diag_error(ast->diag, loc, "'%s' requires '%.*s', which the device does not support", name,
                   (int)length, group);
    }
    return true;
}

static const char *argument_types(struct ast *ast, struct expr **args, uint32_t count)
{
    struct str text;
    str_init(&text, ast->arena);
    str_add(&text, "");
    for (uint32_t i = 0; i < count && i < CANDIDATE_PARAMS; i++) {
        str_add(&text, i ? ", " : "");
        type_print(&text, args[i]->type);
    }
    return text.text ? text.text : "";
}

// Resolves a call by the rows of its name.
static struct builtin *resolve_rows(struct ast *ast, const char *name, struct expr **args,
                                    uint32_t count, struct loc loc)
{
    if (report_unavailable(ast, name, loc))
        return NULL;
    if (find_row(name)->special == BUILTIN_TO_SPACE)
        return resolve_to_space(ast, find_row(name), args, count, loc);
    bool ambiguous;
    struct candidate *list = builtin_candidates(ast, name, args, count, NULL);
    struct candidate *best = overload_best(ast, list, args, count, &ambiguous);
    if (best)
        return builtin_from_candidate(ast, best, loc);
    if (ambiguous)
        diag_error(ast->diag, loc, "call to '%s' is ambiguous (argument types: %s)", name,
                   argument_types(ast, args, count));
    else
        diag_error(ast->diag, loc, "no matching function for call to '%s' (argument types: %s)",
                   name, argument_types(ast, args, count));
    return NULL;
}

// ---- memoized calls -----------------------------------------------------------------------------

// Everything that resolution depends on. Types are uniqued, so pointers suffice.
struct resolved {
    struct resolved *next; // with the same hash
    struct builtin *builtin;
    const char *name;
    bool fp16_disabled;
    uint32_t count;
    struct resolved_arg {
        const struct type *type;
        uint8_t access;
        bool is_null;
    } args[CANDIDATE_PARAMS];
};

static uint64_t describe_call(struct resolved *call, const struct ast *ast, const char *name, struct expr **args,
                              uint32_t count)
{
    *call = (struct resolved){.name = name, .fp16_disabled = ast->fp16_disabled, .count = count};
    uint64_t hash = hash_combine((uintptr_t)name, 2 * (uint64_t)count + ast->fp16_disabled);
    for (uint32_t i = 0; i < count; i++) {
        struct resolved_arg *arg = &call->args[i];
        *arg = (struct resolved_arg){args[i]->type.type, args[i]->type.access, sema_is_null(args[i])};
        hash = hash_combine(hash, (uintptr_t)arg->type + arg->access + (arg->is_null ? 8u : 0));
    }
    return hash;
}

static bool is_same_call(const struct resolved *a, const struct resolved *b)
{
    bool same = a->name == b->name && a->fp16_disabled == b->fp16_disabled && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->args[i].type == b->args[i].type && a->args[i].access == b->args[i].access &&
               a->args[i].is_null == b->args[i].is_null;
    return same;
}

// Programs often repeat calls of the same functions with the same types.
static struct builtin *resolve_once(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc)
{
    struct resolved call;
    const void *key = (const void *)(uintptr_t)(describe_call(&call, ast, name, args, count) | 1);
    struct resolved *first = map_get(&ast->resolved, key);
    for (struct resolved *r = first; r; r = r->next)
        if (is_same_call(r, &call))
            return r->builtin;
    call.builtin = resolve_rows(ast, name, args, count, loc);
    call.next = first;
    if (call.builtin) // report errors for each call
        map_set(ast->arena, &ast->resolved, key, arena_copy(ast->arena, &call, sizeof call));
    return call.builtin;
}

struct builtin *builtin_resolve(struct ast *ast, const char *name, struct expr **args,
                                uint32_t count, struct loc loc)
{
    struct pattern pattern = parse_pattern(ast, name);
    if (pattern.type)
        return resolve_pattern(ast, name, &pattern, args, count, loc);
    if (is_operation(ast, name))
        return resolve_operation(ast, name, args, count, loc);
    if (count > CANDIDATE_PARAMS)
        return resolve_rows(ast, name, args, count, loc);
    return resolve_once(ast, name, args, count, loc);
}
