// SPDX-License-Identifier: Apache-2.0
// Images and samplers: the operations that the library's image functions are built from.
//
// An image is an i32 that identifies a kernel argument; a sampler is an i32 with its properties (KC_SAMPLER_*). The
// library passes coordinates as int4 or float4 for all images; lanes that the image does not have are removed here.
#include "gen/gen_internal.h"

struct ir_image gen_image(const struct type *type, unsigned texel)
{
    static const struct {
        enum kc_image_dim dim;
        bool depth;
    } kinds[OPAQUE_COUNT] = {
        [OPAQUE_IMAGE1D] = {KC_DIM_1D, false},
        [OPAQUE_IMAGE1D_BUFFER] = {KC_DIM_BUFFER, false},
        [OPAQUE_IMAGE1D_ARRAY] = {KC_DIM_1D_ARRAY, false},
        [OPAQUE_IMAGE2D] = {KC_DIM_2D, false},
        [OPAQUE_IMAGE2D_ARRAY] = {KC_DIM_2D_ARRAY, false},
        [OPAQUE_IMAGE2D_DEPTH] = {KC_DIM_2D, true},
        [OPAQUE_IMAGE2D_ARRAY_DEPTH] = {KC_DIM_2D_ARRAY, true},
        [OPAQUE_IMAGE3D] = {KC_DIM_3D, false},
    };
    return (struct ir_image){.dim = (uint8_t)kinds[type->opaque].dim,
                             .depth = kinds[type->opaque].depth,
                             .texel = (uint8_t)texel};
}

static struct ir_instr *place(struct gen *gen, struct ir_instr *x, struct ir_image image)
{
    static const uint8_t lanes[] = {0, 1, 2};
    return ir_shuffle(&gen->b, x, x, lanes, ir_image_lanes((enum kc_image_dim)image.dim));
}

static struct ir_instr *image_info(struct gen *gen, struct gen_args *args)
{
    static const struct ir_image infos[] = {
        [IMAGE_INFO_ORDER] = {.info = IR_IMAGE_ORDER},
        [IMAGE_INFO_TYPE] = {.info = IR_IMAGE_TYPE},
        [IMAGE_INFO_WIDTH] = {.info = IR_IMAGE_SIZE, .axis = 0},
        [IMAGE_INFO_HEIGHT] = {.info = IR_IMAGE_SIZE, .axis = 1},
        [IMAGE_INFO_DEPTH] = {.info = IR_IMAGE_SIZE, .axis = 2},
        [IMAGE_INFO_LEVELS] = {.info = IR_IMAGE_SIZE, .axis = 3},
        [IMAGE_INFO_FILTER] = {.info = IR_IMAGE_FILTER},
        [IMAGE_INFO_BY_UINT] = {.info = IR_IMAGE_BY_UINT},
        [IMAGE_INFO_MAPPED] = {.info = IR_IMAGE_MAPPED},
        [IMAGE_INFO_SRGB] = {.info = IR_IMAGE_SRGB},
        [IMAGE_INFO_BORDERS] = {.info = IR_IMAGE_BORDERS},
    };
    struct ir_type type = gen_type(args->type);
    struct ir_instr *value =
        ir_image_op(&gen->b, IR_OP_image_info, ir_int(32), infos[args->builtin->op], args->x, 1);
    return type.bits == 32 ? value : ir_convert(&gen->b, IR_OP_zext, type, value);
}

static struct ir_instr *image_read(struct gen *gen, struct gen_args *args)
{
    struct ir_image image = gen_image(args->arg, args->builtin->op);
    struct ir_instr *src[] = {args->x[0], place(gen, args->x[1], image)};
    return ir_image_op(&gen->b, IR_OP_image_read, gen_type(args->type), image, src, 2);
}

static struct ir_instr *image_fetch(struct gen *gen, struct gen_args *args)
{
    struct ir_image image = gen_image(args->arg, args->builtin->op);
    struct ir_instr *src[] = {args->x[0], place(gen, args->x[1], image), args->x[2]};
    return ir_image_op(&gen->b, IR_OP_image_fetch, gen_type(args->type), image, src, 3);
}

static struct ir_instr *image_sample(struct gen *gen, struct gen_args *args)
{
    struct ir_image image = gen_image(args->arg, args->builtin->op);
    struct ir_instr *src[] = {args->x[0], args->x[1], place(gen, args->x[2], image)};
    return ir_image_op(&gen->b, IR_OP_image_sample, gen_type(args->type), image, src, 3);
}

static struct ir_instr *image_write(struct gen *gen, struct gen_args *args)
{
    struct ir_image image = gen_image(args->arg, args->builtin->op);
    bool level = args->count > 3;
    struct ir_instr *src[] = {args->x[0], place(gen, args->x[1], image), args->x[2], level ? args->x[3] : NULL};
    ir_image_op(&gen->b, level ? IR_OP_image_store : IR_OP_image_write, ir_void(), image, src, level ? 4 : 3);
    return NULL;
}

static struct ir_instr *sampler_bits(struct gen *gen, struct gen_args *args)
{
    (void)gen;
    return args->x[0];
}

bool gen_is_handle(const struct type *type)
{
    return type->kind == TYPE_OPAQUE && (type->opaque == OPAQUE_SAMPLER || type->opaque >= OPAQUE_IMAGE1D);
}

bool gen_is_constant_sampler(const struct decl *decl)
{
    const struct type *type = decl->type.type;
    return type->kind == TYPE_OPAQUE && type->opaque == OPAQUE_SAMPLER && decl->init &&
           decl->init->entries[0].value->kind == EXPR_CONST;
}

struct ir_instr *gen_handle(struct gen *gen, const struct decl *decl)
{
    struct ir_instr *known = decl->gen;
    if (gen_is_constant_sampler(decl))
        return gen_value(gen, decl->init->entries[0].value);
    return known && known->op != IR_OP_addr ? known : NULL;
}

gen_special *gen_image_special(unsigned special)
{
    static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
        [BUILTIN_IMAGE_INFO] = image_info,     [BUILTIN_IMAGE_READ] = image_read,
        [BUILTIN_IMAGE_FETCH] = image_fetch,
        [BUILTIN_IMAGE_SAMPLE] = image_sample, [BUILTIN_IMAGE_WRITE] = image_write,
        [BUILTIN_SAMPLER_BITS] = sampler_bits,
    };
    return specials[special];
}
