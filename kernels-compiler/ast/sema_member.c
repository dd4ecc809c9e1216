// SPDX-License-Identifier: Apache-2.0
// Fields of records and components of vectors (OpenCL C 6.1.7).
//
// A component name is converted to a list of lanes. A swizzle of a swizzle is folded, so that v.xyz.zx reads two
// lanes of v. A single lane is a scalar, but still an EXPR_SWIZZLE.
#include "ast/sema_impl.h"
#include <string.h>

// ---- components ---------------------------------------------------------------------------------

static int hex_lane(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static int letter_lane(const char *letters, char c)
{
    const char *at = strchr(letters, c);
    return c && at ? (int)(at - letters) : -1;
}

// lo, hi, even, odd; a vector of 3 is treated as one of 4. Returns the number of lanes, 0 if the name is another.
static unsigned half_lanes(const char *name, unsigned lanes, uint8_t lane[16])
{
    static const struct {
        const char *name;
        uint8_t first_half, step; // first lane: first_half * n / 2, or with step 2 the parity
    } halves[] = {{"lo", 0, 1}, {"hi", 1, 1}, {"even", 0, 2}, {"odd", 1, 2}};
    unsigned count = (lanes + 1) / 2;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        if (strcmp(name, halves[i].name) != 0)
            continue;
        unsigned first = halves[i].step == 2 ? halves[i].first_half : halves[i].first_half * count;
        for (unsigned k = 0; k < count; k++)
            lane[k] = (uint8_t)(first + k * halves[i].step);
        return count;
    }
    return 0;
}

struct components {
    uint8_t lane[16];
    unsigned count;
    const char *illegal; // the first invalid character
};

static struct components parse_components(const char *name, unsigned lanes)
{
    struct components c = {.count = half_lanes(name, lanes, c.lane)};
    if (c.count)
        return c;
    bool numeric = (name[0] == 's' || name[0] == 'S') && name[1];
    const char *set = "xyzw";
    if (!numeric &&
        letter_lane("rgba", name[0]) >= 0) // standard since 3.0, but accepted by all compilers in earlier versions
        set = "rgba";
    for (const char *p = name + numeric; *p; p++) {
        int lane = numeric ? hex_lane(*p) : letter_lane(set, *p);
        if (lane < 0 || c.count >= 16) {
            c.illegal = p;
            return c;
        }
        c.lane[c.count++] = (uint8_t)lane;
    }
    return c;
}

// Whether all lanes exist. A vector of 3 has a fourth, undefined lane for .hi and .odd only.
static bool lanes_exist(const struct components *c, unsigned lanes, const char *name)
{
    unsigned limit = lanes == 3 && (!strcmp(name, "hi") || !strcmp(name, "odd")) ? 4 : lanes;
    for (unsigned i = 0; i < c->count; i++)
        if (c->lane[i] >= limit)
            return false;
    return true;
}

// The usual place of the . or -> before a member.
static struct loc before(struct loc loc, bool arrow)
{
    unsigned columns = arrow ? 2 : 1;
    loc.column -= loc.column > columns ? columns : 0;
    return loc;
}

// Folds a swizzle of a swizzle.
static struct expr *make_swizzle(struct ast *ast, struct expr *base, const uint8_t *lane,
                                 unsigned count, struct loc loc)
{
    struct type *vector = base->type.type, *elem = vector->elem.type;
    struct expr *expr = sema_new(ast, EXPR_SWIZZLE, base->type, loc);
    expr->type.type = count == 1 ? elem : type_vector(ast->types, elem, count);
    expr->lvalue = base->lvalue;
    expr->a = base->kind == EXPR_SWIZZLE ? base->a : base;
    expr->lane_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) {
        // The undefined fourth lane of a vector of 3 reads as the third.
        bool absent = lane[i] >= type_lanes(vector);
        unsigned at = absent ? type_lanes(vector) - 1 : lane[i];
        expr->lane[i] = base->kind == EXPR_SWIZZLE ? base->lane[at] : (uint8_t)at;
        if (absent && expr->lvalue)
            expr->lane[i] |= LANE_ABSENT;
    }
    return sema_fold(ast, expr);
}

