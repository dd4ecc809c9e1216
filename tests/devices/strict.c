// SPDX-License-Identifier: Apache-2.0
// Tests that the layer detects misuse: everything that the device of layer/strict.txt lacks is
// tried in a separate process, which must end with the expected message; and what it has must work.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;

#define FAIL(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(3))
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            FAIL("line %d: %s", __LINE__, #condition);                                             \
    } while (0)

static void open_instance(uint32_t extension_count, const char *const *extensions)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application,
                                 .enabledExtensionCount = extension_count,
                                 .ppEnabledExtensionNames = extensions};
    uint32_t count = 1;
    NEED(vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS);
    NEED(vkEnumeratePhysicalDevices(instance, &count, &physical) >= 0 && count);
}

static VkResult try_open(uint32_t family, const void *features, const char *extension)
{
    static const float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = extension != NULL,
                               .ppEnabledExtensionNames = &extension};
    return vkCreateDevice(physical, &info, NULL, &device);
}

static void open_with(uint32_t family, const void *features, const char *extension)
{
    NEED(try_open(family, features, extension) == VK_SUCCESS);
}

static void open_plain(void)
{
    open_instance(0, NULL);
    open_with(0, NULL, NULL);
}

// ---- opening ------------------------------------------------------------------------------------

static void instance_extension(void)
{
    static const char *const names[] = {VK_KHR_EXTERNAL_MEMORY_CAPABILITIES_EXTENSION_NAME};
    open_instance(1, names);
}

// The loader asks the layer for the available ones.
static void device_extension(void)
{
    open_instance(0, NULL);
    NEED(try_open(0, NULL, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME) == VK_ERROR_EXTENSION_NOT_PRESENT);
}

static void absent_feature(void)
{
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    all.features.shaderInt64 = VK_TRUE;
    open_instance(0, NULL);
    open_with(0, &all, NULL);
}

static void later_struct(void)
{
    VkPhysicalDeviceVulkan12Features all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};
    open_instance(0, NULL);
    open_with(0, &all, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
}

static void no_such_family(void)
{
    open_instance(0, NULL);
    open_with(2, NULL, NULL);
}

static void feature_off(void)
{
    open_instance(0, NULL);
    open_with(0, NULL, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
    PFN_vkWaitSemaphoresKHR wait =
        (PFN_vkWaitSemaphoresKHR)(void *)vkGetDeviceProcAddr(device, "vkWaitSemaphoresKHR");
    NEED(wait);
    wait(device, NULL, 0);
}

static void reported(void)
{
    VkPhysicalDeviceVulkan12Properties later = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .driverID = 77};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &later};
    VkPhysicalDevice8BitStorageFeatures absent = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, .storagePushConstant8 = 5};
    VkPhysicalDevice16BitStorageFeatures storage = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .pNext = &absent,
        .storagePushConstant16 = 5};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &storage};
    VkFormatProperties format;
    VkExtensionProperties extensions[8];
    uint32_t count = 8;
    open_plain();
    vkGetPhysicalDeviceProperties2(physical, &properties);
    NEED(properties.properties.limits.maxPushConstantsSize == 128);
    NEED(properties.properties.limits.maxComputeWorkGroupSize[2] == 64);
    NEED(VK_API_VERSION_MINOR(properties.properties.apiVersion) == 1);
    NEED(later.driverID == 77);
    vkGetPhysicalDeviceFeatures2(physical, &features);
    NEED(features.features.shaderInt16 && !features.features.shaderInt64);
    NEED(storage.storageBuffer16BitAccess == VK_TRUE && !storage.storagePushConstant16);
    NEED(absent.storagePushConstant8 == 5);
    vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_R16_UNORM, &format);
    NEED(!format.optimalTilingFeatures && !format.bufferFeatures);
    vkGetPhysicalDeviceFormatProperties(physical, VK_FORMAT_R32_UINT, &format);
    NEED(format.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
    NEED(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) == VK_SUCCESS);
    NEED(count == 4);
    NEED(!vkGetDeviceProcAddr(device, "vkWaitSemaphores"));
    NEED(!vkGetDeviceProcAddr(device, "vkWaitSemaphoresKHR"));
    NEED(!vkGetDeviceProcAddr(device, "vkQueueSubmit2"));
    NEED(vkGetDeviceProcAddr(device, "vkBindBufferMemory2"));
    NEED(vkGetDeviceProcAddr(device, "vkQueueSubmit"));
}

