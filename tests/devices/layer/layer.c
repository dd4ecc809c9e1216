// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes a device look exactly like the one of a description: features that this
// device lacks are neither reported nor found, and using them ends the process with one line about
// the reason.
//
// DEVICES_DESCRIPTION names the description. DEVICES_MODULES: a folder to which every module is
// written. A device can only look like less than it is: numbers are the smaller of both. Its
// behaviour does not change: sub-group sizes, rounding, the driver's id.
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEVICES = 256, BUCKETS = 4096, EXTENSIONS_MAX = 512 };

static struct open_device *devices[DEVICES];
static atomic_uint device_count;
static PFN_vkGetInstanceProcAddr next_get;
static bool asks_portability;

#define OF_INSTANCE(ROW)                                                                           \
    ROW(CreateDevice)                                                                              \
    ROW(EnumeratePhysicalDevices)                                                                  \
    ROW(EnumerateDeviceExtensionProperties)                                                        \
    ROW(GetPhysicalDeviceProperties)                                                               \
    ROW(GetPhysicalDeviceProperties2)                                                              \
    ROW(GetPhysicalDeviceFeatures)                                                                 \
    ROW(GetPhysicalDeviceFeatures2)                                                                \
    ROW(GetPhysicalDeviceMemoryProperties)                                                         \
    ROW(GetPhysicalDeviceMemoryProperties2)                                                        \
    ROW(GetPhysicalDeviceQueueFamilyProperties)                                                    \
    ROW(GetPhysicalDeviceQueueFamilyProperties2)                                                   \
    ROW(GetPhysicalDeviceFormatProperties)                                                         \
    ROW(GetPhysicalDeviceFormatProperties2)                                                        \
    ROW(GetPhysicalDeviceImageFormatProperties)                                                    \
    ROW(GetPhysicalDeviceImageFormatProperties2)
#define NEXT(name) static PFN_vk##name next_##name;
OF_INSTANCE(NEXT)
#undef NEXT

// ---- handles ------------------------------------------------------------------------------------

struct open_device *device_of(void *handle)
{
    void *key = *(void **)handle;
    for (unsigned i = atomic_load(&device_count); i-- > 0;)
        if (devices[i]->key == key)
            return devices[i];
    complain("a handle of no device");
}

static struct thing *things[BUCKETS];
static pthread_mutex_t things_lock = PTHREAD_MUTEX_INITIALIZER;

static struct thing **thing_at(enum thing_kind kind, uint64_t handle)
{
    struct thing **at = &things[(handle >> 4 ^ handle >> 16) % BUCKETS];
    while (*at && ((*at)->handle != handle || (*at)->kind != kind))
        at = &(*at)->next;
    return at;
}

struct thing *thing_add(enum thing_kind kind, uint64_t handle)
{
    thing_drop(kind, handle);
    struct thing *thing = calloc(1, sizeof *thing);
    if (!thing)
        complain("no memory for the layer");
    thing->kind = kind;
    thing->handle = handle;
    pthread_mutex_lock(&things_lock);
    *thing_at(kind, handle) = thing;
    pthread_mutex_unlock(&things_lock);
    return thing;
}

struct thing *thing_seek(enum thing_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&things_lock);
    struct thing *thing = *thing_at(kind, handle);
    pthread_mutex_unlock(&things_lock);
    return thing;
}

struct thing *thing_find(enum thing_kind kind, uint64_t handle)
{
    struct thing *thing = thing_seek(kind, handle);
    if (!thing)
        complain("a handle that is none (any more): kind %d", (int)kind);
    return thing;
}

void thing_drop(enum thing_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&things_lock);
    struct thing **at = thing_at(kind, handle), *thing = *at;
    if (thing)
        *at = thing->next;
    pthread_mutex_unlock(&things_lock);
    if (thing)
        free(thing->words);
    free(thing);
}

PFN_vkVoidFunction row_find(const struct row *row, const char *name)
{
    while (row->name && strcmp(row->name, name))
        row++;
    return row->fn;
}

// ---- extensions ---------------------------------------------------------------------------------

static bool offers(const char *extension)
{
    return names_have(&described()->extensions, extension);
}