static struct expr *swizzle(struct ast *ast, struct expr *base, const char *name, bool arrow,
                            struct loc loc)
{
    struct loc operator= before(loc, arrow);
    struct type *vector = base->type.type;
    unsigned lanes = type_lanes(vector);
    struct components c = parse_components(name, lanes);
    if (c.illegal) {
        diag_error(ast->diag, operator, "illegal vector component name '%c'", *c.illegal);
        return sema_error(ast, loc);
    }
    if (!lanes_exist(&c, lanes, name)) {
        diag_error(ast->diag, operator, "vector component access exceeds type %s",
                   sema_value_text(ast, base));
        return sema_error(ast, loc);
    }
    if (c.count != 1 && c.count != 2 && c.count != 3 && c.count != 4 && c.count != 8 &&
        c.count != 16) {
        diag_error(ast->diag, operator,
                   "vector component name '%s' selects %u components, expected 1, 2, 3, 4, 8 or 16", name,
                   c.count);
        return sema_error(ast, loc);
    }
    return make_swizzle(ast, base, c.lane, c.count, loc);
}

struct expr *sema_lane(struct ast *ast, struct expr *base, unsigned lane, struct loc loc)
{
    uint8_t lanes[16] = {(uint8_t)lane};
    return make_swizzle(ast, base, lanes, 1, loc);
}

// ---- fields -------------------------------------------------------------------------------------

static struct expr *one_field(struct ast *ast, struct expr *base, const struct field *field,
                              struct loc loc)
{
    struct expr *expr = sema_new(ast, EXPR_MEMBER, field->type, loc);
    expr->type.quals |= base->type.quals;
    expr->type.space = base->type.space;
    expr->a = base;
    expr->field = field;
    expr->lvalue = base->lvalue;
    return expr;
}

// Fields of anonymous members are accessed through a node for each level.
static struct expr *find_field(struct ast *ast, struct expr *base, const char *name, struct loc loc)
{
    const struct field *field = type_find_member(base->type.type->record, name);
    while (field && !field->name) {
        base = one_field(ast, base, field, loc);
        field = type_find_member(field->type.type->record, name);
    }
    return field ? one_field(ast, base, field, loc) : NULL;
}

struct expr *sema_member(struct ast *ast, struct expr *base, const char *name, bool arrow,
                         struct loc loc)
{
    if (sema_is_error(base))
        return base;
    if (base->kind == EXPR_FUNCTION || base->kind == EXPR_BUILTIN_NAME || arrow)
        base = sema_value(ast, base);
    if (sema_is_error(base))
        return base;
    struct expr *object = base;
    if (arrow) {
        if (!sema_is_pointer(base)) {
            diag_error(ast->diag, before(loc, arrow), "member reference type %s is not a pointer%s",
                       sema_value_text(ast, base),
                       type_is_record(base->type.type) ? "; did you mean to use '.'?" : "");
            return sema_error(ast, loc);
        }
        object = sema_one(ast, EXPR_DEREF, base->type.type, base, sema_start(base));
        object->type = base->type.type->elem;
        object->lvalue = true;
    }
    struct type *type = object->type.type;
    if (type_is_vector(type))
        return swizzle(ast, object, name, arrow, loc);
    if (!type_is_record(type)) {
        bool pointer = !arrow && type->kind == TYPE_POINTER && type_is_record(type->elem.type);
        if (pointer)
            diag_error(ast->diag, before(loc, arrow),
                       "member reference type %s is a pointer; did you mean to use '->'?",
                       sema_value_text(ast, object));
        else
            diag_error(ast->diag, before(loc, arrow),
                       "member reference base type %s is not a structure or union",
                       sema_value_text(ast, object));
        return sema_error(ast, loc);
    }
    if (!type_complete(type)) {
        diag_error(ast->diag, loc, "incomplete definition of type %s",
                   sema_value_text(ast, object));
        return sema_error(ast, loc);
    }
    struct expr *field = find_field(ast, object, name, loc);
    if (field)
        return field;
    diag_error(ast->diag, loc, "no member named '%s' in %s", name, sema_value_text(ast, object));
    return sema_error(ast, loc);
}
