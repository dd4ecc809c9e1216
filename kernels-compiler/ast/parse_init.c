// SPDX-License-Identifier: Apache-2.0
// Initialisers -> flat lists of (offset, value), C 6.7.8.
//
// A braced list walks over its object with a stack of frames, one for each aggregate that is entered without its own
// braces. Only braces in the source recurse, and all lists of one initialiser share the stack. A vector in braces is
// filled by lanes and shorter vectors; without braces, one value initialises the whole vector (a scalar: all lanes).
// Missing elements are zero. GNU's [a ... b] is parsed as [b], whose entries are then copied to the other elements.
#include "ast/parse.h"
#include "util/stack.h"

struct frame {
    struct qtype type;
    uint64_t offset;
    uint64_t next, count; // next subobject to initialise, number of subobjects
};

struct entries {
    struct init_entry *items;
    size_t count, capacity;
};

struct initializer {
    struct parser *p;
    struct entries entries;
    struct frame *items; // the stack
    size_t count, capacity;
    bool zero, designated;
    uint64_t high;            // end of the entry with the highest end
    struct map by_offset;     // once there are designators: offset + 1 -> number of its latest entry + 1
    uint64_t scans;
};

// The subobject that the next value initialises.
struct target {
    struct qtype type;
    uint64_t offset;
};

// Ranges in a list of designators: [a ... b] stands for `count` elements; the target is the last one.
struct ranges {
    struct range {
        uint64_t count, stride;
    } *items;
    size_t count, capacity;
};

static struct ast *ast_of(const struct initializer *in)
{
    return in->p->ast;
}

// ---- entries ---------------------------------------------------------------------------------------

enum { MAX_SCANS = 50000000, MAX_ENTRIES = 4000000 };

static void index_entry(struct initializer *in, size_t number)
{
    const void *key = (const void *)(uintptr_t)(in->entries.items[number].offset + 1);
    map_set(ast_of(in)->arena, &in->by_offset, key, (void *)(uintptr_t)(number + 1));
}

static void add_entry(struct initializer *in, uint64_t offset, struct expr *value)
{
    uint64_t size = value->type.type->size;
    if (in->designated && offset < in->high) {
        size_t number = (size_t)(uintptr_t)map_get(&in->by_offset, (const void *)(uintptr_t)(offset + 1));
        struct init_entry *old = number ? &in->entries.items[number - 1] : NULL;
        if (old && old->value && old->value->type.type->size <= size) {
            diag_warning(ast_of(in)->diag, sema_start(value),
                         "initializer overrides prior initialization of this subobject");
            old->value = NULL;
        }
    }
    vec_push(ast_of(in)->arena, &in->entries, ((struct init_entry){offset, value}));
    if (offset + size > in->high)
        in->high = offset + size;
    if (in->designated)
        index_entry(in, in->entries.count - 1);
}

// A braced list overrides all earlier entries for its object.
static void drop_entries(struct initializer *in, struct target target)
{
    if (!in->designated || target.offset >= in->high)
        return;
    in->scans += in->entries.count;
    if (in->scans > MAX_SCANS)
        diag_fatal(ast_of(in)->diag, in->p->at->loc, "too many initializers override earlier ones");
    for (size_t i = 0; i < in->entries.count; i++) {
        struct init_entry *entry = &in->entries.items[i];
        if (entry->offset >= target.offset && entry->offset - target.offset < target.type.type->size)
            entry->value = NULL;
    }
}

// Does the same for all elements that the designators name: range `depth` and those after it.
static void drop_ranges(struct initializer *in, struct target target, const struct ranges *ranges, size_t depth)
{
    stack_check();
    if (depth == ranges->count) {
        drop_entries(in, target);
        return;
    }
    for (uint64_t i = 0; i < ranges->items[depth].count; i++, target.offset -= ranges->items[depth].stride) {
        if (++in->scans > MAX_SCANS)
            diag_fatal(ast_of(in)->diag, in->p->at->loc, "too many initializers");
        drop_ranges(in, target, ranges, depth + 1);
    }
}

