// SPDX-License-Identifier: Apache-2.0
// struct, union and enum: definitions and references by tag.
#include "ast/parse.h"
#include "util/stack.h"

struct members {
    struct field *items;
    size_t count, capacity;
    struct map names; // becomes record.names
    bool is_union;
    const char *flexible; // the flexible array member, which must be the last one; NULL: none
};

static void add_name(struct parser *p, struct members *members, const char *name, struct loc loc)
{
    const struct member *old = map_get(&members->names, name);
    if (old) {
        diag_error(p->ast->diag, loc, "duplicate member '%s'", name);
        diag_note(p->ast->diag, old->loc, "previous declaration is here");
        return;
    }
    struct member member = {loc, (uint32_t)members->count};
    map_set(p->ast->arena, &members->names, name, arena_copy(p->ast->arena, &member, sizeof member));
}

static void add_anonymous_names(struct parser *p, struct members *members, const struct record *record, struct loc loc)
{
    stack_check();
    for (uint32_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->name)
            add_name(p, members, field->name, loc);
        else if (type_is_record(field->type.type))
            add_anonymous_names(p, members, field->type.type->record, loc);
    }
}

static bool field_type_ok(struct parser *p, struct qtype type, bool is_union, bool has_space, const char *name,
                          struct loc loc)
{
    struct ast *ast = p->ast;
    const char *text = type_name(ast->arena, type);
    const struct type *elem = type.type;
    while (elem->kind == TYPE_ARRAY)
        elem = elem->elem.type;
    if (elem->kind == TYPE_ERROR)
        return false;
    if (has_space && type.space != SPACE_PRIVATE)
        diag_error(ast->diag, loc, "field may not be qualified with an address space");
    else if (type.type->kind == TYPE_FUNCTION)
        diag_error(ast->diag, loc, "field '%s' declared as a function", name);
    else if (elem->kind == TYPE_BLOCK ||
             (elem->kind == TYPE_OPAQUE && elem->opaque != OPAQUE_RESERVE_ID && !type_is_enqueue(elem)))
        diag_error(ast->diag, loc, "the '%s' type cannot be used to declare a structure or union field",
                   type_name(ast->arena, type));
    else if (type.type->matrices && is_union)
        diag_error(ast->diag, loc, "a cooperative matrix cannot be a member of a union");
    else if (!type_complete(type.type) && type.type->kind != TYPE_ARRAY)
        diag_error(ast->diag, loc, "field has incomplete type '%s'", text);
    else
        return true;
    return false;
}

// Flexible array member int a[]: treated as an array of length 0.
static void set_flexible(struct parser *p, struct members *members, struct field *field)
{
    const struct type *type = field->type.type;
    members->flexible = NULL;
    if (type->kind != TYPE_ARRAY || !type->incomplete)
        return;
    if (!members->is_union)
        members->flexible = field->name;
    field->type.type = type_array(p->ast->types, type->elem, 0, false);
}

static void add_field(struct parser *p, struct members *members, const struct parse_specs *specs,
                      const struct declarator *declarator)
{
    struct field field = {.name = declarator->name, .type = declarator->type, .loc = declarator->loc};
    field.aligned = specs->attributes.aligned;
    if (declarator->attributes.aligned > field.aligned)
        field.aligned = declarator->attributes.aligned;
    field.packed = specs->attributes.packed || declarator->attributes.packed;
    field.size_name = declarator->direct ? specs->size_name : NULL;
    parse_check_place(p, &specs->attributes, ON_DECLARATION);
    parse_check_place(p, &declarator->attributes, ON_DECLARATION);
    field.type_align = declarator->direct ? specs->type_align : 0;
    if (!field_type_ok(p, field.type, members->is_union, declarator->has_space, field.name ? field.name : "", field.loc))
        field.type = qtype_of(type_basic(p->ast->types, TYPE_ERROR));
    field.type.space = SPACE_PRIVATE;
    if (members->flexible)
        diag_error(p->ast->diag, field.loc, "flexible array member '%s' is not at the end of its struct",
                   members->flexible);
    set_flexible(p, members, &field);
    if (field.name)
        add_name(p, members, field.name, field.loc);
    else if (type_is_record(field.type.type))
        add_anonymous_names(p, members, field.type.type->record, field.loc);
    vec_push(p->ast->arena, members, field);
}