// ---- memory -------------------------------------------------------------------------------------

static VkResult take(uint32_t type, VkDeviceSize size, VkDeviceMemory *memory)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = size,
                                 .memoryTypeIndex = type};
    return vkAllocateMemory(device, &info, NULL, memory);
}

static void too_much_memory(void)
{
    VkDeviceMemory memory;
    open_plain();
    take(0, (32 << 20) + 1, &memory);
}

static void no_such_type(void)
{
    VkDeviceMemory memory;
    open_plain();
    take(5, 4096, &memory);
}

static void protected_memory(void)
{
    VkDeviceMemory memory;
    open_plain();
    take(2, 4096, &memory);
}

static void lazy_memory(void)
{
    VkDeviceMemory memory;
    open_plain();
    take(3, 4096, &memory);
}

static void coherent_memory(void)
{
    VkDeviceMemory memory;
    open_plain();
    take(4, 4096, &memory);
}

static void hidden_memory(void)
{
    VkDeviceMemory memory;
    void *at;
    open_plain();
    NEED(take(0, 4096, &memory) == VK_SUCCESS);
    vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &at);
}

static uint8_t *map(VkDeviceMemory memory)
{
    void *at;
    NEED(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &at) == VK_SUCCESS);
    return at;
}

static void incoherent_memory(void)
{
    VkDeviceMemory memory, more[3];
    open_plain();
    NEED(take(1, 4096, &memory) == VK_SUCCESS);
    VkMappedMemoryRange half = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                .memory = memory,
                                .size = 2048};
    VkMappedMemoryRange whole = half;
    whole.size = VK_WHOLE_SIZE;
    memset(map(memory), 1, 4096);
    NEED(vkFlushMappedMemoryRanges(device, 1, &half) == VK_SUCCESS);
    vkUnmapMemory(device, memory);
    uint8_t *at = map(memory);
    NEED(at[0] == 0xA5 && at[4095] == 0xA5);
    NEED(vkInvalidateMappedMemoryRanges(device, 1, &whole) == VK_SUCCESS);
    NEED(at[0] == 1 && at[2047] == 1 && at[2048] == 0xA5);
    NEED(take(1, 30 << 20, &more[0]) == VK_SUCCESS && take(1, 30 << 20, &more[1]) == VK_SUCCESS);
    NEED(take(1, 30 << 20, &more[2]) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vkFreeMemory(device, more[0], NULL);
    NEED(take(1, 30 << 20, &more[2]) == VK_SUCCESS);
}

static void half_an_atom(void)
{
    VkDeviceMemory memory;
    open_plain();
    NEED(take(1, 4096, &memory) == VK_SUCCESS);
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = memory,
                                 .offset = 32,
                                 .size = 64};
    map(memory);
    vkFlushMappedMemoryRanges(device, 1, &range);
}

// ---- descriptors --------------------------------------------------------------------------------

static VkDescriptorSetLayout layout_of(uint32_t buffers)
{
    VkDescriptorSetLayout layout;
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .descriptorCount = buffers,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    NEED(vkCreateDescriptorSetLayout(device, &info, NULL, &layout) == VK_SUCCESS);
    return layout;
}

static VkPipelineLayout pipeline_layout(uint32_t sets, uint32_t buffers, uint32_t push)
{
    VkPipelineLayout layout;
    VkDescriptorSetLayout layouts[8];
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push};
    for (uint32_t i = 0; i < sets; i++)
        layouts[i] = layout_of(buffers);
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = sets,
                                       .pSetLayouts = layouts,
                                       .pushConstantRangeCount = push != 0,
                                       .pPushConstantRanges = &range};
    NEED(vkCreatePipelineLayout(device, &info, NULL, &layout) == VK_SUCCESS);
    return layout;
}

static void too_much_pushed(void)
{
    open_plain();
    pipeline_layout(0, 0, 132);
}

static void too_many_sets(void)
{
    open_plain();
    pipeline_layout(5, 0, 0);
}

static void too_many_buffers(void)
{
    open_plain();
    pipeline_layout(1, 5, 0);
}

