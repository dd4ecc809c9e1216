// SPDX-License-Identifier: Apache-2.0
// The parts of Vulkan 1.3, and of extensions of its time, that headers before 1.3 lack (Debian 11
// has those of 1.2.162). Only what Pumice uses. The test house/headers compares them with a newer
// header.
#ifndef PUMICE_VULKAN_VK_1_3_H
#define PUMICE_VULKAN_VK_1_3_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

// Drivers newer than some headers of 1.3, too. Where these are enumerators, the values are the same.
#define VK_DRIVER_ID_MESA_TURNIP ((VkDriverId)18)
#define VK_DRIVER_ID_MESA_V3DV ((VkDriverId)19)
#define VK_DRIVER_ID_MESA_PANVK ((VkDriverId)20)
#define VK_DRIVER_ID_MESA_VENUS ((VkDriverId)22)
#define VK_DRIVER_ID_MESA_NVK ((VkDriverId)24)

#ifndef VK_MAKE_API_VERSION
#define VK_MAKE_API_VERSION(variant, major, minor, patch)                                          \
    ((uint32_t)(variant) << 29 | (uint32_t)(major) << 22 | (uint32_t)(minor) << 12 |               \
     (uint32_t)(patch))
#define VK_API_VERSION_MAJOR(version) ((uint32_t)(version) >> 22 & 0x7f)
#define VK_API_VERSION_MINOR(version) ((uint32_t)(version) >> 12 & 0x3ff)
#define VK_API_VERSION_PATCH(version) ((uint32_t)(version)&0xfff)
#endif

#ifndef VK_KHR_portability_enumeration
#define VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME "VK_KHR_portability_enumeration"
#define VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR 1
#endif

#ifndef VK_EXT_physical_device_drm
#define VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME "VK_EXT_physical_device_drm"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT ((VkStructureType)1000353000)
typedef struct VkPhysicalDeviceDrmPropertiesEXT {
    VkStructureType sType;
    void *pNext;
    VkBool32 hasPrimary, hasRender;
    int64_t primaryMajor, primaryMinor, renderMajor, renderMinor;
} VkPhysicalDeviceDrmPropertiesEXT;
#endif

#ifndef VK_KHR_workgroup_memory_explicit_layout
#define VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME                                     \
    "VK_KHR_workgroup_memory_explicit_layout"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR            \
    ((VkStructureType)1000336000)
typedef struct VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR {
    VkStructureType sType;
    void *pNext;
    VkBool32 workgroupMemoryExplicitLayout, workgroupMemoryExplicitLayoutScalarBlockLayout;
    VkBool32 workgroupMemoryExplicitLayout8BitAccess, workgroupMemoryExplicitLayout16BitAccess;
} VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR;
#endif

#ifndef VK_VERSION_1_3
#define VK_API_VERSION_1_3 VK_MAKE_API_VERSION(0, 1, 3, 0)