static void parse_member_list(struct parser *p, struct members *members, const struct parse_specs *specs)
{
    do {
        struct declarator declarator = {0};
        if (!parse_is(p, TOK_COLON)) {
            parse_declarator(p, specs, DECLARATOR_NAMED, &declarator);
            if (p->panic)
                return;
        }
        if (parse_is(p, TOK_COLON)) {
            diag_error(p->ast->diag, declarator.name ? declarator.loc : p->at->loc,
                       "bit-fields are not supported in OpenCL");
            parse_next(p);
            parse_conditional(p);
        }
        parse_attributes(p, &declarator.attributes);
        if (declarator.name)
            add_field(p, members, specs, &declarator);
    } while (parse_accept(p, TOK_COMMA));
}

static void parse_member(struct parser *p, struct members *members)
{
    struct parse_specs specs = {0};
    if (parse_is(p, TOK_STATIC_ASSERT)) {
        parse_static_assert(p);
        return;
    }
    if (parse_accept(p, TOK_SEMICOLON))
        return;
    if (parse_specifiers(p, &specs)) {
        if (specs.storage)
            diag_error(p->ast->diag, specs.storage_loc, "type name does not allow storage class to be specified");
        const struct type *type = specs.type.type;
        if (!parse_is(p, TOK_SEMICOLON)) {
            parse_member_list(p, members, &specs);
        } else if (type_is_record(type) && !type->record->tag && specs.declares_tag) {
            struct declarator anonymous = {.type = specs.type, .loc = specs.loc, .direct = true};
            add_field(p, members, &specs, &anonymous);
        } else if (type->kind != TYPE_ERROR) {
            diag_warning(p->ast->diag, specs.loc, "declaration does not declare anything");
        }
    }
    if (!p->panic && parse_is(p, TOK_RBRACE))
        diag_warning(p->ast->diag, parse_end_of_prev(p), "expected ';' at end of declaration list");
    else if (!parse_expect(p, TOK_SEMICOLON, "at end of declaration list"))
        parse_synchronize(p);
}

static void parse_members(struct parser *p, struct type *type, struct attributes *attributes)
{
    struct record *record = type->record;
    struct members members = {.is_union = type->kind == TYPE_UNION};
    struct loc open = p->at->loc;
    parse_next(p);
    ast_enter(p->ast, open);
    while (!parse_is(p, TOK_RBRACE) && !parse_is(p, TOK_EOF))
        parse_member(p, &members);
    ast_leave(p->ast);
    if (!parse_expect(p, TOK_RBRACE, NULL))
        diag_note(p->ast->diag, open, "to match this '{'");
    parse_attributes(p, attributes);
    record->fields = members.items;
    record->field_count = (uint32_t)members.count;
    record->names = members.names;
    record->packed = attributes->packed;
    if (!type_record_layout(type, attributes->aligned))
        diag_error(p->ast->diag, record->loc, "type '%s' is too large", type_name(p->ast->arena, qtype_of(type)));
    if (type->depth > TYPE_MAX_DEPTH)
        diag_fatal(p->ast->diag, record->loc, "type nested too deeply: more than %d levels", TYPE_MAX_DEPTH);
}

