// SPDX-License-Identifier: Apache-2.0
// Resolves images by their argument numbers: each kind of use gets a binding, and queries become fields of the push
// block. If the device lacks storage images with CL_BGRA's channel order, or requires formats (SPIR-V has none for
// it), texels are stored in RGBA order.
//
// Images are not values: everything that takes one is inlined or specialized, so that each operation names a kernel
// argument.
#include "passes/passes.h"
#include "passes/push.h"

static bool is_image_op(const struct ir_instr *x)
{
    return x->op >= IR_OP_image_info && x->op <= IR_OP_image_write;
}

// ---- bindings -----------------------------------------------------------------------------------

static enum kc_binding_kind kind_of(const struct kc_arg *arg, const struct ir_instr *x)
{
    bool sampled = arg->access == KC_ACCESS_READ_ONLY;
    if (x->image.dim == KC_DIM_BUFFER)
        return sampled ? KC_BINDING_UNIFORM_TEXELS : KC_BINDING_STORAGE_TEXELS;
    return sampled ? KC_BINDING_SAMPLED : KC_BINDING_STORAGE;
}

static uint32_t bind_image(struct ir_module *m, const struct ir_instr *x, const struct kc_arg *arg)
{
    return push_binding(m, (struct kc_binding){.kind = kind_of(arg, x),
                                               .dim = (enum kc_image_dim)x->image.dim,
                                               .texel = (enum kc_texel)x->image.texel,
                                               .depth = x->image.depth,
                                               .level = x->op == IR_OP_image_write ? x->image.axis : 0,
                                               .arg = (uint32_t)x->src[0]->lanes[0]});
}

// Whether the device requires the formats of images that the kernel stores to, or loads from in read_write access.
static bool needs_format(const struct kc_target *target, const struct kc_arg *arg)
{
    return !target->image_write_without_format ||
           (arg->access == KC_ACCESS_READ_WRITE && !target->image_read_without_format);
}

static void use_sampler(struct ir_module *m, const struct ir_instr *x, enum kc_binding_kind image)
{
    bool known = image == KC_BINDING_SAMPLED && ir_is_const(x->src[1]);
    if (!known || (!m->mapping && x->src[1]->lanes[0] >= KC_LINEAR_SAMPLERS))
        ir_fail(m, x->origin, "internal: a sampler is not an argument or a constant");
    else if (m->mapping)
        push_binding(m, (struct kc_binding){.kind = KC_BINDING_SAMPLER, .arg = (uint32_t)x->src[1]->lanes[0]});
    else
        push_binding(m, (struct kc_binding){.kind = KC_BINDING_SAMPLERS});
}

static void use_image(struct ir_module *m, const struct ir_instr *x, const struct kc_arg *arg)
{
    enum kc_binding_kind kind = kind_of(arg, x);
    bool sampled = kind == KC_BINDING_SAMPLED || kind == KC_BINDING_UNIFORM_TEXELS;
    if (x->op == IR_OP_image_write ? sampled : arg->access == KC_ACCESS_WRITE_ONLY)
        ir_fail(m, x->origin, "an image is accessed against its access qualifier");
    if (x->op == IR_OP_image_write && x->image.dim == KC_DIM_3D && !m->target->image_3d_writes)
        ir_fail(m, x->origin, "writing to a 3D image requires 'cl_khr_3d_image_writes', which the device does not support");
    uint32_t binding = bind_image(m, x, arg);
    if (!sampled && needs_format(m->target, arg))
        push_spec(m, KC_SPEC_IMAGE_FORMAT, 0, binding, 1);
    if (x->op == IR_OP_image_sample)
        use_sampler(m, x, kind);
}

// ---- operations ---------------------------------------------------------------------------------

static struct ir_instr *pushed(struct ir_builder *b, const struct ir_instr *x)
{
    static const enum kc_push_kind kinds[] = {[IR_IMAGE_ORDER] = KC_PUSH_IMAGE_ORDER,
                                              [IR_IMAGE_TYPE] = KC_PUSH_IMAGE_TYPE,
                                              [IR_IMAGE_SIZE] = KC_PUSH_IMAGE_SIZE};
    return push_value(b, kinds[x->image.info], x->image.axis, (unsigned)x->src[0]->lanes[0],
                      ir_int(32));
}