// Copies the entries since `first`, which are for the last element of a range, to the other elements.
static void copy_to_range(struct initializer *in, size_t first, const struct ranges *ranges)
{
    for (size_t r = 0; r < ranges->count; r++) {
        size_t end = in->entries.count;
        if (ranges->items[r].count > MAX_ENTRIES / (end - first + 1))
            diag_fatal(ast_of(in)->diag, in->p->at->loc, "too many initializers");
        for (uint64_t k = 1; k < ranges->items[r].count; k++)
            for (size_t i = first; i < end; i++) {
                struct init_entry entry = in->entries.items[i];
                if (entry.value)
                    add_entry(in, entry.offset - k * ranges->items[r].stride, entry.value);
            }
    }
}

static void begin_designated(struct initializer *in)
{
    if (in->designated)
        return;
    in->designated = true;
    for (size_t i = 0; i < in->entries.count; i++)
        index_entry(in, i);
}

static void add_converted(struct initializer *in, struct qtype type, uint64_t offset, struct expr *expr,
                          const struct loc *name)
{
    type.quals = 0;
    struct expr *value = sema_convert_at(ast_of(in), type, expr, in->count ? SEMA_ELEMENT : SEMA_INIT,
                                         name ? *name : sema_start(expr));
    if (!sema_is_error(value))
        add_entry(in, offset, value);
}

// ---- frames ----------------------------------------------------------------------------------------

static bool is_aggregate(const struct type *type)
{
    return type->kind == TYPE_ARRAY || type_is_record(type);
}

static uint64_t subobjects(const struct type *type)
{
    // An object without a size has no initialisers; walking its parts could take very long.
    if (!type->size && !type->incomplete)
        return 0;
    switch (type->kind) {
    case TYPE_ARRAY:
        return !type->elem.type->size ? 0 : type->incomplete ? UINT64_MAX : type->count;
    case TYPE_STRUCT: return type->record->field_count;
    case TYPE_UNION: return type->record->field_count ? 1 : 0;
    default: return 1;
    }
}

static void push_frame(struct initializer *in, struct target target)
{
    struct frame frame = {target.type, target.offset, 0, subobjects(target.type.type)};
    vec_push(ast_of(in)->arena, in, frame);
}

static struct target subobject(const struct frame *frame, uint64_t index)
{
    const struct type *type = frame->type.type;
    struct target target = {.offset = frame->offset};
    switch (type->kind) {
    case TYPE_ARRAY:
        target.type = type->elem;
        target.offset += index * type->elem.type->size;
        break;
    case TYPE_STRUCT: case TYPE_UNION:
        target.type = type->record->fields[index].type;
        target.offset += type->record->fields[index].offset;
        break;
    default:
        target.type = frame->type;
    }
    return target;
}

// Moves on to the next subobject. Returns false if the object of frame `base` is full.
static bool advance(struct initializer *in, size_t base, struct target *target)
{
    for (;;) {
        struct frame *top = &in->items[in->count - 1];
        if (top->next < top->count) {
            *target = subobject(top, top->next++);
            return true;
        }
        if (in->count - 1 == base)
            return false;
        in->count--;
    }
}

// ---- values ----------------------------------------------------------------------------------------

static bool is_char_array(const struct type *type)
{
    return type->kind == TYPE_ARRAY &&
           (type->elem.type->kind == TYPE_CHAR || type->elem.type->kind == TYPE_UCHAR);
}

// Writes those bytes of a string that fit into the array. Returns the completed array type.
static struct qtype add_string(struct initializer *in, struct qtype type, uint64_t offset, const struct expr *string)
{
    struct ast *ast = ast_of(in);
    uint64_t length = string->type.type->count, room = type.type->count;
    enum type_kind kind = type.type->elem.type->kind;
    if (type.type->incomplete) {
        type.type = type_array(ast->types, type.type->elem, length, false);
        room = length;
    }
    if (length > room + 1)
        diag_warning(ast->diag, string->loc, "initializer-string for char array is too long");
    for (uint64_t i = 0; i < length && i < room; i++)
        add_entry(in, offset + i, sema_const_int(ast, kind, (unsigned char)string->string[i], string->loc));
    in->zero |= length < room;
    return type;
}

// An array of length 0 at the end of a struct: objects of the struct have no storage for it.
static bool is_flexible(const struct type *type)
{
    return type->kind == TYPE_ARRAY && !type->count && type->elem.type->size && !type->incomplete;
}