// Known to the device, whether enabled or not. A version only counts if the table has one.
static bool knows(uint32_t version, const char *extension)
{
    return (version && version <= 10 + described()->minor) ||
           (*extension && (offers(extension) || names_have(&described()->reported, extension)));
}

static VkResult VKAPI_CALL layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                    const char *layer,
                                                                    uint32_t *count,
                                                                    VkExtensionProperties *out)
{
    static VkExtensionProperties all[EXTENSIONS_MAX];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint32_t real = EXTENSIONS_MAX, kept = 0, room = *count;
    pthread_mutex_lock(&lock);
    VkResult result = next_EnumerateDeviceExtensionProperties(physical, layer, &real, all);
    for (uint32_t i = 0; i < real && result == VK_SUCCESS; i++) {
        if (!offers(all[i].extensionName))
            continue;
        if (out && kept < room)
            out[kept] = all[i];
        kept++;
    }
    for (uint32_t i = 0; i < described()->reported.count && result == VK_SUCCESS; i++, kept++)
        if (out && kept < room)
            snprintf(out[kept].extensionName, sizeof out[kept].extensionName, "%s", described()->reported.items[i]);
    pthread_mutex_unlock(&lock);
    if (result != VK_SUCCESS)
        return result;
    *count = out && kept > room ? room : kept;
    return out && kept > room ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult VKAPI_CALL layer_EnumeratePhysicalDevices(VkInstance instance, uint32_t *count,
                                                          VkPhysicalDevice *out)
{
    if (described()->portability && !asks_portability) {
        *count = 0;
        return VK_SUCCESS;
    }
    return next_EnumeratePhysicalDevices(instance, count, out);
}

// ---- properties ---------------------------------------------------------------------------------

enum rule { MOST, LEAST, MASK, IS };

static uint64_t by_rule(enum rule rule, uint64_t real, uint64_t wished)
{
    switch (rule) {
    case MOST:
        return wished < real ? wished : real;
    case LEAST:
        return wished > real ? wished : real;
    case IS:
        return wished;
    default:
        return wished & real;
    }
}

static void apply(void *member, size_t size, uint32_t count, enum rule rule, const char *name)
{
    const struct limit *limit = described_limit(name);
    if (!limit)
        return;
    if (limit->count != count)
        complain("limit %s wants %u numbers", name, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *wide = (uint64_t *)member + i;
        uint32_t *narrow = (uint32_t *)member + i;
        if (size / count == 8)
            *wide = by_rule(rule, *wide, limit->values[i]);
        else
            *narrow = (uint32_t)by_rule(rule, *narrow, limit->values[i]);
    }
}

static void apply_struct(VkBaseOutStructure *at)
{
#define VALUE(stype, type, member, name, count, rule)                                              \
    if (at->sType == stype)                                                                        \
        apply(&((type *)(void *)at)->member, sizeof ((type *)(void *)at)->member, count, rule, name);
#include "values.def"
}

static const struct property_row {
    VkStructureType type;
    uint32_t version;
    const char *extension;
    size_t size;
} property_rows[] = {
#define PROPERTIES(stype, type, version, extension) {stype, version, extension, sizeof(type)},
#include "values.def"
};

static const struct property_row *property_row(VkStructureType type)
{
    for (size_t i = 0; i < sizeof property_rows / sizeof *property_rows; i++)
        if (property_rows[i].type == type)
            return &property_rows[i];
    complain("properties are asked for (sType %d) that values.def has no row for", (int)type);
}

static void disguise(VkPhysicalDeviceProperties *properties)
{
    const struct description *d = described();
    snprintf(properties->deviceName, sizeof properties->deviceName, "%s", d->name);
    properties->deviceType = d->type;
    properties->apiVersion = d->api;
    if (d->vendor)
        properties->vendorID = d->vendor, properties->deviceID = d->device;
    for (int i = 0; i < 8; i++)
        properties->pipelineCacheUUID[i] ^= (uint8_t)(d->hash >> 8 * i);
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                                          VkPhysicalDeviceProperties2 *out)
{
    enum { STRUCTS = 32 };
    static _Thread_local uint8_t before[STRUCTS][2048];
    uint32_t count = 0;
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        if (count == STRUCTS || property_row(at->sType)->size > sizeof *before)
            complain("more properties are asked for than the layer can keep");
        memcpy(before[count++], at, property_row(at->sType)->size);
    }
    next_GetPhysicalDeviceProperties2(physical, out);
    disguise(&out->properties);
    apply_struct((VkBaseOutStructure *)(void *)out);
    count = 0;
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        const struct property_row *row = property_row(at->sType);
        if (knows(row->version, row->extension))
            apply_struct(at);
        else
            memcpy(at, before[count], row->size); // a driver does not write structs that it does
                                                  // not know
        count++;
    }
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties(VkPhysicalDevice physical,
                                                         VkPhysicalDeviceProperties *out)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    layer_GetPhysicalDeviceProperties2(physical, &all);
    *out = all.properties;
}

