// SPDX-License-Identifier: Apache-2.0
// Under a mapping: converts image coordinates to the form that Vulkan's samplers require.
//
// Samplers with unnormalized coordinates can only read 1D and 2D images. 3D images and arrays are read with
// normalized coordinates: a literal sampler is replaced by a normalized one; for a sampler argument the launch passes
// the kind, and its descriptor must then be normalized for all uses in the kernel. Array layers are not changed.
#include "passes/passes.h"
#include "passes/push.h"

static bool is_plain(const struct ir_instr *x) { return x->image.dim == KC_DIM_1D || x->image.dim == KC_DIM_2D; }

static bool is_argument(uint64_t sampler) { return sampler & KC_SAMPLER_ARG; }

// Whether the kernel reads a 3D image or an array with this sampler argument.
static bool must_be_normalized(const struct ir_function *f, uint64_t sampler)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next)
            if (x->op == IR_OP_image_sample && !is_plain(x) && ir_is_const(x->src[1]) && x->src[1]->lanes[0] == sampler)
                return true;
    return false;
}

static struct ir_instr *float_const(struct ir_builder *b, double value) { return ir_const_float(b->module, ir_float(32), value); }

static struct ir_instr *texel_center(struct ir_builder *b, struct ir_instr *at)
{
    return ir_op2(b, IR_OP_fadd, ir_op1(b, IR_OP_ffloor, at), float_const(b, 0.5));
}

// Normalizes an unnormalized coordinate in one dimension.
static struct ir_instr *normalized_coordinate(struct ir_builder *b, const struct ir_instr *x, struct ir_instr *at, unsigned axis)
{
    struct ir_image info = {.info = IR_IMAGE_SIZE, .axis = (uint8_t)axis};
    struct ir_instr *image = x->src[0];
    struct ir_instr *size = ir_image_op(b, IR_OP_image_info, ir_int(32), info, &image, 1);
    struct ir_instr *quotient = ir_op2(b, IR_OP_fdiv, at, ir_convert(b, IR_OP_u2f, at->type, size));
    quotient->flags |= IR_FAST;
    return quotient;
}

// `bits`: the sampler's properties, from the launch; NULL: a literal, unnormalized sampler.
static struct ir_instr *normalized(struct ir_builder *b, const struct ir_instr *x, struct ir_instr *at, unsigned axis,
                                   struct ir_instr *bits)
{
    struct ir_module *m = b->module;
    bool linear = !bits && x->src[1]->lanes[0] & KC_SAMPLER_LINEAR;
    struct ir_instr *place = linear ? at : texel_center(b, at);
    if (!bits)
        return normalized_coordinate(b, x, place, axis);
    struct ir_instr *zero = ir_const_int(m, ir_int(32), 0);
    struct ir_instr *filter = ir_op2(b, IR_OP_and, bits, ir_const_int(m, ir_int(32), KC_SAMPLER_LINEAR));
    struct ir_instr *given = ir_op2(b, IR_OP_and, bits, ir_const_int(m, ir_int(32), KC_SAMPLER_NORMALIZED));
    place = ir_select(b, ir_op2(b, IR_OP_ieq, filter, zero), place, at);
    struct ir_instr *normalized = normalized_coordinate(b, x, place, axis);
    return ir_select(b, ir_op2(b, IR_OP_ieq, given, zero), normalized, at);
}

static void normalize(struct ir_builder *b, struct ir_instr *x, struct ir_instr *bits)
{
    static const unsigned dimensions[] = {[KC_DIM_1D] = 1, [KC_DIM_1D_ARRAY] = 1, [KC_DIM_2D] = 2, [KC_DIM_2D_ARRAY] = 2,
                                          [KC_DIM_3D] = 3, [KC_DIM_BUFFER] = 1};
    struct ir_instr *lanes[4], *at = x->src[2];
    for (unsigned i = 0; i < at->type.lanes; i++) {
        lanes[i] = at->type.lanes == 1 ? at : ir_extract(b, at, i);
        if (i < dimensions[x->image.dim])
            lanes[i] = normalized(b, x, lanes[i], i, bits);
    }
    x->src[2] = at->type.lanes == 1 ? lanes[0] : ir_vec(b, lanes, at->type.lanes);
}

static void lower_sample(struct ir_builder *b, struct ir_instr *x)
{
    struct ir_module *m = b->module;
    if (!ir_is_const(x->src[1])) {
        ir_fail(m, x->origin, "internal: a sampler is not known");
        return;
    }
    uint64_t sampler = x->src[1]->lanes[0];
    if (is_argument(sampler) && must_be_normalized(b->function, sampler)) {
        normalize(b, x, push_value(b, KC_PUSH_ARG, 0, (unsigned)(sampler - KC_SAMPLER_ARG), ir_int(32)));
    } else if (!is_argument(sampler) && !is_plain(x) && !(sampler & KC_SAMPLER_NORMALIZED)) {
        normalize(b, x, NULL);
        x->src[1] = ir_const_int(m, ir_int(32), sampler | KC_SAMPLER_NORMALIZED);
    }
}

// Requires: lower_handles, inline_calls, lower_args, opt_mem2reg. Keeps: everything. Removes: under a mapping,
// unnormalized coordinates of 3D images and arrays.
bool lower_samplers(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block && c->module->mapping; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x && !c->module->error; x = x->next) {
            if (x->op != IR_OP_image_sample)
                continue;
            struct ir_builder b = ir_before(f, x);
            lower_sample(&b, x);
            changed = true;
        }
    return changed;
}
