// SPDX-License-Identifier: Apache-2.0
// Images and samplers: the kernel's bindings become variables when first used; texel operations access them.
//
// Fetches are for sampled images, reads for storage images, which have no format in the shader. Signed texels need a
// signed integer type, which nothing else in a module uses; they are cast.
#include "spirv/writer.h"

static bool is_sampled(const struct kc_binding *binding)
{
    return binding->kind == KC_BINDING_SAMPLED || binding->kind == KC_BINDING_UNIFORM_TEXELS;
}

static bool is_storage(const struct kc_binding *binding)
{
    return binding->kind == KC_BINDING_STORAGE || binding->kind == KC_BINDING_STORAGE_TEXELS;
}

// ---- types --------------------------------------------------------------------------------------

static uint32_t texel_scalar(struct spv *s, enum kc_texel texel)
{
    if (texel == KC_TEXEL_INT)
        return spv_global(s, SpvOpTypeInt, 0, SPV_WORDS(32, 1), NULL);
    return spv_type(s, texel == KC_TEXEL_FLOAT ? ir_float(32) : ir_int(32));
}

static uint32_t texel_vector(struct spv *s, enum kc_texel texel)
{
    return spv_global(s, SpvOpTypeVector, 0, SPV_WORDS(texel_scalar(s, texel), 4), NULL);
}

static void need_dimension(struct spv *s, const struct kc_binding *binding)
{
    bool sampled = is_sampled(binding);
    if (binding->dim == KC_DIM_1D || binding->dim == KC_DIM_1D_ARRAY)
        spv_need(s, sampled ? SPV_CAP_SAMPLED_1D : SPV_CAP_IMAGE_1D);
    if (binding->dim == KC_DIM_BUFFER)
        spv_need(s, sampled ? SPV_CAP_SAMPLED_BUFFER : SPV_CAP_IMAGE_BUFFER);
}

static uint32_t image_type(struct spv *s, const struct kc_binding *binding)
{
    static const struct {
        SpvDim dim;
        bool arrayed;
    } dims[] = {
        [KC_DIM_1D] = {SpvDim1D, false}, [KC_DIM_1D_ARRAY] = {SpvDim1D, true},
        [KC_DIM_2D] = {SpvDim2D, false}, [KC_DIM_2D_ARRAY] = {SpvDim2D, true},
        [KC_DIM_3D] = {SpvDim3D, false}, [KC_DIM_BUFFER] = {SpvDimBuffer, false},
    };
    const bool depth = false, multisampled = false;
    need_dimension(s, binding);
    return spv_global(s, SpvOpTypeImage, 0,
                      SPV_WORDS(texel_scalar(s, binding->texel), dims[binding->dim].dim, depth,
                                dims[binding->dim].arrayed, multisampled,
                                is_sampled(binding) ? 1 : 2, SpvImageFormatUnknown),
                      NULL);
}

static uint32_t binding_type(struct spv *s, const struct kc_binding *binding)
{
    if (binding->kind < KC_BINDING_SAMPLERS)
        return image_type(s, binding);
    uint32_t sampler = spv_global(s, SpvOpTypeSampler, 0, NULL, 0, NULL);
    if (binding->kind == KC_BINDING_SAMPLER)
        return sampler;
    return spv_global(s, SpvOpTypeArray, 0, SPV_WORDS(sampler, spv_u32(s, KC_LINEAR_SAMPLERS)),
                      NULL);
}

// ---- variables ----------------------------------------------------------------------------------

static void decorate(struct spv *s, const struct kc_binding *binding, uint32_t id)
{
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationDescriptorSet, binding->set);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationBinding, binding->binding);
    if (!is_storage(binding))
        return;
    bool both = s->kernel->kernel->info.args[binding->arg].access == KC_ACCESS_READ_WRITE;
    if (!both)
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationNonReadable);
    else if (!s->module->needs_vulkan_memory_model)
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationCoherent);
}