static void fill_reported(struct open_device *device)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &device->props11};
    device->props11 = (VkPhysicalDeviceVulkan11Properties){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
        .pNext = &device->props12};
    device->props12 = (VkPhysicalDeviceVulkan12Properties){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
        .pNext = &device->props13};
    device->props13 = (VkPhysicalDeviceVulkan13Properties){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
    next_GetPhysicalDeviceProperties2(device->physical, &all);
    for (VkBaseOutStructure *at = (void *)&all; at; at = at->pNext)
        apply_struct(at);
    device->limits = all.properties.limits;
}

// ---- features -----------------------------------------------------------------------------------

static VkBool32 *first_member(VkBaseOutStructure *at)
{
    return (VkBool32 *)(void *)(at + 1);
}

static const struct feature_row *feature_row(VkStructureType type)
{
    const struct feature_row *row = feature_struct(type);
    if (!row)
        complain("features are asked for (sType %d) that features.def has no row for", (int)type);
    return row;
}

static uint32_t count_members(const struct feature_row *row)
{
    char name[64];
    uint32_t count = 0;
    for (const char *at = row->members; next_member(&at, name);)
        count++;
    return count;
}

static void hide_features(VkBaseOutStructure *at)
{
    char name[64];
    VkBool32 *member = first_member(at);
    const char *members = feature_row(at->sType)->members;
    for (; next_member(&members, name); member++)
        if (!feature_described(name))
            *member = VK_FALSE;
}

static void VKAPI_CALL layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
                                                        VkPhysicalDeviceFeatures2 *out)
{
    enum { STRUCTS = 64, MEMBERS = 64 };
    VkBool32 before[STRUCTS][MEMBERS];
    uint32_t count = 0;
    for (VkBaseOutStructure *at = (void *)out; at; at = at->pNext) {
        if (count == STRUCTS)
            complain("more features are asked for than the layer can keep");
        memcpy(before[count++], first_member(at), count_members(feature_row(at->sType)) * 4);
    }
    next_GetPhysicalDeviceFeatures2(physical, out);
    count = 0;
    for (VkBaseOutStructure *at = (void *)out; at; at = at->pNext) {
        const struct feature_row *row = feature_row(at->sType);
        if (knows(row->version, row->extension))
            hide_features(at);
        else
            memcpy(first_member(at), before[count], count_members(row) * 4);
        count++;
    }
}

static void VKAPI_CALL layer_GetPhysicalDeviceFeatures(VkPhysicalDevice physical,
                                                       VkPhysicalDeviceFeatures *out)
{
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    layer_GetPhysicalDeviceFeatures2(physical, &all);
    *out = all.features;
}

// ---- memory and queues --------------------------------------------------------------------------

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *out)
{
    VkPhysicalDeviceMemoryProperties real;
    next_GetPhysicalDeviceMemoryProperties(physical, &real);
    *out = described()->memory;
    for (uint32_t i = 0; i < out->memoryHeapCount; i++)
        out->memoryHeaps[i].size =
            by_rule(MOST, real.memoryHeaps[0].size, out->memoryHeaps[i].size);
}

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    next_GetPhysicalDeviceMemoryProperties2(physical, out);
    layer_GetPhysicalDeviceMemoryProperties(physical, &out->memoryProperties);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = (void *)at;
        if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
            complain("properties of memory are asked for (sType %d) that the layer does not know",
                     (int)at->sType);
        if (!offers(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
            complain("the memory's budget is asked for");
        for (uint32_t i = 1; i < out->memoryProperties.memoryHeapCount; i++)
            budget->heapBudget[i] = budget->heapBudget[0];
        for (uint32_t i = 0; i < out->memoryProperties.memoryHeapCount; i++) {
            budget->heapUsage[i] = memory_used(i);
            budget->heapBudget[i] = by_rule(MOST, budget->heapBudget[i],
                                            out->memoryProperties.memoryHeaps[i].size);
        }
    }
}