static void bind(VkDeviceSize offset, VkDeviceSize range)
{
    VkBuffer buffer;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = 4 << 20,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    open_plain();
    NEED(vkCreateBuffer(device, &info, NULL, &buffer) == VK_SUCCESS);
    VkDescriptorBufferInfo bound = {buffer, offset, range};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &bound};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

static void too_wide(void)
{
    bind(0, (1 << 20) + 4);
}

static void not_aligned(void)
{
    bind(128, 1024);
}

static void too_large_image(void)
{
    VkImage image;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R32_UINT,
                              .extent = {4097, 1, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_STORAGE_BIT};
    open_plain();
    vkCreateImage(device, &info, NULL, &image);
}

static void no_such_image(void)
{
    VkImage image;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8_UNORM,
                              .extent = {16, 16, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_STORAGE_BIT};
    open_plain();
    vkCreateImage(device, &info, NULL, &image);
}

// ---- modules ------------------------------------------------------------------------------------

static uint32_t code[256];
static uint32_t words;

static void put(uint32_t op, uint32_t count, const uint32_t *operands)
{
    code[words++] = (count + 1) << 16 | op;
    for (uint32_t i = 0; i < count; i++)
        code[words++] = operands[i];
}

#define OP(op, ...)                                                                                \
    put(op, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

enum { SHADER = 1, MAIN = 0x6e69616d }; // "main"

// An empty kernel; `capability` in addition to Shader (0: none), its local size from a
// specialization constant, `shared` ints of local memory, a storage buffer at `binding` (-1: none),
// or a storage image if `image_name` is not -1.
static int image_name = -1;

static void begin_module(uint32_t version, uint32_t capability, const char *extension)
{
    uint32_t text[16] = {0};
    words = 0;
    code[words++] = 0x07230203;
    code[words++] = version;
    code[words++] = 0;
    code[words++] = 32;
    code[words++] = 0;
    OP(17, SHADER);
    if (capability)
        OP(17, capability);
    if (extension) {
        strcpy((char *)text, extension);
        put(10, (uint32_t)strlen(extension) / 4 + 1, text);
    }
    OP(14, 0, 1);
    OP(15, 5, 1, MAIN, 0);
}

static VkShaderModule end_module(uint32_t shared, int binding)
{
    VkShaderModule module;
    OP(16, 1, 17, 1, 1, 1);
    OP(71, 2, 11, 25); // the built-in WorkgroupSize
    OP(71, 3, 1, 7);   // SpecId 7
    if (binding >= 0) {
        OP(71, 20, 34, 0);
        OP(71, 20, 33, (uint32_t)binding);
    }
    if (binding >= 0 && image_name < 0) {
        OP(71, 18, 2);
        OP(72, 18, 0, 35, 0);
    }
    OP(19, 4);
    OP(33, 5, 4);
    OP(21, 6, 32, 0);
    OP(23, 7, 6, 3);
    OP(50, 6, 3, 1);
    OP(43, 6, 8, 1);
    OP(51, 7, 2, 3, 8, 8);
    OP(43, 6, 9, shared ? shared : 1);
    OP(28, 10, 6, 9);
    OP(32, 11, 4, 10);
    if (shared)
        OP(59, 11, 12, 4);
    if (binding >= 0 && image_name < 0) {
        OP(30, 18, 6);
        OP(32, 19, 12, 18);
        OP(59, 19, 20, 12);
    } else if (binding >= 0) {
        OP(25, 18, 6, 1, 0, 0, 0, 2, (uint32_t)image_name);
        OP(32, 19, 0, 18);
        OP(59, 19, 20, 0);
    }
    OP(54, 4, 1, 0, 5);
    OP(248, 13);
    put(253, 0, NULL);
    put(56, 0, NULL);
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = words * 4,
                                     .pCode = code};
    NEED(vkCreateShaderModule(device, &info, NULL, &module) == VK_SUCCESS);
    return module;
}

static void module_with(uint32_t version, uint32_t capability, const char *extension)
{
    open_plain();
    begin_module(version, capability, extension);
    end_module(0, -1);
}

static void wide_module(void)
{
    module_with(0x10300, 11, NULL);
}

static void odd_module(void)
{
    module_with(0x10300, 4471, NULL);
}

