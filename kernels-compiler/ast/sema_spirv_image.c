// SPDX-License-Identifier: Apache-2.0
// Instructions of SPIR-V on images -> calls of OpenCL C's functions on them.
//
// SPIR-V coordinates have as many lanes as the image has dimensions. SPIR-V numbers channel types differently, and
// does not state the sign of integer texels, for which OpenCL C has separate functions.
#include "ast/sema_spirv_impl.h"
#include <string.h>

static bool is_image(const struct expr *a)
{
    return a->type.type->kind == TYPE_OPAQUE && a->type.type->opaque >= OPAQUE_IMAGE1D;
}

// Image and sampler: in source a pair that only image instructions accept.
struct expr *make_sampled_image(const struct spirv_call *call)
{
    if (call->count != 2 || !is_image(call->args[0]))
        return spirv_fail(call, "requires an image and a sampler");
    struct expr *pair = sema_new(call->ast, EXPR_COMMA, call->args[1]->type, call->loc);
    pair->a = call->args[0];
    pair->b = call->args[1];
    return pair;
}

static unsigned place_lanes(const struct type *image)
{
    switch (image->opaque) {
    case OPAQUE_IMAGE1D:
    case OPAQUE_IMAGE1D_BUFFER:
        return 1;
    case OPAQUE_IMAGE1D_ARRAY:
    case OPAQUE_IMAGE2D:
    case OPAQUE_IMAGE2D_DEPTH:
    case OPAQUE_IMAGE2D_MSAA:
        return 2;
    default:
        return 4;
    }
}

static bool is_array(const struct type *image)
{
    return image->opaque == OPAQUE_IMAGE1D_ARRAY || image->opaque == OPAQUE_IMAGE2D_ARRAY || image->opaque == OPAQUE_IMAGE2D_ARRAY_DEPTH;
}

// A coordinate or gradient with the number of lanes that OpenCL C requires; integers are made signed.
static struct expr *with_lanes(const struct spirv_call *call, unsigned wanted, struct expr *at)
{
    unsigned given = type_lanes(at->type.type);
    struct type *scalar = type_scalar(at->type.type);
    if (!spirv_is_numeric(scalar))
        return spirv_fail(call, "the coordinate must be a number or a vector");
    if (type_is_integer(scalar))
        scalar = type_basic(call->ast->types, TYPE_INT);
    at = spirv_cast(call, spirv_with_lanes(call, scalar, given), at);
    if (wanted == given)
        return at;
    struct expr *lanes[4], *once = sema_once(call->ast, at);
    for (unsigned i = 0; i < wanted; i++)
        lanes[i] = i < given ? spirv_lane(call, once, i) : spirv_cast(call, scalar, spirv_number(call, 0));
    return sema_with(call->ast, once, spirv_vector(call, lanes, wanted));
}

static struct expr *place_of(const struct spirv_call *call, const struct expr *image, struct expr *at)
{
    return with_lanes(call, place_lanes(image->type.type), at);
}

enum {
    OPERAND_LOD = 2,
    OPERAND_GRAD = 4,
    OPERAND_SIGN_EXTEND = 0x1000,
    OPERAND_ZERO_EXTEND = 0x2000,
    OPERAND_NONTEMPORAL = 0x4000
};

struct image_operands {
    int sign; // +1, -1: signed or unsigned integers; 0: unspecified
    struct expr *level[2]; // a level of detail, or two gradients; NULL: level 0
};

// Parses the image operands from `first` on. Returns false if OpenCL lacks one of them.
static bool parse_operands(const struct spirv_call *call, uint32_t first, struct image_operands *o)
{
    const uint64_t signs = OPERAND_SIGN_EXTEND | OPERAND_ZERO_EXTEND;
    const uint64_t known = OPERAND_LOD | OPERAND_GRAD | signs | OPERAND_NONTEMPORAL; // NONTEMPORAL is a hint
    uint64_t mask = 0, lanes[16];
    *o = (struct image_operands){0};
    if (first >= call->count)
        return true;
    if (!spirv_is_constant(call, call->args[first], &mask) || mask & ~known || (mask & OPERAND_LOD && mask & OPERAND_GRAD))
        return false;
    unsigned count = mask & OPERAND_GRAD ? 2 : mask & OPERAND_LOD ? 1 : 0;
    for (unsigned i = 0; i < count; i++) {
        if (first + 1 + i >= call->count || !spirv_is_numeric(call->args[first + 1 + i]->type.type))
            return false;
        o->level[i] = call->args[first + 1 + i];
    }
    if (count == 1 && const_eval_lanes(call->ast, o->level[0], lanes) && !lanes[0])
        o->level[0] = NULL;
    o->sign = mask & OPERAND_SIGN_EXTEND ? 1 : mask & OPERAND_ZERO_EXTEND ? -1 : 0;
    return true;
}