#define VK_STRUCTURE_TYPE_SUBMIT_INFO_2 ((VkStructureType)1000314004)
#define VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO ((VkStructureType)1000314005)
#define VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO ((VkStructureType)1000314006)
#define VK_STRUCTURE_TYPE_MEMORY_BARRIER_2 ((VkStructureType)1000314000)
#define VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2 ((VkStructureType)1000314001)
#define VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2 ((VkStructureType)1000314002)
#define VK_STRUCTURE_TYPE_DEPENDENCY_INFO ((VkStructureType)1000314003)
#define VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3 ((VkStructureType)1000360000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES ((VkStructureType)53)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES ((VkStructureType)54)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES ((VkStructureType)1000314007)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES ((VkStructureType)1000413000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES ((VkStructureType)1000413001)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES                      \
    ((VkStructureType)1000280000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES                    \
    ((VkStructureType)1000280001)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES                \
    ((VkStructureType)1000325000)

#define VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME "VK_KHR_synchronization2"
#define VK_KHR_MAINTENANCE_4_EXTENSION_NAME "VK_KHR_maintenance4"
#define VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME "VK_KHR_format_feature_flags2"
#define VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME "VK_KHR_shader_integer_dot_product"
#define VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME                                     \
    "VK_KHR_zero_initialize_workgroup_memory"

// ---- extensions that 1.3 includes without changes ------------------------------------------------

#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES                           \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES                         \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT
#define VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO                 \
    VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES                 \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES_EXT
#define VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO                                   \
    VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO_EXT
#define VkPhysicalDeviceSubgroupSizeControlFeatures VkPhysicalDeviceSubgroupSizeControlFeaturesEXT
#define VkPhysicalDeviceSubgroupSizeControlProperties                                              \
    VkPhysicalDeviceSubgroupSizeControlPropertiesEXT
#define VkPipelineShaderStageRequiredSubgroupSizeCreateInfo                                        \
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT
#define VkPhysicalDevicePipelineCreationCacheControlFeatures                                       \
    VkPhysicalDevicePipelineCreationCacheControlFeaturesEXT
#define VkPipelineCreationFeedback VkPipelineCreationFeedbackEXT
#define VkPipelineCreationFeedbackCreateInfo VkPipelineCreationFeedbackCreateInfoEXT
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES                     \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES_KHR
#define VkPhysicalDeviceShaderTerminateInvocationFeatures                                          \
    VkPhysicalDeviceShaderTerminateInvocationFeaturesKHR
#define VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT                                 \
    VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT
#define VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT                           \
    VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT_EXT

// ---- flags ---------------------------------------------------------------------------------------

typedef uint64_t VkPipelineStageFlags2, VkAccessFlags2, VkFormatFeatureFlags2;
#define VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT UINT64_C(0x800)
#define VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT UINT64_C(0x1000)
#define VK_PIPELINE_STAGE_2_HOST_BIT UINT64_C(0x4000)
#define VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT UINT64_C(0x10000)
#define VK_ACCESS_2_SHADER_READ_BIT UINT64_C(0x20)
#define VK_ACCESS_2_SHADER_WRITE_BIT UINT64_C(0x40)
#define VK_ACCESS_2_TRANSFER_READ_BIT UINT64_C(0x800)
#define VK_ACCESS_2_TRANSFER_WRITE_BIT UINT64_C(0x1000)
#define VK_ACCESS_2_HOST_READ_BIT UINT64_C(0x2000)
#define VK_ACCESS_2_HOST_WRITE_BIT UINT64_C(0x4000)
#define VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT UINT64_C(0x1)
#define VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT UINT64_C(0x2)
#define VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT UINT64_C(0x8)
#define VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT UINT64_C(0x10)
#define VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT UINT64_C(0x1000)
#define VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT UINT64_C(0x4000)
#define VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT UINT64_C(0x8000)
#define VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT UINT64_C(0x80000000)
#define VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT UINT64_C(0x100000000)

// ---- structs -------------------------------------------------------------------------------------

typedef struct VkFormatProperties3 {
    VkStructureType sType;
    void *pNext;
    VkFormatFeatureFlags2 linearTilingFeatures, optimalTilingFeatures, bufferFeatures;
} VkFormatProperties3;

typedef struct VkMemoryBarrier2 {
    VkStructureType sType;
    const void *pNext;
    VkPipelineStageFlags2 srcStageMask;
    VkAccessFlags2 srcAccessMask;
    VkPipelineStageFlags2 dstStageMask;
    VkAccessFlags2 dstAccessMask;
} VkMemoryBarrier2;
typedef struct VkBufferMemoryBarrier2 {
    VkStructureType sType;
    const void *pNext;
    VkPipelineStageFlags2 srcStageMask;
    VkAccessFlags2 srcAccessMask;
    VkPipelineStageFlags2 dstStageMask;
    VkAccessFlags2 dstAccessMask;
    uint32_t srcQueueFamilyIndex, dstQueueFamilyIndex;
    VkBuffer buffer;
    VkDeviceSize offset, size;
} VkBufferMemoryBarrier2;
typedef struct VkImageMemoryBarrier2 {
    VkStructureType sType;
    const void *pNext;
    VkPipelineStageFlags2 srcStageMask;
    VkAccessFlags2 srcAccessMask;
    VkPipelineStageFlags2 dstStageMask;
    VkAccessFlags2 dstAccessMask;
    VkImageLayout oldLayout, newLayout;
    uint32_t srcQueueFamilyIndex, dstQueueFamilyIndex;
    VkImage image;
    VkImageSubresourceRange subresourceRange;
} VkImageMemoryBarrier2;
typedef struct VkDependencyInfo {
    VkStructureType sType;
    const void *pNext;
    VkDependencyFlags dependencyFlags;
    uint32_t memoryBarrierCount;
    const VkMemoryBarrier2 *pMemoryBarriers;
    uint32_t bufferMemoryBarrierCount;
    const VkBufferMemoryBarrier2 *pBufferMemoryBarriers;
    uint32_t imageMemoryBarrierCount;
    const VkImageMemoryBarrier2 *pImageMemoryBarriers;
} VkDependencyInfo;

typedef struct VkSemaphoreSubmitInfo {
    VkStructureType sType;
    const void *pNext;
    VkSemaphore semaphore;
    uint64_t value;
    VkPipelineStageFlags2 stageMask;
    uint32_t deviceIndex;
} VkSemaphoreSubmitInfo;
typedef struct VkCommandBufferSubmitInfo {
    VkStructureType sType;
    const void *pNext;
    VkCommandBuffer commandBuffer;
    uint32_t deviceMask;
} VkCommandBufferSubmitInfo;
typedef struct VkSubmitInfo2 {
    VkStructureType sType;
    const void *pNext;
    VkFlags flags;
    uint32_t waitSemaphoreInfoCount;
    const VkSemaphoreSubmitInfo *pWaitSemaphoreInfos;
    uint32_t commandBufferInfoCount;
    const VkCommandBufferSubmitInfo *pCommandBufferInfos;
    uint32_t signalSemaphoreInfoCount;
    const VkSemaphoreSubmitInfo *pSignalSemaphoreInfos;
} VkSubmitInfo2;

typedef struct VkPhysicalDeviceSynchronization2Features {
    VkStructureType sType;
    void *pNext;
    VkBool32 synchronization2;
} VkPhysicalDeviceSynchronization2Features;
typedef struct VkPhysicalDeviceMaintenance4Features {
    VkStructureType sType;
    void *pNext;
    VkBool32 maintenance4;
} VkPhysicalDeviceMaintenance4Features;
typedef struct VkPhysicalDeviceShaderIntegerDotProductFeatures {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderIntegerDotProduct;
} VkPhysicalDeviceShaderIntegerDotProductFeatures;
typedef struct VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderZeroInitializeWorkgroupMemory;
} VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures;
typedef struct VkPhysicalDeviceVulkan13Features {
    VkStructureType sType;
    void *pNext;
    VkBool32 robustImageAccess, inlineUniformBlock,
        descriptorBindingInlineUniformBlockUpdateAfterBind, pipelineCreationCacheControl, privateData,
        shaderDemoteToHelperInvocation, shaderTerminateInvocation, subgroupSizeControl,
        computeFullSubgroups, synchronization2, textureCompressionASTC_HDR,
        shaderZeroInitializeWorkgroupMemory, dynamicRendering, shaderIntegerDotProduct, maintenance4;
} VkPhysicalDeviceVulkan13Features;