static void VKAPI_CALL layer_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical,
                                                                    uint32_t *count,
                                                                    VkQueueFamilyProperties *out)
{
    const struct description *d = described();
    VkQueueFamilyProperties real[16];
    uint32_t real_count = 16;
    next_GetPhysicalDeviceQueueFamilyProperties(physical, &real_count, real);
    if (!out) {
        *count = d->queue_count;
        return;
    }
    *count = *count < d->queue_count ? *count : d->queue_count;
    for (uint32_t i = 0; i < *count; i++) {
        out[i] = d->queues[i];
        out[i].queueFlags &= real[0].queueFlags;
        out[i].timestampValidBits =
            (uint32_t)by_rule(MOST, real[0].timestampValidBits, out[i].timestampValidBits);
    }
}

static void VKAPI_CALL layer_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physical,
                                                                     uint32_t *count,
                                                                     VkQueueFamilyProperties2 *out)
{
    VkQueueFamilyProperties plain[16];
    if (*count > 16)
        *count = 16;
    layer_GetPhysicalDeviceQueueFamilyProperties(physical, count, out ? plain : NULL);
    for (uint32_t i = 0; out && i < *count; i++)
        out[i].queueFamilyProperties = plain[i];
}

// ---- formats ------------------------------------------------------------------------------------

VkFormatProperties reported_format(VkPhysicalDevice physical, VkFormat format)
{
    VkFormatProperties properties;
    const struct format_row *row = described_format(format);
    VkFormatFeatureFlags image = row ? row->image : 0, buffer = row ? row->buffer : 0;
    next_GetPhysicalDeviceFormatProperties(physical, format, &properties);
    if (described()->formats_all)
        return properties;
    properties.linearTilingFeatures &= image;
    properties.optimalTilingFeatures &= image;
    properties.bufferFeatures &= buffer;
    return properties;
}

static void VKAPI_CALL layer_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physical,
                                                               VkFormat format,
                                                               VkFormatProperties *out)
{
    *out = reported_format(physical, format);
}

// Only the wider flags have the bits that say which formats can be used without being declared.
static VkFormatFeatureFlags2 narrow_wide(VkFormatFeatureFlags2 real, VkFormatFeatureFlags reported)
{
    VkFormatFeatureFlags2 without = 0;
    if (reported & (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT)) {
        if (feature_described("shaderStorageImageReadWithoutFormat"))
            without |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
        if (feature_described("shaderStorageImageWriteWithoutFormat"))
            without |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    }
    return (real & without) | (real & reported);
}

static void VKAPI_CALL layer_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physical,
                                                                VkFormat format,
                                                                VkFormatProperties2 *out)
{
    VkFormatProperties reported = reported_format(physical, format);
    next_GetPhysicalDeviceFormatProperties2(physical, format, out);
    out->formatProperties = reported;
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        VkFormatProperties3 *more = (void *)at;
        if (at->sType != VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)
            complain("properties of a format are asked for (sType %d) that the layer does not know",
                     (int)at->sType);
        if (!knows(13, VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME)) {
            more->linearTilingFeatures = more->optimalTilingFeatures = more->bufferFeatures = 0;
            continue;
        }
        more->linearTilingFeatures =
            narrow_wide(more->linearTilingFeatures, reported.linearTilingFeatures);
        more->optimalTilingFeatures =
            narrow_wide(more->optimalTilingFeatures, reported.optimalTilingFeatures);
        more->bufferFeatures = narrow_wide(more->bufferFeatures, reported.bufferFeatures);
    }
}