// Appends arguments for the level to those of the read function. Returns how many.
static uint32_t level_arguments(const struct spirv_call *call, const struct type *image, const struct image_operands *o,
                                struct expr **args)
{
    struct type *number = type_basic(call->ast->types, TYPE_FLOAT);
    if (!o->level[0])
        return 0;
    if (!o->level[1]) {
        bool one = type_lanes(o->level[0]->type.type) == 1;
        args[0] = one ? spirv_cast(call, number, o->level[0]) : spirv_fail(call, "the level of detail must be a scalar");
        return 1;
    }
    unsigned lanes = place_lanes(image) - (is_array(image) && place_lanes(image) == 2);
    lanes = lanes == 4 && is_array(image) ? 2 : lanes;
    for (unsigned i = 0; i < 2; i++)
        args[i] = with_lanes(call, lanes, o->level[i]);
    return 2;
}

static struct expr *read_as(const struct spirv_call *call, const char *suffix, struct expr **args, uint32_t count)
{
    return spirv_function(call, intern_cstring(call->ast->intern, arena_printf(call->ast->arena, "read_image%s", suffix)),
                          args, count);
}

// Sign of integer texels if the instruction does not state it: decided by the image's channel type at run time.
static struct expr *is_signed_image(const struct spirv_call *call, struct expr *image)
{
    struct ast *ast = call->ast;
    struct expr *type = spirv_function(call, "get_image_channel_data_type", &image, 1);
    if (sema_is_error(type))
        return type;
    const uint64_t signed_int8 = 0x10D7;
    struct expr *offset = sema_binary(ast, TOK_MINUS, spirv_cast(call, type_basic(ast->types, TYPE_UINT), type),
                                      sema_const_int(ast, TYPE_UINT, signed_int8, call->loc), call->loc);
    return sema_condition(ast, sema_binary(ast, TOK_LT, offset, spirv_number(call, 3), call->loc), call->loc);
}

static struct expr *read_integers(const struct spirv_call *call, struct expr **args, uint32_t count)
{
    struct expr *is_signed = is_signed_image(call, args[0]);
    struct expr *with_signs = read_as(call, "i", args, count), *without = read_as(call, "ui", args, count);
    if (sema_is_error(is_signed) || sema_is_error(with_signs) || sema_is_error(without))
        return without;
    return sema_conditional(call->ast, is_signed, spirv_cast(call, without->type.type, with_signs), without, call->loc);
}

static struct expr *read_texel(const struct spirv_call *call, struct expr **args, uint32_t count, int sign)
{
    struct type *scalar = call->result ? type_scalar(call->result) : type_basic(call->ast->types, TYPE_FLOAT);
    struct expr *texel;
    if (scalar->kind == TYPE_HALF && count > 3) // no such function with a level
        texel = spirv_cast(call, spirv_with_lanes(call, scalar, 4), read_as(call, "f", args, count));
    else if (type_is_float(scalar))
        texel = read_as(call, scalar->kind == TYPE_HALF ? "h" : "f", args, count);
    else if (sign)
        texel = read_as(call, sign > 0 ? "i" : "ui", args, count);
    else
        texel = read_integers(call, args, count);
    unsigned wanted = call->result ? type_lanes(call->result) : 4;
    if (sema_is_error(texel) || type_lanes(texel->type.type) == wanted)
        return texel;
    struct expr *zero = spirv_cast(call, type_scalar(texel->type.type), spirv_number(call, 0));
    struct expr *one = spirv_cast(call, type_scalar(texel->type.type), spirv_number(call, 1));
    if (wanted == 4) // a depth image
        return spirv_vector(call, (struct expr *[]){texel, zero, zero, one}, 4);
    if (wanted == 1)
        return spirv_lane(call, texel, 0);
    return spirv_fail(call, "a texel must have one or four components");
}

