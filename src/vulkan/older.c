// SPDX-License-Identifier: Apache-2.0
// Properties of devices older than Vulkan 1.3. See older.h.
#include "vulkan/older.h"

#include <stdio.h>
#include <string.h>

void vk_chain(void *head, void *item)
{
    VkBaseOutStructure *first = head, *next = item;
    next->pNext = first->pNext;
    first->pNext = next;
}

// ---- asking -------------------------------------------------------------------------------------

static void chain_as(void *head, void *item, VkStructureType type)
{
    ((VkBaseOutStructure *)item)->sType = type;
    vk_chain(head, item);
}

#define CHAIN(item, type) chain_as(all, &(item), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type)

static void chain_11(struct vk_older *older, const struct vk_features *features,
                     VkPhysicalDeviceProperties2 *all)
{
    CHAIN(older->id, ID_PROPERTIES);
    CHAIN(older->subgroups, SUBGROUP_PROPERTIES);
    CHAIN(older->allocation, MAINTENANCE_3_PROPERTIES);
    if (features->driver_properties)
        CHAIN(older->driver, DRIVER_PROPERTIES);
    if (features->float_controls)
        CHAIN(older->floats, FLOAT_CONTROLS_PROPERTIES);
}

static void chain_12(struct vk_older *older, const struct vk_features *features,
                     VkPhysicalDeviceProperties2 *all)
{
    if (features->subgroup_size_control)
        CHAIN(older->subgroup_sizes, SUBGROUP_SIZE_CONTROL_PROPERTIES);
    if (features->int_dot_product)
        CHAIN(older->dot_products, SHADER_INTEGER_DOT_PRODUCT_PROPERTIES);
    if (features->maintenance4)
        CHAIN(older->buffers, MAINTENANCE_4_PROPERTIES);
}

void vk_older_chain(struct vk_older *older, struct vk_facts *facts,
                    VkPhysicalDeviceProperties2 *all)
{
    memset(older, 0, sizeof *older);
    if (facts->props.apiVersion >= VK_API_VERSION_1_2) {
        CHAIN(facts->props11, VULKAN_1_1_PROPERTIES);
        CHAIN(facts->props12, VULKAN_1_2_PROPERTIES);
    } else {
        chain_11(older, &facts->features, all);
    }
    if (facts->props.apiVersion >= VK_API_VERSION_1_3)
        CHAIN(facts->props13, VULKAN_1_3_PROPERTIES);
    else
        chain_12(older, &facts->features, all);
}

// ---- reading ------------------------------------------------------------------------------------

// Copies members that are in the same order in both structs, from `first` to `last`.
#define COPY(to, from, first, last)                                                                \
    memcpy(&(to)->first, &(from)->first,                                                           \
           (size_t)((const char *)(&(from)->last + 1) - (const char *)&(from)->first))

static void read_11(const struct vk_older *older, VkPhysicalDeviceVulkan11Properties *props)
{
    COPY(props, &older->id, deviceUUID, deviceLUIDValid);
    props->subgroupSize = older->subgroups.subgroupSize;
    props->subgroupSupportedStages = older->subgroups.supportedStages;
    props->subgroupSupportedOperations = older->subgroups.supportedOperations;
    props->maxPerSetDescriptors = older->allocation.maxPerSetDescriptors;
    props->maxMemoryAllocationSize = older->allocation.maxMemoryAllocationSize;
}

static void read_12(const struct vk_older *older, struct vk_facts *facts)
{
    VkPhysicalDeviceVulkan12Properties *props = &facts->props12;
    COPY(props, &older->driver, driverID, conformanceVersion);
    if (!*props->driverName) { // known for every driver
        snprintf(props->driverName, sizeof props->driverName, "driver");
        snprintf(props->driverInfo, sizeof props->driverInfo, "0x%x", facts->props.driverVersion);
    }
    COPY(props, &older->floats, denormBehaviorIndependence, shaderRoundingModeRTZFloat64);
}

static void read_13(const struct vk_older *older, struct vk_facts *facts)
{
    VkPhysicalDeviceVulkan13Properties *props = &facts->props13;
    COPY(props, &older->subgroup_sizes, minSubgroupSize, requiredSubgroupSizeStages);
    COPY(props, &older->dot_products, integerDotProduct8BitUnsignedAccelerated,
         integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated);
    props->maxBufferSize = facts->features.maintenance4 ? older->buffers.maxBufferSize
                                                        : facts->props11.maxMemoryAllocationSize;
}

// Checks that parts have the same layout in both structs, for COPY.
#define SAME(newer, single, first, last)                                                           \
    _Static_assert(offsetof(newer, last) - offsetof(newer, first) ==                               \
                       offsetof(single, last) - offsetof(single, first),                           \
                   #single " is laid out as the newer struct is")
SAME(VkPhysicalDeviceVulkan11Properties, VkPhysicalDeviceIDProperties, deviceUUID, deviceLUIDValid);
SAME(VkPhysicalDeviceVulkan12Properties, VkPhysicalDeviceDriverProperties, driverID,
     conformanceVersion);
SAME(VkPhysicalDeviceVulkan12Properties, VkPhysicalDeviceFloatControlsProperties,
     denormBehaviorIndependence, shaderRoundingModeRTZFloat64);
SAME(VkPhysicalDeviceVulkan13Properties, VkPhysicalDeviceSubgroupSizeControlProperties,
     minSubgroupSize, requiredSubgroupSizeStages);
SAME(VkPhysicalDeviceVulkan13Properties, VkPhysicalDeviceShaderIntegerDotProductProperties,
     integerDotProduct8BitUnsignedAccelerated,
     integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated);

void vk_older_read(const struct vk_older *older, struct vk_facts *facts)
{
    facts->props11.pNext = facts->props12.pNext = facts->props13.pNext = NULL;
    if (facts->props.apiVersion < VK_API_VERSION_1_2) {
        read_11(older, &facts->props11);
        read_12(older, facts);
    }
    if (facts->props.apiVersion < VK_API_VERSION_1_3)
        read_13(older, facts);
}