// Enters a value at the target or, if braces are omitted, at the first subobject of the target that it fits.
static void enter_value(struct initializer *in, size_t base, struct target target, struct expr *expr)
{
    while (!sema_is_error(expr)) {
        const struct type *type = target.type.type;
        if (type->kind == TYPE_ERROR)
            return;
        if (is_flexible(type)) {
            diag_error(ast_of(in)->diag, sema_start(expr), "a flexible array member cannot be initialized");
            return;
        }
        if (is_char_array(type) && expr->kind == EXPR_STRING) {
            add_string(in, target.type, target.offset, expr);
            return;
        }
        if (!is_aggregate(type) || expr->type.type == type) {
            add_converted(in, target.type, target.offset, expr, NULL);
            return;
        }
        push_frame(in, target);
        if (!advance(in, base, &target)) {
            diag_warning(ast_of(in)->diag, expr->loc, "excess elements in initializer");
            return;
        }
    }
}

// ---- designators -----------------------------------------------------------------------------------

// Parses an array designator's index. Returns false after an error.
static bool parse_index(struct initializer *in, struct loc loc, uint64_t *index)
{
    struct parser *p = in->p;
    const struct frame *top = &in->items[in->count - 1];
    uint64_t bytes;
    if (!parse_constant(p, index, "array designator"))
        return false;
    if (*index < top->count && !__builtin_mul_overflow(*index + 1, top->type.type->elem.type->size, &bytes) &&
        bytes <= INT64_MAX)
        return true;
    diag_error(ast_of(in)->diag, loc, "array designator index (%llu) exceeds array bounds (%llu)",
               (unsigned long long)*index, (unsigned long long)top->count);
    return false;
}

// After the first index of [a ... b]: replaces it by the last one.
static bool parse_range(struct initializer *in, uint64_t *index, struct ranges *ranges)
{
    struct parser *p = in->p;
    struct loc loc = p->at->loc;
    uint64_t first = *index;
    parse_next(p);
    if (!parse_index(in, p->at->loc, index))
        return false;
    if (*index < first) {
        diag_error(ast_of(in)->diag, loc, "array designator range [%llu, %llu] is empty", (unsigned long long)first,
                   (unsigned long long)*index);
        return false;
    }
    struct range range = {*index - first + 1, in->items[in->count - 1].type.type->elem.type->size};
    vec_push(ast_of(in)->arena, ranges, range);
    return true;
}

static bool designate_index(struct initializer *in, struct target *target, struct ranges *ranges)
{
    struct parser *p = in->p;
    struct loc loc = p->at->loc;
    uint64_t index;
    parse_next(p);
    if (in->items[in->count - 1].type.type->kind != TYPE_ARRAY) {
        parse_error(p, loc, "array designator cannot initialize non-array type '%s'",
                    type_name(ast_of(in)->arena, in->items[in->count - 1].type));
        return false;
    }
    bool ok = parse_index(in, p->at->loc, &index);
    if (parse_is(p, TOK_ELLIPSIS))
        ok = parse_range(in, &index, ranges) && ok;
    parse_expect(p, TOK_RBRACKET, NULL);
    struct frame *top = &in->items[in->count - 1];
    top->next = (ok ? index : 0) + 1;
    *target = ok ? subobject(top, index) : (struct target){qtype_of(type_basic(ast_of(in)->types, TYPE_ERROR)), 0};
    return !p->panic;
}

// Index of the field that has the name, or of the anonymous member that contains it.
static bool find_member(const struct record *record, const char *name, uint64_t *index)
{
    const struct field *field = type_find_member(record, name);
    *index = field ? (uint64_t)(field - record->fields) : record->field_count;
    return field;
}

// At `.name`, or at GNU's `name:`.
static bool designate_field(struct initializer *in, struct target *target)
{
    struct parser *p = in->p;
    parse_accept(p, TOK_DOT);
    if (!parse_is(p, TOK_IDENTIFIER)) {
        parse_error(p, p->at->loc, "expected a field designator, such as '.field = 4'");
        return false;
    }
    const char *name = p->at->text;
    for (;;) {
        struct frame *top = &in->items[in->count - 1];
        struct type *type = top->type.type;
        uint64_t index;
        if (!type_is_record(type) || !find_member(type->record, name, &index)) {
            parse_error(p, p->at->loc, "field designator '%s' does not refer to any field in type '%s'", name,
                        type_name(ast_of(in)->arena, top->type));
            return false;
        }
        top->next = type->kind == TYPE_UNION ? 1 : index + 1;
        *target = subobject(top, index);
        if (type->record->fields[index].name)
            break;
        push_frame(in, *target);
    }
    parse_next(p);
    return true;
}