// In source, the type in the name determines the sign.
static int sign_in_source(const struct spirv_call *call, int sign)
{
    bool given = call->count && call->args[0]->kind == EXPR_GIVEN;
    if (sign || given || !call->result || !type_is_integer(type_scalar(call->result)))
        return sign;
    return type_is_signed(call->result) ? 1 : -1;
}

struct expr *make_sample(const struct spirv_call *call)
{
    struct spirv_call own = *call;
    if (call->count && call->args[0]->kind == EXPR_COMMA && is_image(call->args[0]->a)) {
        own.args = ARENA_ARRAY(call->ast->arena, struct expr *, call->count + 1);
        memcpy(own.args + 2, call->args + 1, (call->count - 1) * sizeof *own.args);
        own.args[0] = call->args[0]->a;
        own.args[1] = call->args[0]->b;
        own.count = call->count + 1;
    }
    struct image_operands o;
    bool valid = parse_operands(&own, 3, &o);
    if (own.count < 3 || !is_image(own.args[0]) || !valid)
        return spirv_fail(call, "requires a sampled image, a coordinate and optionally a level of detail or gradients");
    struct expr *args[5] = {own.args[0], own.args[1], place_of(call, own.args[0], own.args[2])};
    uint32_t count = 3 + level_arguments(call, own.args[0]->type.type, &o, args + 3);
    for (uint32_t i = 2; i < count; i++)
        if (sema_is_error(args[i]))
            return args[i];
    return read_texel(&own, args, count, sign_in_source(&own, o.sign));
}

struct expr *make_read(const struct spirv_call *call)
{
    struct image_operands o;
    bool valid = parse_operands(call, 2, &o) && !o.level[0];
    if (call->count < 2 || !is_image(call->args[0]) || !valid)
        return spirv_fail(call, "requires an image and a coordinate; only a read with a sampler may select a mip level");
    struct expr *args[] = {call->args[0], place_of(call, call->args[0], call->args[1])};
    if (sema_is_error(args[1]))
        return args[1];
    return read_texel(call, args, 2, sign_in_source(call, o.sign));
}

// `lanes`: the number of lanes that the function for this kind of image takes.
static struct expr *write_as(const struct spirv_call *call, const char *suffix, struct type *scalar, struct expr *level,
                             unsigned lanes)
{
    struct ast *ast = call->ast;
    struct expr *texel = call->args[2];
    unsigned given = type_lanes(texel->type.type);
    texel = spirv_cast(call, spirv_with_lanes(call, scalar, given), texel);
    if (given != lanes) {
        struct expr *once = sema_once(ast, texel), *own[4];
        for (unsigned i = 0; i < lanes; i++)
            own[i] = i < given ? spirv_lane(call, once, i) : spirv_cast(call, scalar, spirv_number(call, 0));
        texel = sema_with(ast, once, spirv_vector(call, own, lanes));
    }
    struct expr *args[4] = {call->args[0], place_of(call, call->args[0], call->args[1]), level ? level : texel, texel};
    if (sema_is_error(args[1]))
        return args[1];
    return spirv_function(call, intern_cstring(ast->intern, arena_printf(ast->arena, "write_image%s", suffix)), args, level ? 4 : 3);
}

static struct expr *write_integers(const struct spirv_call *call, int sign, struct type *scalar, struct expr *level)
{
    struct type *types[2] = {spirv_with_sign(call, scalar, false), spirv_with_sign(call, scalar, true)};
    if (sign)
        return write_as(call, sign > 0 ? "i" : "ui", types[sign > 0], level, 4);
    struct expr *is_signed = is_signed_image(call, call->args[0]);
    struct expr *with_signs = write_as(call, "i", types[1], level, 4),
                *without = write_as(call, "ui", types[0], level, 4);
    if (sema_is_error(is_signed) || sema_is_error(with_signs) || sema_is_error(without))
        return without;
    return sema_conditional(call->ast, is_signed, with_signs, without, call->loc);
}