static bool usage_offered(const VkFormatProperties *reported, VkImageTiling tiling,
                          VkImageUsageFlags usage, VkImageCreateFlags flags)
{
    VkFormatFeatureFlags has = tiling == VK_IMAGE_TILING_LINEAR ? reported->linearTilingFeatures
                                                                 : reported->optimalTilingFeatures;
    if (!has)
        return false;
    if (flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT)
        return true;
    return !((usage & VK_IMAGE_USAGE_SAMPLED_BIT && !(has & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) ||
             (usage & VK_IMAGE_USAGE_STORAGE_BIT && !(has & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)));
}

static void clamp(uint32_t *value, const char *limit)
{
    const struct limit *described = described_limit(limit);
    if (described)
        *value = (uint32_t)by_rule(MOST, *value, described->values[0]);
}

static void clamp_image(VkImageType type, VkImageFormatProperties *out)
{
    static const char *const sides[] = {"maxImageDimension1D", "maxImageDimension2D",
                                        "maxImageDimension3D"};
    clamp(&out->maxExtent.width, sides[type]);
    if (type >= VK_IMAGE_TYPE_2D)
        clamp(&out->maxExtent.height, sides[type]);
    if (type == VK_IMAGE_TYPE_3D)
        clamp(&out->maxExtent.depth, sides[type]);
    if (type != VK_IMAGE_TYPE_3D)
        clamp(&out->maxArrayLayers, "maxImageArrayLayers");
}

static VkResult VKAPI_CALL layer_GetPhysicalDeviceImageFormatProperties(
    VkPhysicalDevice physical, VkFormat format, VkImageType type, VkImageTiling tiling,
    VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *out)
{
    VkFormatProperties reported = reported_format(physical, format);
    bool offered = usage_offered(&reported, tiling, usage, flags);
    if (flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT && !feature_described("sparseBinding"))
        offered = false;
    VkResult result = offered ? next_GetPhysicalDeviceImageFormatProperties(
                                    physical, format, type, tiling, usage, flags, out)
                              : VK_ERROR_FORMAT_NOT_SUPPORTED;
    if (result == VK_SUCCESS)
        clamp_image(type, out);
    else
        memset(out, 0, sizeof *out);
    return result;
}

static VkResult VKAPI_CALL layer_GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physical, const VkPhysicalDeviceImageFormatInfo2 *info,
    VkImageFormatProperties2 *out)
{
    if (out->pNext)
        complain("properties of an image's format are asked for that the layer does not know");
    return layer_GetPhysicalDeviceImageFormatProperties(physical, info->format, info->type,
                                                        info->tiling, info->usage, info->flags,
                                                        &out->imageFormatProperties);
}

// ---- opening ------------------------------------------------------------------------------------

static void *link_of(const void *chain, VkStructureType type)
{
    for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
        const VkLayerInstanceCreateInfo *info = (const void *)at; // a device's struct has the same
                                                                  // beginning
        if (at->sType == type && info->function == VK_LAYER_LINK_INFO)
            return (void *)(uintptr_t)at;
    }
    return NULL;
}

// The loader's own extensions are available with every driver.
static void check_instance(const VkInstanceCreateInfo *info)
{
    static const char *const loaders = "VK_KHR_portability_enumeration VK_EXT_debug_utils";
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (!names_have(&described()->instance, name) && !words_have(loaders, name))
            complain("instance extension %s is turned on", name);
    }
    asks_portability = info->flags & VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
}

static VkResult VKAPI_CALL layer_CreateInstance(const VkInstanceCreateInfo *info,
                                                const VkAllocationCallbacks *own, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link =
        link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    check_instance(info);
    next_get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)(void *)next_get(NULL, "vkCreateInstance");
    VkResult result = create(info, own, out);
    if (result != VK_SUCCESS)
        return result;
#define NEXT(name) next_##name = (PFN_vk##name)(void *)next_get(*out, "vk" #name);
    OF_INSTANCE(NEXT)
#undef NEXT
    return VK_SUCCESS;
}

bool feature_on(const struct open_device *device, const char *name)
{
    uint32_t number = feature_number(name);
    return number < FEATURES_MAX && device->features[number];
}

bool extension_on(const struct open_device *device, const char *names, uint32_t version)
{
    if (version && version <= 10 + described()->minor)
        return true;
    for (uint32_t i = 0; i < device->extensions.count; i++)
        if (words_have(names, device->extensions.items[i]))
            return true;
    return false;
}