static bool at_old_designator(const struct parser *p)
{
    return parse_is(p, TOK_IDENTIFIER) && p->at[1].kind == TOK_COLON;
}

static bool at_designator(const struct parser *p)
{
    return parse_is(p, TOK_DOT) || parse_is(p, TOK_LBRACKET) || at_old_designator(p);
}

// Parses the '=' after designators. GNU's `name: value` and `[index] value` have none.
static bool parse_designated(struct parser *p, bool old, unsigned count, bool index)
{
    if (old)
        diag_warning(p->ast->diag, p->prev->loc, "use of GNU old-style field designator extension");
    else if (count == 1 && index && !parse_is(p, TOK_ASSIGN) && !p->panic)
        diag_warning(p->ast->diag, p->at->loc, "use of GNU 'missing =' extension in designator");
    else
        return parse_expect(p, TOK_ASSIGN, "after designator");
    parse_accept(p, TOK_COLON);
    return true;
}

static bool parse_designators(struct initializer *in, size_t base, uint64_t *furthest, struct target *target,
                              struct ranges *ranges)
{
    struct parser *p = in->p;
    bool old = at_old_designator(p), index = false;
    unsigned count = 0;
    begin_designated(in);
    in->zero = true;
    in->count = base + 1;
    if (in->items[base].next > *furthest)
        *furthest = in->items[base].next;
    for (; old ? !count : parse_is(p, TOK_DOT) || parse_is(p, TOK_LBRACKET); count++) {
        if (count)
            push_frame(in, *target);
        index = parse_is(p, TOK_LBRACKET);
        if (!(index ? designate_index(in, target, ranges) : designate_field(in, target)))
            return false;
    }
    return parse_designated(p, old, count, index);
}

// ---- lists -----------------------------------------------------------------------------------------

static void parse_list(struct initializer *in, struct target *object);

static void parse_item(struct initializer *in, size_t base, uint64_t *furthest)
{
    struct parser *p = in->p;
    struct target target = {qtype_of(type_basic(ast_of(in)->types, TYPE_ERROR)), 0};
    struct ranges ranges = {0};
    bool fits = true;
    if (at_designator(p)) {
        if (!parse_designators(in, base, furthest, &target, &ranges))
            return;
    } else {
        fits = advance(in, base, &target);
    }
    struct loc loc = p->at->loc;
    if (!fits) {
        const struct type *type = in->items[base].type.type;
        const char *kind = type->kind == TYPE_ARRAY ? "array" : type->kind == TYPE_STRUCT ? "struct"
                         : type->kind == TYPE_UNION ? "union" : "scalar";
        if (base && is_flexible(type))
            diag_error(ast_of(in)->diag, loc, "a flexible array member cannot be initialized");
        else if (type->kind != TYPE_ERROR)
            diag_warning(ast_of(in)->diag, loc, "excess elements in %s initializer", kind);
        // Excess elements are parsed and ignored.
        in->items[base].type = target.type;
    }
    if (in->items[base].type.type->kind == TYPE_ERROR)
        in->items[base].next = 0, in->items[base].count = UINT64_MAX;
    size_t before = in->entries.count;
    if (parse_is(p, TOK_LBRACE)) {
        drop_ranges(in, target, &ranges, 0);
        parse_list(in, &target);
    } else {
        enter_value(in, base, target, parse_assignment(p));
    }
    copy_to_range(in, before, &ranges);
}

// `{ "text" }` is equivalent to the string itself.
static bool parse_braced_string(struct initializer *in, struct target *object)
{
    struct parser *p = in->p;
    if (!is_char_array(object->type.type) || !parse_is(p, TOK_STRING))
        return false;
    struct expr *string = parse_string(p);
    if (!sema_is_error(string))
        object->type = add_string(in, object->type, object->offset, string);
    parse_accept(p, TOK_COMMA);
    parse_close_brace(p);
    return true;
}