// The type that `tag` denotes, or NULL if a new one must be made. A definition or "struct s;" searches only this
// scope.
static struct type *find_tag(struct parser *p, const char *tag, enum type_kind kind, struct loc keyword, struct loc loc)
{
    bool here = parse_is(p, TOK_LBRACE) || (parse_is(p, TOK_SEMICOLON) && kind != TYPE_ENUM);
    struct type *type = tag ? scope_find_tag(p->ast, tag, here) : NULL;
    if (!type)
        return NULL;
    if (type->kind != kind) {
        diag_error(p->ast->diag, keyword, "use of '%s' with tag type that does not match previous declaration", tag);
        return NULL;
    }
    if (parse_is(p, TOK_LBRACE) && !type->incomplete) {
        diag_error(p->ast->diag, loc, "redefinition of '%s'", tag);
        if (type->record)
            diag_note(p->ast->diag, type->record->loc, "previous definition is here");
        return NULL;
    }
    return type;
}

// Warns about a type declared in a parameter list, because no argument can have it.
static void warn_hidden(struct parser *p, const struct type *type, const char *tag, struct loc loc)
{
    static const char *const words[] = {
        [TYPE_STRUCT] = "struct", [TYPE_UNION] = "union", [TYPE_ENUM] = "enum"};
    if (p->prototype && p->prototype == p->ast->scope)
        diag_warning(p->ast->diag, loc,
                     "declaration of '%s %s' will not be visible outside of this function",
                     words[type->kind], tag ? tag : "{...}");
}

struct type *parse_record(struct parser *p)
{
    struct ast *ast = p->ast;
    enum type_kind kind = parse_is(p, TOK_STRUCT) ? TYPE_STRUCT : TYPE_UNION;
    struct attributes attributes = {0};
    struct loc loc = p->at->loc, keyword = loc;
    const char *tag = NULL;
    parse_next(p);
    parse_attributes(p, &attributes);
    if (parse_is(p, TOK_IDENTIFIER)) {
        tag = p->at->text;
        loc = p->at->loc;
        parse_next(p);
        parse_attributes(p, &attributes);
    }
    if (!tag && !parse_is(p, TOK_LBRACE)) {
        parse_error(p, p->at->loc, "expected identifier or '{'");
        return type_basic(ast->types, TYPE_ERROR);
    }
    struct type *type = find_tag(p, tag, kind, keyword, loc);
    if (!type) {
        type = type_record(ast->types, kind, tag, loc);
        warn_hidden(p, type, tag, loc);
        if (tag)
            scope_add_tag(ast, tag, type);
    }
    if (parse_is(p, TOK_LBRACE)) {
        if (type->record->fields_open) {
            diag_error(ast->diag, loc, "nested redefinition of '%s'", tag);
            type = type_record(ast->types, kind, NULL, loc);
        }
        type->record->loc = loc;
        type->record->fields_open = true;
        parse_members(p, type, &attributes);
        type->record->fields_open = false;
    }
    parse_check_place(p, &attributes, ON_TYPE);
    return type;
}

// ---- enumerations ----------------------------------------------------------------------------------

struct enumerators {
    struct decl **items;
    size_t count, capacity;
    bool negative, wide; // some value is negative, or does not fit an int
    uint64_t largest;
};

static void enumerator_value(struct parser *p, struct enumerators *list, struct decl *decl)
{
    struct ast *ast = p->ast;
    uint64_t value = 0;
    bool is_signed = true;
    if (parse_accept(p, TOK_ASSIGN)) {
        struct loc loc = p->at->loc;
        struct expr *expr = sema_value(ast, parse_conditional(p));
        const struct type *type = expr->type.type;
        if (sema_is_error(expr)) {
            value = 0;
        } else if (!type_is_integer(type)) {
            diag_error(ast->diag, loc, "expression is not an integer constant expression");
        } else if (const_eval_int(ast, expr, &value, "expression")) {
            unsigned unused = 64 - type_bits(type);
            is_signed = type_is_signed(type);
            value <<= unused;
            value = is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
        }
    } else if (list->count) {
        value = list->items[list->count - 1]->value + 1;
        is_signed = list->negative || value <= INT32_MAX;
    }
    bool negative = is_signed && (int64_t)value < 0;
    decl->value = value;
    list->negative |= negative;
    list->wide |= negative ? (int64_t)value < INT32_MIN : value > INT32_MAX;
    if (!negative && value > list->largest)
        list->largest = value;
}