// The members of one width, whose names begin with `name`.
#define VK_DOT_PRODUCTS(name)                                                                      \
    VkBool32 name##UnsignedAccelerated, name##SignedAccelerated, name##MixedSignednessAccelerated;
#define VK_DOT_PRODUCTS_OF_WIDTHS(name)                                                            \
    VK_DOT_PRODUCTS(name##8Bit)                                                                    \
    VK_DOT_PRODUCTS(name##4x8BitPacked)                                                            \
    VK_DOT_PRODUCTS(name##16Bit)                                                                   \
    VK_DOT_PRODUCTS(name##32Bit)                                                                   \
    VK_DOT_PRODUCTS(name##64Bit)

typedef struct VkPhysicalDeviceMaintenance4Properties {
    VkStructureType sType;
    void *pNext;
    VkDeviceSize maxBufferSize;
} VkPhysicalDeviceMaintenance4Properties;
typedef struct VkPhysicalDeviceShaderIntegerDotProductProperties {
    VkStructureType sType;
    void *pNext;
    VK_DOT_PRODUCTS_OF_WIDTHS(integerDotProduct)
    VK_DOT_PRODUCTS_OF_WIDTHS(integerDotProductAccumulatingSaturating)
} VkPhysicalDeviceShaderIntegerDotProductProperties;
typedef struct VkPhysicalDeviceVulkan13Properties {
    VkStructureType sType;
    void *pNext;
    uint32_t minSubgroupSize, maxSubgroupSize, maxComputeWorkgroupSubgroups;
    VkShaderStageFlags requiredSubgroupSizeStages;
    uint32_t maxInlineUniformBlockSize, maxPerStageDescriptorInlineUniformBlocks,
        maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks, maxDescriptorSetInlineUniformBlocks,
        maxDescriptorSetUpdateAfterBindInlineUniformBlocks, maxInlineUniformTotalSize;
    VK_DOT_PRODUCTS_OF_WIDTHS(integerDotProduct)
    VK_DOT_PRODUCTS_OF_WIDTHS(integerDotProductAccumulatingSaturating)
    VkDeviceSize storageTexelBufferOffsetAlignmentBytes;
    VkBool32 storageTexelBufferOffsetSingleTexelAlignment;
    VkDeviceSize uniformTexelBufferOffsetAlignmentBytes;
    VkBool32 uniformTexelBufferOffsetSingleTexelAlignment;
    VkDeviceSize maxBufferSize;
} VkPhysicalDeviceVulkan13Properties;

// ---- functions -----------------------------------------------------------------------------------

typedef VkResult(VKAPI_PTR *PFN_vkQueueSubmit2)(VkQueue, uint32_t, const VkSubmitInfo2 *, VkFence);
typedef void(VKAPI_PTR *PFN_vkCmdPipelineBarrier2)(VkCommandBuffer, const VkDependencyInfo *);
typedef void(VKAPI_PTR *PFN_vkCmdWriteTimestamp2)(VkCommandBuffer, VkPipelineStageFlags2, VkQueryPool,
                                                  uint32_t);
#endif

#endif
