// SPDX-License-Identifier: Apache-2.0
// Formats of storage images: the format declared in a kernel must be that of the view bound at the
// dispatch; a kernel that declares none needs the features for that.
#include "layer.h"

#include <string.h>

enum { STORED = 0x100 }; // a flag besides the format in a pipeline's data of a binding

static const struct {
    uint32_t name; // SPIR-V's Image Format
    VkFormat format;
} names[] = {
#define IMAGE_FORMAT(name, format) {name, VK_FORMAT_##format},
#include "spirv.def"
};

static VkFormat format_named(uint32_t name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].name == name)
            return names[i].format;
    complain("a module has an image of format %u, which spirv.def has no row for", name);
}

void image_note_view(enum thing_kind kind, uint64_t view, VkFormat format)
{
    thing_add(kind, view)->format = format;
}

// ---- pipelines ----------------------------------------------------------------------------------

void image_note_pipeline(VkPipeline pipeline, const struct thing *module)
{
    struct thing *thing = thing_add(THING_PIPELINE, (uint64_t)pipeline);
    memcpy(thing->images, module->images, sizeof thing->images);
}

void image_check_variable(const struct open_device *device, struct thing *module, uint32_t binding, uint32_t name)
{
    if (!name && !feature_on(device, "shaderStorageImageWriteWithoutFormat") &&
        !feature_on(device, "shaderStorageImageReadWithoutFormat"))
        complain("a module has a storage image without a format at binding %u", binding);
    if (module && binding < IMAGES_MAX)
        module->images[binding] = STORED | name;
}

// ---- sets ---------------------------------------------------------------------------------------

void image_note_write(const VkWriteDescriptorSet *write)
{
    bool texels = write->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (!texels && write->descriptorType != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
        return;
    struct thing *set = thing_seek(THING_SET, (uint64_t)write->dstSet);
    if (!set)
        set = thing_add(THING_SET, (uint64_t)write->dstSet);
    for (uint32_t i = 0; i < write->descriptorCount && write->dstBinding < IMAGES_MAX; i++) {
        uint64_t view = texels ? (uint64_t)write->pTexelBufferView[i] : (uint64_t)write->pImageInfo[i].imageView;
        set->images[write->dstBinding] = (uint32_t)thing_find(texels ? THING_TEXELS : THING_VIEW, view)->format;
    }
}

// ---- commands -----------------------------------------------------------------------------------

static struct thing *commands_of(VkCommandBuffer commands)
{
    struct thing *thing = thing_seek(THING_COMMANDS, (uint64_t)(uintptr_t)commands);
    return thing ? thing : thing_add(THING_COMMANDS, (uint64_t)(uintptr_t)commands);
}

void image_bind_pipeline(VkCommandBuffer commands, VkPipeline pipeline)
{
    commands_of(commands)->pipeline = (uint64_t)pipeline;
}

void image_bind_set(VkCommandBuffer commands, VkDescriptorSet set)
{
    commands_of(commands)->set = (uint64_t)set;
}

void image_check_dispatch(VkCommandBuffer commands)
{
    const struct thing *state = commands_of(commands);
    const struct thing *pipeline = thing_find(THING_PIPELINE, state->pipeline);
    for (uint32_t i = 0; i < IMAGES_MAX; i++) {
        if (!pipeline->images[i])
            continue;
        const struct thing *set = thing_find(THING_SET, state->set);
        uint32_t name = pipeline->images[i] & ~(uint32_t)STORED;
        if (name && (uint32_t)format_named(name) != set->images[i])
            complain("a kernel names format %d at binding %u, bound is a view of format %u", (int)format_named(name),
                     i, set->images[i]);
    }
}