// Swaps the channels of a CL_BGRA texel for an image with the channel order of CL_RGBA.
static struct ir_instr *exchange_channels(struct ir_builder *b, const struct ir_instr *x, struct ir_instr *texel)
{
    static const uint8_t bgra[] = {2, 1, 0, 3};
    enum { BGRA = 0x10b6, SBGRA = 0x10c2 };
    struct ir_module *m = b->module;
    struct ir_instr *order = push_value(b, KC_PUSH_IMAGE_ORDER, 0, (unsigned)x->src[0]->lanes[0], ir_int(32));
    struct ir_instr *is_bgra = ir_op2(b, IR_OP_ieq, order, ir_const_int(m, ir_int(32), BGRA));
    if (ir_stores_srgb(m->target))
        is_bgra = ir_op2(b, IR_OP_or, is_bgra, ir_op2(b, IR_OP_ieq, order, ir_const_int(m, ir_int(32), SBGRA)));
    return ir_select(b, is_bgra, ir_shuffle(b, texel, texel, bgra, 4), texel);
}

static void write_level(struct ir_builder *b, const struct ir_instr *x, unsigned level)
{
    struct ir_image image = x->image;
    image.axis = (uint8_t)level;
    ir_image_op(b, IR_OP_image_write, ir_void(), image, x->src, 3);
}

// Each mip level is a separate Vulkan image: a dynamic level becomes a write for each level.
static void lower_store(struct ir_function *f, struct ir_instr *x)
{
    struct ir_builder b = ir_before(f, x);
    const struct ir_instr *level = x->src[3];
    if (ir_is_const(level) && level->lanes[0] < KC_LEVELS)
        write_level(&b, x, (unsigned)level->lanes[0]);
    for (unsigned i = 0; i < KC_LEVELS && !ir_is_const(level); i++) {
        struct ir_if *is = ir_add_if(&b, ir_op2(&b, IR_OP_ieq, x->src[3], ir_const_int(b.module, ir_int(32), i)));
        struct ir_builder inside = b;
        ir_place_end(&inside, &is->then_list);
        write_level(&inside, x, i);
    }
    ir_remove(x);
}

static bool lower_stores(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_image_store)
                continue;
            lower_store(f, x);
            changed = true;
        }
    return changed;
}

// The value of an image_info; NULL for other instructions.
static struct ir_instr *lower_instr(struct ir_builder *b, struct ir_instr *x)
{
    const struct kc_kernel *info = &push_kernel(b->module)->info;
    const struct ir_instr *image = x->src[0];
    if (!ir_is_const(image) || image->lanes[0] >= info->arg_count ||
        info->args[image->lanes[0]].kind != KC_ARG_IMAGE) {
        ir_fail(b->module, x->origin, "an image is not one of the kernel's arguments");
        return NULL;
    }
    if (x->op == IR_OP_image_info && x->image.info == IR_IMAGE_SIZE && b->module->mapping)
        return NULL; // queried from the image
    if (x->op == IR_OP_image_info) {
        struct ir_instr *constant = ir_image_info_of_target(b, x);
        return constant ? constant : pushed(b, x);
    }
    use_image(b->module, x, &info->args[image->lanes[0]]);
    if (x->op == IR_OP_image_write && b->module->target->image_bgra_by_rgba && !x->image.depth)
        x->src[2] = exchange_channels(b, x, x->src[2]);
    bool swapped = b->module->target->mapping.bgra_buffers && x->op == IR_OP_image_read && x->image.dim == KC_DIM_BUFFER;
    return swapped ? exchange_channels(b, x, ir_image_op(b, x->op, x->type, x->image, x->src, x->src_count)) : NULL;
}

// Binds an image of which only the size is queried, as one of floats.
static void bind_queried(struct ir_module *m, struct ir_function *f)
{
    const struct kc_kernel *info = &push_kernel(m)->info;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x && !m->error; x = x->next) {
            if (x->op != IR_OP_image_info)
                continue;
            uint32_t arg = (uint32_t)x->src[0]->lanes[0];
            x->image.dim = info->args[arg].dim;
            x->image.texel = KC_TEXEL_FLOAT;
            for (uint32_t i = 0; i < info->binding_count; i++)
                if (info->bindings[i].kind < KC_BINDING_SAMPLERS && info->bindings[i].arg == arg)
                    x->image.texel = (uint8_t)info->bindings[i].texel;
            bind_image(m, x, &info->args[arg]);
        }
}

// Requires: inline_calls, lower_args, opt_mem2reg. Removes: image_store, and image_info except sizes under a mapping.
// Adds the kernel's bindings.
bool lower_images(struct pass_context *c, struct ir_function *f)
{
    bool changed = lower_stores(f);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x && !c->module->error; x = next) {
            next = x->next;
            if (!is_image_op(x))
                continue;
            struct ir_builder b = ir_before(f, x);
            struct ir_instr *value = lower_instr(&b, x);
            if (value)
                ir_replace(x, value);
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
    if (changed && c->module->mapping)
        bind_queried(c->module, f);
    return changed;
}