// The enabled features of a struct must be supported by the simulated device and by the driver.
static void take_features(struct open_device *device, VkStructureType type, const VkBool32 *member)
{
    char name[64];
    const struct feature_row *row = feature_struct(type);
    if (!row)
        return;
    if (!extension_on(device, row->extension, row->version))
        complain("a struct of features (sType %d) is turned on that is of another version (1.%u) or "
                 "of an extension that is not (%s)",
                 (int)type, row->version ? row->version - 10 : 0, row->extension);
    for (const char *at = row->members; next_member(&at, name); member++) {
        if (*member && !feature_described(name))
            complain("feature %s is turned on", name);
        if (*member)
            device->features[feature_number(name)] = true;
    }
}

static void check_queues(struct open_device *device, const VkDeviceCreateInfo *info)
{
    const struct description *d = described();
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *queues = &info->pQueueCreateInfos[i];
        if (queues->queueFamilyIndex >= d->queue_count)
            complain("a queue of family %u is wanted", queues->queueFamilyIndex);
        if (queues->queueCount > d->queues[queues->queueFamilyIndex].queueCount)
            complain("%u queues are wanted", queues->queueCount);
        device->families |= 1u << queues->queueFamilyIndex;
    }
}

static void check_device(struct open_device *device, const VkDeviceCreateInfo *info)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (!offers(name))
            complain("extension %s is turned on", name);
        device->extensions.items[device->extensions.count++] = strdup(name);
    }
    if (info->pEnabledFeatures)
        take_features(device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                      (const VkBool32 *)info->pEnabledFeatures);
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        if (!feature_struct(at->sType) &&
            at->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
            at->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO)
            complain("a device is wanted with a struct (sType %d) that the layer does not know",
                     (int)at->sType);
        take_features(device, at->sType, (const VkBool32 *)(const void *)(at + 1));
    }
    check_queues(device, info);
}

// The driver's memory type that is used for all simulated ones.
static uint32_t real_type(VkPhysicalDevice physical)
{
    const VkMemoryPropertyFlags all =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    next_GetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((memory.memoryTypes[i].propertyFlags & all) == all)
            return i;
    complain("the driver has no memory for us");
}

static VkResult VKAPI_CALL layer_CreateDevice(VkPhysicalDevice physical,
                                              const VkDeviceCreateInfo *info,
                                              const VkAllocationCallbacks *own, VkDevice *out)
{
    static const float priority = 1;
    VkLayerDeviceCreateInfo *link =
        link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    struct open_device *device = calloc(1, sizeof *device);
    unsigned count = atomic_load(&device_count);
    if (!device || count == DEVICES)
        complain("too many devices");
    device->physical = physical;
    device->get = get;
    check_device(device, info);
    fill_reported(device);
    device->real_type = real_type(physical);
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo real = *info;
    real.queueCreateInfoCount = 1;
    real.pQueueCreateInfos = &queue; // all simulated queues are the driver's first one
    VkResult result = next_CreateDevice(physical, &real, own, out);
    if (result != VK_SUCCESS) {
        free(device);
        return result;
    }
    device->key = *(void **)*out;
    device->device = *out;
    devices[count] = device;
    atomic_store(&device_count, count + 1);
    return VK_SUCCESS;
}

static void VKAPI_CALL layer_DestroyDevice(VkDevice device, const VkAllocationCallbacks *own)
{
    struct open_device *open = device_of(device);
    PFN_vkDestroyDevice destroy = NEXT_OF(device, DestroyDevice);
    open->key = NULL;
    destroy(device, own);
}

static void VKAPI_CALL layer_GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index,
                                            VkQueue *out)
{
    if (!(device_of(device)->families >> family & 1) ||
        index >= described()->queues[family].queueCount)
        complain("queue %u of family %u was not made", index, family);
    NEXT_OF(device, GetDeviceQueue)(device, 0, 0, out);
}