static void parse_enumerator(struct parser *p, struct enumerators *list)
{
    struct ast *ast = p->ast;
    if (!parse_is(p, TOK_IDENTIFIER)) {
        parse_error(p, p->at->loc, "expected identifier");
        return;
    }
    struct decl *decl = ARENA_NEW(ast->arena, struct decl);
    decl->kind = DECL_ENUMERATOR;
    decl->name = p->at->text;
    decl->loc = p->at->loc;
    decl->type = qtype_of(type_basic(ast->types, TYPE_INT));
    parse_next(p);
    parse_attributes(p, &decl->attributes);
    enumerator_value(p, list, decl);
    vec_push(ast->arena, list, decl);

    struct decl *old = scope_find_here(ast, decl->name);
    if (old) {
        diag_error(ast->diag, decl->loc,
                   old->kind == DECL_ENUMERATOR ? "redefinition of enumerator '%s'"
                                                : "redefinition of '%s' as different kind of symbol",
                   decl->name);
        diag_note(ast->diag, old->loc, "previous definition is here");
        return;
    }
    scope_add(ast, decl);
}

static void parse_enumerators(struct parser *p, struct type *type)
{
    struct enumerators list = {0};
    if (parse_is(p, TOK_RBRACE))
        diag_error(p->ast->diag, p->at->loc, "use of empty enum");
    while (!p->panic && !parse_is(p, TOK_RBRACE)) {
        parse_enumerator(p, &list);
        if (!parse_accept(p, TOK_COMMA))
            break;
    }
    if (!p->panic && !parse_is(p, TOK_RBRACE))
        parse_error(p, p->at->loc, "expected ',' or '}'");
    parse_close_brace(p);

    // Enumerators are int if all values fit. The enumeration's own type is unsigned unless a value is negative.
    bool beyond_uint = list.largest > UINT32_MAX || (list.negative && list.wide);
    enum type_kind kind = beyond_uint ? (list.negative ? TYPE_LONG : TYPE_ULONG)
                                      : (list.negative ? TYPE_INT : TYPE_UINT);
    struct type *representation = type_basic(p->ast->types, kind);
    type->elem = qtype_of(representation);
    type->size = representation->size;
    type->align = representation->align;
    type->incomplete = false;
    type->enumerators = list.items;
    type->enumerator_count = (uint32_t)list.count;
    for (size_t i = 0; i < list.count; i++)
        if (list.wide)
            list.items[i]->type = qtype_of(representation);
}

struct type *parse_enum(struct parser *p)
{
    struct ast *ast = p->ast;
    struct attributes attributes = {0};
    struct loc loc = p->at->loc, keyword = loc;
    const char *tag = NULL;
    parse_next(p);
    parse_attributes(p, &attributes);
    if (parse_is(p, TOK_IDENTIFIER)) {
        tag = p->at->text;
        loc = p->at->loc;
        parse_next(p);
    }
    if (!tag && !parse_is(p, TOK_LBRACE)) {
        parse_error(p, p->at->loc, "expected identifier or '{'");
        return type_basic(ast->types, TYPE_ERROR);
    }
    struct type *type = find_tag(p, tag, TYPE_ENUM, keyword, loc);
    if (!type) {
        type = type_enum(ast->types, tag, type_basic(ast->types, TYPE_UINT));
        type->incomplete = true;
        warn_hidden(p, type, tag, loc);
        if (tag)
            scope_add_tag(ast, tag, type);
    }
    if (parse_accept(p, TOK_LBRACE)) {
        parse_enumerators(p, type);
        parse_attributes(p, &attributes);
    }
    parse_check_place(p, &attributes, ON_TYPE);
    return type;
}
