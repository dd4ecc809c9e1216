// SPDX-License-Identifier: Apache-2.0
// Definitions that older releases of vulkan_core.h lack, from the Vulkan registry.
#ifndef PUMICE_MATRIX_EXTENSIONS_H
#define PUMICE_MATRIX_EXTENSIONS_H

#include <vulkan/vulkan.h>

enum { // VkStructureType; VkComponentTypeKHR of extensions
    TYPE_COOPERATIVE_MATRIX_FEATURES = 1000506000,
    TYPE_COOPERATIVE_MATRIX_PROPERTIES = 1000506001,
    TYPE_BFLOAT16_FEATURES = 1000141000,
    TYPE_MATRIX2_FEATURES = 1000593000,
    TYPE_FLEXIBLE_PROPERTIES = 1000593001,
    TYPE_MATRIX2_PROPERTIES = 1000593002,
    COMPONENT_BFLOAT16 = 1000141000,
    COMPONENT_E4M3 = 1000491002,
    COMPONENT_E5M2 = 1000491003,
};

struct matrix_features {
    VkStructureType type;
    void *next;
    VkBool32 matrix, robust;
};

struct bfloat16_features {
    VkStructureType type;
    void *next;
    VkBool32 exists, dot_product, matrix;
};

struct matrix2_features {
    VkStructureType type;
    void *next;
    VkBool32 workgroup, flexible, reductions, conversions, per_element, tensors, block_loads;
};

struct matrix2_properties {
    VkStructureType type;
    void *next;
    uint32_t most_items, most_rows, reserved_shared;
};

struct matrix_row { // a row of vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR
    VkStructureType type;
    void *next;
    uint32_t m, n, k;
    int32_t a, b, c, result; // VkComponentTypeKHR
    VkBool32 saturating;
    int32_t scope;
};

struct flexible_row { // a row of vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV
    VkStructureType type;
    void *next;
    uint32_t m, n, k; // multiples of these
    int32_t a, b, c, result;
    VkBool32 saturating;
    int32_t scope;
    uint32_t items;
};

#endif