static VkResult VKAPI_CALL layer_CreateCommandPool(VkDevice device,
                                                   const VkCommandPoolCreateInfo *info,
                                                   const VkAllocationCallbacks *own,
                                                   VkCommandPool *out)
{
    VkCommandPoolCreateInfo real = *info;
    if (!(device_of(device)->families >> info->queueFamilyIndex & 1))
        complain("a command pool of family %u, which has no queue", info->queueFamilyIndex);
    real.queueFamilyIndex = 0;
    VkResult result = NEXT_OF(device, CreateCommandPool)(device, &real, own, out);
    if (result != VK_SUCCESS)
        return result;
    if (described()->queues[info->queueFamilyIndex].queueFlags & VK_QUEUE_COMPUTE_BIT)
        thing_drop(THING_COPY_POOL, (uint64_t)*out);
    else
        thing_add(THING_COPY_POOL, (uint64_t)*out);
    return result;
}

static VkResult VKAPI_CALL layer_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *info,
                                                        VkCommandBuffer *out)
{
    bool copies = thing_seek(THING_COPY_POOL, (uint64_t)info->commandPool);
    VkResult result = NEXT_OF(device, AllocateCommandBuffers)(device, info, out);
    for (uint32_t i = 0; i < info->commandBufferCount && result == VK_SUCCESS; i++)
        if (copies)
            thing_add(THING_COPIES, (uint64_t)(uintptr_t)out[i]);
        else
            thing_drop(THING_COPIES, (uint64_t)(uintptr_t)out[i]);
    return result;
}

// ---- the chain ----------------------------------------------------------------------------------

#define NEEDS(function, feature)                                                                   \
    static void off_##function(void)                                                               \
    {                                                                                              \
        complain("vk%s is called without %s", #function, #feature);                                \
    }
#include "functions.def"

static const struct {
    const char *name, *feature;
    PFN_vkVoidFunction off;
} needs[] = {
#define NEEDS(function, feature) {#function, #feature, off_##function},
#include "functions.def"
};

// A function of a feature that is not enabled can be found but must not be called.
static PFN_vkVoidFunction off_function(const struct open_device *device, const char *name)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!strcmp(needs[i].name, name) && !feature_on(device, needs[i].feature))
            return needs[i].off;
    return NULL;
}

static bool may_be_found(const struct open_device *device, const char *name)
{
    static const struct {
        uint32_t version;
        const char *extension, *names;
    } rows[] = {
#define FUNCTIONS(...) {__VA_ARGS__},
#include "functions.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (words_have(rows[i].names, name) &&
            extension_on(device, rows[i].extension, rows[i].version))
            return true;
    return false;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name);

static const struct row of_instance[] = {
    ROW(CreateInstance) ROW(GetInstanceProcAddr) OF_INSTANCE(ROW){NULL, NULL},
};
static const struct row of_device[] = {
    ROW(GetDeviceProcAddr) ROW(DestroyDevice) ROW(GetDeviceQueue) ROW(CreateCommandPool)
        ROW(AllocateCommandBuffers){NULL, NULL},
};

static PFN_vkVoidFunction own_function(const char *name)
{
    PFN_vkVoidFunction own = row_find(of_device, name);
    if (!own)
        own = memory_function(name);
    return own ? own : call_function(name);
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    PFN_vkVoidFunction next = instance && next_get ? next_get(instance, name) : NULL;
    PFN_vkVoidFunction own = row_find(of_instance, name + 2);
    if (own)
        return own;
    own = own_function(name + 2);
    return next && own ? own : next;
}

// Functions that end in KHR were promoted to a version.
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    struct open_device *open = device_of(device);
    char plain[64];
    size_t length = strlen(name);
    if (!may_be_found(open, name + 2))
        return NULL;
    PFN_vkVoidFunction next = open->get(device, name), own = own_function(name + 2);
    PFN_vkVoidFunction off = off_function(open, name + 2);
    if (!next || off)
        return next ? off : NULL;
    if (!own && length > 5 && length < sizeof plain && !strcmp(name + length - 3, "KHR")) {
        snprintf(plain, sizeof plain, "%.*s", (int)(length - 5), name + 2);
        own = own_function(plain);
    }
    return own ? own : next;
}

EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer);

EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer)
{
    offer->loaderLayerInterfaceVersion = 2;
    offer->pfnGetInstanceProcAddr = layer_GetInstanceProcAddr;
    offer->pfnGetDeviceProcAddr = layer_GetDeviceProcAddr;
    offer->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