struct expr *make_write(const struct spirv_call *call)
{
    struct image_operands o;
    bool valid = parse_operands(call, 3, &o) && !o.level[1] && (!o.level[0] || type_is_integer(o.level[0]->type.type));
    if (call->count < 3 || !is_image(call->args[0]) || !valid || !spirv_is_numeric(call->args[2]->type.type))
        return spirv_fail(call, "requires an image, a coordinate, a texel and optionally a mip level");
    int sign = o.sign;
    struct type *scalar = type_scalar(call->args[2]->type.type);
    enum type_opaque kind = call->args[0]->type.type->opaque;
    bool depth = kind == OPAQUE_IMAGE2D_DEPTH || kind == OPAQUE_IMAGE2D_ARRAY_DEPTH;
    if (scalar->kind == TYPE_HALF && !o.level[0])
        return write_as(call, "h", scalar, NULL, depth ? 1 : 4);
    if (type_is_float(scalar))
        return write_as(call, "f", type_basic(call->ast->types, TYPE_FLOAT), o.level[0], depth ? 1 : 4);
    if (!sign && call->args[0]->kind != EXPR_GIVEN) // in source: the sign of the texel's type
        sign = type_is_signed(scalar) ? 1 : -1;
    return write_integers(call, sign, scalar, o.level[0]);
}

// SPIR-V numbers both lists from 0, OpenCL from CL_R and CL_SNORM_INT8.
struct expr *make_image_number(const struct spirv_call *call)
{
    bool order = !strcmp(call->row->name, "ImageQueryOrder");
    const char *name = order ? "get_image_channel_order" : "get_image_channel_data_type";
    struct expr *value = spirv_function(call, name, call->args, call->count);
    if (sema_is_error(value))
        return value;
    return sema_binary(call->ast, TOK_MINUS, value, spirv_number(call, order ? 0x10B0 : 0x10D0), call->loc);
}

// The size at a level: shifted right by the level, at least 1.
static struct expr *size_at(const struct spirv_call *call, struct expr *size, struct expr *level)
{
    struct type *number = type_basic(call->ast->types, TYPE_UINT);
    size = spirv_cast(call, number, size);
    struct expr *halved = sema_binary(call->ast, TOK_SHR, size, spirv_cast(call, number, level), call->loc);
    struct expr *args[] = {halved, spirv_cast(call, number, spirv_number(call, 1))};
    return sema_is_error(halved) ? halved : spirv_function(call, "max", args, 2);
}

struct expr *make_image_size(const struct spirv_call *call)
{
    static const char *const none[4] = {"get_image_width"}, *const lists[OPAQUE_COUNT][4] = {
        [OPAQUE_IMAGE1D] = {"get_image_width"},
        [OPAQUE_IMAGE1D_BUFFER] = {"get_image_width"},
        [OPAQUE_IMAGE1D_ARRAY] = {"get_image_width", "get_image_array_size"},
        [OPAQUE_IMAGE2D] = {"get_image_width", "get_image_height"},
        [OPAQUE_IMAGE2D_DEPTH] = {"get_image_width", "get_image_height"},
        [OPAQUE_IMAGE2D_ARRAY] = {"get_image_width", "get_image_height", "get_image_array_size"},
        [OPAQUE_IMAGE2D_ARRAY_DEPTH] = {"get_image_width", "get_image_height", "get_image_array_size"},
        [OPAQUE_IMAGE3D] = {"get_image_width", "get_image_height", "get_image_depth"},
    };
    uint64_t zero = 0;
    if (!call->count || !is_image(call->args[0]) || (call->count > 1 && !type_is_integer(call->args[1]->type.type)))
        return spirv_fail(call, "requires an image and a mip level");
    struct expr *level = call->count > 1 && !(spirv_is_constant(call, call->args[1], &zero) && !zero) ? call->args[1] : NULL;
    enum type_opaque kind = call->args[0]->type.type->opaque;
    const char *const *names = lists[kind][0] ? lists[kind] : none;
    struct type *scalar = call->result ? type_scalar(call->result) : type_basic(call->ast->types, TYPE_UINT);
    if (!spirv_is_numeric(scalar))
        return spirv_fail(call, "the size must be a number or a vector");
    unsigned count = 0, wanted = call->result ? type_lanes(call->result) : 0;
    struct expr *sizes[4];
    for (; count < 4 && names[count]; count++) {
        sizes[count] = spirv_function(call, names[count], call->args, 1);
        if (level && strcmp(names[count], "get_image_array_size"))
            sizes[count] = size_at(call, sizes[count], level);
        if (sema_is_error(sizes[count]))
            return sizes[count];
        sizes[count] = spirv_cast(call, scalar, sizes[count]);
    }
    for (; count < wanted && count < 4; count++)
        sizes[count] = spirv_cast(call, scalar, spirv_number(call, 0));
    if (wanted && wanted < count)
        return spirv_fail(call, "the result has too few components");
    return spirv_vector(call, sizes, count);
}