static uint32_t binding_id(struct spv *s, const struct kc_binding *binding)
{
    uintptr_t known = (uintptr_t)map_get(&s->vars, binding);
    if (known)
        return (uint32_t)known;
    uint32_t type = spv_type_pointer(s, SpvStorageClassUniformConstant, binding_type(s, binding));
    uint32_t id = spv_put_result(s, SPV_GLOBALS, SpvOpVariable, type,
                                 SPV_WORDS(SpvStorageClassUniformConstant));
    decorate(s, binding, id);
    if (s->target->spirv_version >= 0x10400)
        vec_push(s->arena, &s->interface, id);
    map_set(s->arena, &s->vars, binding, (void *)(uintptr_t)id);
    return id;
}

// The binding of `sampler`, or the array of the launch's samplers.
static const struct kc_binding *find_sampler(struct spv *s, const struct ir_instr *sampler)
{
    const struct kc_kernel *info = &s->kernel->kernel->info;
    for (uint32_t i = 0; i < info->binding_count; i++)
        if (info->bindings[i].kind == KC_BINDING_SAMPLERS ||
            (info->bindings[i].kind == KC_BINDING_SAMPLER && info->bindings[i].arg == sampler->lanes[0]))
            return &info->bindings[i];
    spv_fail(s, "internal: the kernel has no samplers");
    return NULL;
}

static const struct kc_binding *find_image(struct spv *s, const struct ir_instr *x)
{
    const struct kc_kernel *info = &s->kernel->kernel->info;
    uint32_t level = x->op == IR_OP_image_write ? x->image.axis : 0;
    for (uint32_t i = 0; i < info->binding_count && ir_is_const(x->src[0]); i++) {
        const struct kc_binding *binding = &info->bindings[i];
        if (binding->kind < KC_BINDING_SAMPLERS && binding->arg == x->src[0]->lanes[0] &&
            binding->texel == (enum kc_texel)x->image.texel && binding->level == level)
            return binding;
    }
    spv_fail(s, "internal: an image has no binding");
    return NULL;
}

// ---- operations ---------------------------------------------------------------------------------

static uint32_t load_image(struct spv *s, const struct kc_binding *binding)
{
    return SPV_VALUE(s, SpvOpLoad, image_type(s, binding), binding_id(s, binding));
}

// Defines x as the texel `id`, which has the image's texel type, converted to the IR's type.
static void define_texel(struct spv *s, const struct ir_instr *x, SpvOp op, const uint32_t *words,
                         size_t count)
{
    if (x->image.texel != KC_TEXEL_INT) {
        spv_define(s, x, op, words, count);
        return;
    }
    uint32_t texel =
        spv_put_result(s, SPV_FUNCTIONS, op, texel_vector(s, KC_TEXEL_INT), words, count);
    spv_define(s, x, SpvOpBitcast, &texel, 1);
}

// Accesses to storage images that other work-items may see are non-private in Vulkan's memory model.
static uint32_t storage_operands(const struct spv *s, const struct kc_binding *binding)
{
    return is_storage(binding) && s->module->needs_vulkan_memory_model
               ? SpvImageOperandsNonPrivateTexelMask
               : 0;
}

static void emit_read(struct spv *s, const struct ir_instr *x, const struct kc_binding *binding)
{
    uint32_t words[4] = {load_image(s, binding), spv_value(s, x->src[1])}, count = 2;
    if (is_storage(binding)) {
        spv_need(s, SPV_CAP_READ_WITHOUT_FORMAT);
        uint32_t operands = storage_operands(s, binding);
        if (operands)
            words[count++] = operands;
        define_texel(s, x, SpvOpImageRead, words, count);
        return;
    }
    if (binding->dim != KC_DIM_BUFFER) {
        words[count++] = SpvImageOperandsLodMask;
        words[count++] = x->op == IR_OP_image_fetch ? spv_value(s, x->src[2]) : spv_u32(s, 0);
    }
    define_texel(s, x, SpvOpImageFetch, words, count);
}