static void new_module(void)
{
    module_with(0x10400, 0, NULL);
}

static void subgroup_module(void)
{
    module_with(0x10300, 63, NULL);
}

static void extended_module(void)
{
    module_with(0x10300, 0, "SPV_KHR_integer_dot_product");
}

static void feature_off_module(void)
{
    module_with(0x10300, 22, NULL); // Int16: supported but not enabled
}

static void denormal_module(void)
{
    open_instance(0, NULL);
    open_with(0, NULL, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    begin_module(0x10300, 4464, "SPV_KHR_float_controls");
    OP(16, 1, 4459, 32);
    end_module(0, -1);
}

static VkPipeline pipeline_with(uint32_t size, uint32_t shared, int binding)
{
    VkPipeline pipeline;
    open_plain();
    begin_module(0x10300, 0, NULL);
    VkSpecializationMapEntry entry = {7, 0, 4};
    VkSpecializationInfo special = {1, &entry, 4, &size};
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = end_module(shared, binding),
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = pipeline_layout(1, 1, 128),
    };
    NEED(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) == VK_SUCCESS);
    return pipeline;
}

static void large_group(void)
{
    pipeline_with(129, 0, -1);
}

static void large_memory(void)
{
    pipeline_with(1, 4097, -1);
}

static void absent_binding(void)
{
    pipeline_with(1, 0, 1);
}

// ---- commands -----------------------------------------------------------------------------------

static VkCommandBuffer record(uint32_t family)
{
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    NEED(vkCreateCommandPool(device, &info, NULL, &pool) == VK_SUCCESS);
    VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    NEED(vkAllocateCommandBuffers(device, &allocate, &commands) == VK_SUCCESS);
    NEED(vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS);
    return commands;
}

static void many_groups(void)
{
    VkPipeline pipeline = pipeline_with(128, 4096, 0);
    VkCommandBuffer commands = record(0);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(commands, 65535, 1024, 1);
    vkCmdDispatch(commands, 1, 1025, 1);
}

static void copy_queue(void)
{
    open_instance(0, NULL);
    open_with(1, NULL, NULL);
    vkCmdDispatch(record(1), 1, 1, 1);
}

static void long_push(void)
{
    open_plain();
    VkPipelineLayout layout = pipeline_layout(0, 0, 64);
    uint32_t value = 0;
    vkCmdPushConstants(record(0), layout, VK_SHADER_STAGE_COMPUTE_BIT, 64, 4, &value);
}

static void stamp(void)
{
    VkQueryPool pool;
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = 1};
    open_plain();
    NEED(vkCreateQueryPool(device, &info, NULL, &pool) == VK_SUCCESS);
    vkCmdWriteTimestamp(record(0), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
}

// ---- formats of images --------------------------------------------------------------------------

enum { UNNAMED = 0, R32_SINT = 24, R32_UINT = 33 }; // SPIR-V's numbers

// A pipeline whose kernel has a storage image at binding 0, and a set for it.
static VkPipeline image_pipeline(uint32_t name, VkPipelineLayout *layout, VkDescriptorSetLayout *set_layout)
{
    VkPipeline pipeline;
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                            .descriptorCount = 1,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = set_layout};
    NEED(vkCreateDescriptorSetLayout(device, &set_info, NULL, set_layout) == VK_SUCCESS);
    NEED(vkCreatePipelineLayout(device, &layout_info, NULL, layout) == VK_SUCCESS);
    begin_module(0x10300, 0, NULL);
    image_name = (int)name;
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = end_module(0, 0),
                  .pName = "main"},
        .layout = *layout,
    };
    NEED(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) == VK_SUCCESS);
    return pipeline;
}

static void unnamed_image(void)
{
    VkPipelineLayout layout;
    VkDescriptorSetLayout set_layout;
    open_plain();
    image_pipeline(UNNAMED, &layout, &set_layout);
}

static VkImageView view_of(VkFormat format)
{
    VkImage image;
    VkImageView view;
    VkDeviceMemory memory;
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {16, 16, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_STORAGE_BIT};
    NEED(vkCreateImage(device, &info, NULL, &image) == VK_SUCCESS);
    vkGetImageMemoryRequirements(device, image, &needs);
    NEED(take(0, needs.size, &memory) == VK_SUCCESS && vkBindImageMemory(device, image, memory, 0) == VK_SUCCESS);
    VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    NEED(vkCreateImageView(device, &view_info, NULL, &view) == VK_SUCCESS);
    return view;
}