// `{ 1, (int2)(2, 3), 4 }`: exactly as many lanes as the vector has, or none, which means zero.
static void parse_vector(struct initializer *in, struct target *object)
{
    struct parser *p = in->p;
    struct ast *ast = ast_of(in);
    struct type *type = object->type.type;
    struct loc open = p->prev->loc;
    VEC(struct expr *) args = {0};
    uint64_t lanes = 0;
    while (!p->panic && !parse_is(p, TOK_RBRACE)) {
        struct loc loc = p->at->loc;
        struct expr *value = sema_value(ast, parse_assignment(p));
        if (lanes + type_lanes(value->type.type) > type->count && lanes <= type->count)
            diag_error(ast->diag, loc, "excess elements in vector initializer");
        lanes += type_lanes(value->type.type);
        if (value->type.type->kind != TYPE_VECTOR)
            value = sema_convert(ast, type->elem, value, SEMA_ELEMENT);
        vec_push(ast->arena, &args, value);
        if (!parse_accept(p, TOK_COMMA))
            break;
    }
    if (!p->panic && lanes && lanes < type->count)
        diag_error(ast->diag, p->at->loc,
                   "too few elements in vector initialization (expected %llu elements, have %llu)",
                   (unsigned long long)type->count, (unsigned long long)lanes);
    else if (!p->panic && lanes == type->count)
        add_converted(in, object->type, object->offset,
                      sema_vector_literal(ast, type, args.items, (uint32_t)args.count, open, open), NULL);
    in->zero |= !lanes;
    parse_close_brace(p);
}

// Parses from the '{'. Completes the object's type if it is an array of unknown length.
static void parse_list(struct initializer *in, struct target *object)
{
    struct parser *p = in->p;
    struct ast *ast = ast_of(in);
    size_t base = in->count;
    uint64_t furthest = 0;
    struct loc open = p->at->loc;
    parse_next(p);
    if (parse_braced_string(in, object))
        return;
    if (object->type.type->kind == TYPE_VECTOR) {
        parse_vector(in, object);
        return;
    }
    ast_enter(ast, open);
    push_frame(in, *object);
    bool is_union = object->type.type->kind == TYPE_UNION;
    if (parse_is(p, TOK_RBRACE) && object->type.type->kind == TYPE_OPAQUE)
        diag_error(ast->diag, open, "scalar initializer cannot be empty");
    while (!p->panic && !parse_is(p, TOK_RBRACE)) {
        parse_item(in, base, &furthest);
        if (!parse_accept(p, TOK_COMMA))
            break;
    }
    if (in->items[base].next > furthest)
        furthest = in->items[base].next;
    if (object->type.type->kind == TYPE_ARRAY && object->type.type->incomplete) {
        in->items[base].count = in->items[base].next; // no element is missing
        if (in->items[base].type.type->kind != TYPE_ERROR)
            object->type.type = type_array(ast->types, object->type.type->elem, furthest, false);
    }
    for (; in->count > base; in->count--)
        in->zero |= in->items[in->count - 1].next < in->items[in->count - 1].count;
    in->zero |= is_union;
    parse_close_brace(p);
    ast_leave(ast);
}

// ---- whole initialisers ----------------------------------------------------------------------------

static void parse_single(struct initializer *in, struct target *object, const struct loc *name)
{
    struct ast *ast = ast_of(in);
    struct expr *expr = parse_full_assignment(in->p);
    const struct type *type = object->type.type;
    if (sema_is_error(expr) || type->kind == TYPE_ERROR)
        return;
    if (is_char_array(type) && expr->kind == EXPR_STRING)
        object->type = add_string(in, object->type, 0, expr);
    else if (type->kind == TYPE_ARRAY)
        diag_error(ast->diag, name ? *name : expr->loc, "array initializer must be an initializer list%s",
                   is_char_array(type) ? " or string literal" : "");
    else
        add_converted(in, object->type, 0, expr, name);
}

struct init *parse_initializer(struct parser *p, struct qtype *type, const struct loc *name)
{
    struct initializer in = {.p = p};
    struct target object = {*type, 0};
    uint32_t before = p->ast->diag->errors;
    if (parse_is(p, TOK_LBRACE))
        parse_list(&in, &object);
    else
        parse_single(&in, &object, name);
    p->height = 1;
    *type = object.type;
    if (p->panic || p->ast->diag->errors != before || type->type->kind == TYPE_ERROR)
        return NULL;

    struct init *init = ARENA_NEW(p->ast->arena, struct init);
    init->zero_first = in.zero;
    init->entries = in.entries.items;
    for (size_t i = 0; i < in.entries.count; i++)
        if (in.entries.items[i].value)
            init->entries[init->count++] = in.entries.items[i];
    return init;
}