static void emit_write(struct spv *s, const struct ir_instr *x, const struct kc_binding *binding)
{
    uint32_t texel = spv_value(s, x->src[2]);
    if (x->image.texel == KC_TEXEL_INT)
        texel = SPV_VALUE(s, SpvOpBitcast, texel_vector(s, KC_TEXEL_INT), texel);
    uint32_t words[4] = {load_image(s, binding), spv_value(s, x->src[1]), texel}, count = 3;
    uint32_t operands = storage_operands(s, binding);
    if (operands)
        words[count++] = operands;
    spv_need(s, SPV_CAP_WRITE_WITHOUT_FORMAT);
    spv_put(s, SPV_FUNCTIONS, SpvOpImageWrite, words, count);
}

static uint32_t load_sampler(struct spv *s, const struct kc_binding *binding, const struct ir_instr *number)
{
    uint32_t type = spv_global(s, SpvOpTypeSampler, 0, NULL, 0, NULL), place = binding_id(s, binding);
    uint32_t pointer = spv_type_pointer(s, SpvStorageClassUniformConstant, type);
    if (binding->kind == KC_BINDING_SAMPLERS)
        place = SPV_VALUE(s, SpvOpAccessChain, pointer, place, spv_value(s, number));
    return SPV_VALUE(s, SpvOpLoad, type, place);
}

static void emit_sample(struct spv *s, const struct ir_instr *x, const struct kc_binding *binding)
{
    const struct kc_binding *samplers = find_sampler(s, x->src[1]);
    if (!samplers)
        return;
    uint32_t sampler = load_sampler(s, samplers, x->src[1]), image = load_image(s, binding);
    uint32_t pair_type =
        spv_global(s, SpvOpTypeSampledImage, 0, SPV_WORDS(image_type(s, binding)), NULL);
    uint32_t pair = SPV_VALUE(s, SpvOpSampledImage, pair_type, image, sampler);
    define_texel(s, x, SpvOpImageSampleExplicitLod,
                 SPV_WORDS(pair, spv_value(s, x->src[2]), SpvImageOperandsLodMask,
                           spv_const_int(s, ir_float(32), 0)));
}

// The size along an axis. (For 1D arrays the number of layers is axis 2, too.)
static void emit_size(struct spv *s, const struct ir_instr *x, const struct kc_binding *binding)
{
    unsigned lanes = ir_image_lanes(binding->dim);
    bool levels = binding->kind == KC_BINDING_SAMPLED;
    uint32_t words[2] = {load_image(s, binding), levels ? spv_u32(s, 0) : 0}, count = 1u + levels;
    SpvOp op = levels ? SpvOpImageQuerySizeLod : SpvOpImageQuerySize;
    spv_need(s, SPV_CAP_IMAGE_QUERY);
    if (lanes == 1) {
        spv_define(s, x, op, words, count);
        return;
    }
    uint32_t type = spv_type(s, ir_with_lanes(ir_int(32), lanes));
    uint32_t sizes = spv_put_result(s, SPV_FUNCTIONS, op, type, words, count);
    spv_define(s, x, SpvOpCompositeExtract, SPV_WORDS(sizes, x->image.axis < lanes ? x->image.axis : lanes - 1));
}

bool spv_emit_image(struct spv *s, const struct ir_instr *x)
{
    if (x->op < IR_OP_image_info || x->op > IR_OP_image_write)
        return false;
    const struct kc_binding *binding = find_image(s, x);
    if (!binding)
        return true;
    if (x->op == IR_OP_image_read || x->op == IR_OP_image_fetch)
        emit_read(s, x, binding);
    else if (x->op == IR_OP_image_write)
        emit_write(s, x, binding);
    else if (x->op == IR_OP_image_info)
        emit_size(s, x, binding);
    else
        emit_sample(s, x, binding);
    return true;
}