static void dispatch_image(uint32_t name)
{
    VkPipelineLayout layout;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    open_plain();
    VkPipeline pipeline = image_pipeline(name, &layout, &set_layout);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
    NEED(vkCreateDescriptorPool(device, &pool_info, NULL, &pool) == VK_SUCCESS);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &set_layout};
    NEED(vkAllocateDescriptorSets(device, &info, &set) == VK_SUCCESS);
    VkDescriptorImageInfo bound = {.imageView = view_of(VK_FORMAT_R32_UINT), .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                  .pImageInfo = &bound};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    VkCommandBuffer commands = record(0);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
}

static void named_image(void)
{
    dispatch_image(R32_UINT);
}

static void misnamed_image(void)
{
    dispatch_image(R32_SINT);
}

// ---- all ----------------------------------------------------------------------------------------

static const struct {
    void (*run)(void);
    const char *says; // expected message; NULL: success
} tries[] = {
    {reported, NULL},
    {incoherent_memory, NULL},
    {device_extension, NULL},
    {instance_extension, "instance extension VK_KHR_external_memory_capabilities"},
    {absent_feature, "feature shaderInt64 is turned on"},
    {later_struct, "of another version (1.2)"},
    {no_such_family, "a queue of family 2"},
    {feature_off, "vkWaitSemaphoresKHR is called without timelineSemaphore"},
    {too_much_memory, "maxMemoryAllocationSize is"},
    {no_such_type, "memory of type 5"},
    {protected_memory, "protected memory is wanted"},
    {lazy_memory, "taken lazily"},
    {coherent_memory, "without deviceCoherentMemory"},
    {hidden_memory, "which the host does not see"},
    {half_an_atom, "nonCoherentAtomSize is 64"},
    {too_much_pushed, "maxPushConstantsSize is 128"},
    {too_many_sets, "maxBoundDescriptorSets is 4"},
    {too_many_buffers, "maxPerStageDescriptorStorageBuffers is 4"},
    {too_wide, "maxStorageBufferRange is"},
    {not_aligned, "alignment is 256"},
    {too_large_image, "an image's width: 4097"},
    {no_such_image, "an image of format 9"},
    {wide_module, "declares Int64 without shaderInt64"},
    {odd_module, "capability 4471"},
    {new_module, "SPIR-V 1.4 for Vulkan 1.1"},
    {subgroup_module, "declares GroupNonUniformArithmetic"},
    {extended_module, "wants SPV_KHR_integer_dot_product"},
    {feature_off_module, "declares Int16 without shaderInt16"},
    {denormal_module, "mode DenormPreserve for 32 bits"},
    {large_group, "a work-group of 129"},
    {large_memory, "16388 bytes of a work-group's memory"},
    {absent_binding, "binding 1 of set 0"},
    {many_groups, "work-groups: 1025"},
    {copy_queue, "a dispatch on a queue that only copies"},
    {long_push, "push constants: 68"},
    {stamp, "a time stamp on a queue that has none"},
    {unnamed_image, "a storage image without a format at binding 0"},
    {named_image, NULL},
    {misnamed_image, "names format 99 at binding 0, bound is a view of format 98"},
};

// Runs a case in a child process; its stderr and status.
static int run(void (*what)(void), char *said, size_t size)
{
    int ends[2], status = -1;
    size_t length = 0;
    if (pipe(ends))
        exit(2);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 2);
        what();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return status;
}

int main(void)
{
    static char said[1 << 14];
    int bad = 0, count = sizeof tries / sizeof *tries;
    for (int i = 0; i < count; i++) {
        int status = run(tries[i].run, said, sizeof said);
        bool good = tries[i].says ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
                                        strstr(said, "devices: Strict 1: ") && strstr(said, tries[i].says)
                                  : !status;
        if (!good)
            printf("try %d, \"%s\": status %x: %s\n", i, tries[i].says ? tries[i].says : "", status, said);
        bad += !good;
    }
    printf("%d tries, %d bad\n", count, bad);
    return bad != 0;
}
