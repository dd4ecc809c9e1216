// SPDX-License-Identifier: Apache-2.0
// A plain Vulkan program that knows nothing of OpenCL: it loads a module of `pumice-cc --vulkan`, asks the module itself
// (NonSemantic.ClspvReflection) where the arguments of a kernel go, and runs it.
//
// vulkan_module MODULE.spv   (of module_kernels.cl or module_cases.cl); status 77: there is no device, or it takes no reflection
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>
#include "module_cases.h"

#define CHECK(call) check((call), #call)

static void fail(const char *what)
{
    fprintf(stderr, "vulkan_module: %s\n", what);
    exit(1);
}

static void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        fail(call);
}

// ---- reflection --------------------------------------------------------------------------------------

enum { MAGIC = 0x07230203, OP_STRING = 7, OP_IMPORT = 11, OP_EXT_INST = 12, OP_CONSTANT = 43 };
enum { KERNEL = 1, STORAGE_BUFFER = 3, UNIFORM_BUFFER = 4, POD_STORAGE = 5, POD_UNIFORM = 6, POD_PUSH = 7 };
enum { SAMPLED_IMAGE = 8, STORAGE_IMAGE = 9, SAMPLER = 10, WORKGROUP = 11, POINTER_PUSH = 26, POINTER_UNIFORM = 27 };
enum { CONSTANTS = 21, LITERAL_SAMPLER = 23, VARIABLES = 28, RELOCATION = 29, CONSTANTS_ADDRESS = 36, VARIABLES_ADDRESS = 37 };
enum { PRINTF_INFO = 38, PRINTF_BUFFER = 39, PRINTF_ADDRESS = 40 };
enum { MOST_ARGS = 8, MOST_FORMATS = 8, MOST_POINTERS = 8, MOST_SAMPLERS = 4 };

struct argument {
    uint32_t kind, set, binding, offset, size, spec_id; // kind 0: there is none
};

struct kernel {
    const char *name;
    struct argument args[MOST_ARGS];
};

// What kernels share: a storage buffer in a set of its own, or one whose address is pushed.
struct shared {
    uint32_t set, binding, size; // set 0: it is pushed
    const char *data;            // hexadecimal digits
    uint32_t offset;             // of the address
};

static struct shared data, printed;
static const char *formats[MOST_FORMATS]; // of calls of printf
static struct { uint32_t to, at; } pointers[MOST_POINTERS]; // in the data, where they lie at addresses
static uint32_t pointer_count;
static struct {
    uint32_t set, binding, mask;
} samplers[MOST_SAMPLERS]; // literal ones
static uint32_t sampler_count;
static uint32_t *words, *values; // `values`: of constants by id, and where strings are
static size_t word_count;

static void read_module(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        fail("the module cannot be read");
    word_count = (size_t)ftell(f) / 4;
    rewind(f);
    words = malloc(word_count * 4);
    if (!words || fread(words, 4, word_count, f) != word_count || word_count < 5 || words[0] != MAGIC)
        fail("no module of SPIR-V");
    fclose(f);
    values = calloc(words[3], 4);
}

// The operands of a kind of argument, behind kernel and number: set, binding, offset and size, or some of them.
static struct argument read_argument(uint32_t kind, const uint32_t *operand)
{
    struct argument arg = {.kind = kind};
    const uint32_t *at = operand + 2;
    if (kind == WORKGROUP) {
        arg.spec_id = values[at[0]];
        arg.size = values[at[1]];
        return arg;
    }
    if (kind != POD_PUSH && kind != POINTER_PUSH) {
        arg.set = values[at[0]];
        arg.binding = values[at[1]];
        at += 2;
    }
    if (kind >= POD_STORAGE && (kind < SAMPLED_IMAGE || kind > SAMPLER)) {
        arg.offset = values[at[0]];
        arg.size = values[at[1]];
    }
    return arg;
}

static int is_argument(uint32_t instruction)
{
    return (instruction >= STORAGE_BUFFER && instruction <= WORKGROUP) || instruction == POINTER_PUSH || instruction == POINTER_UNIFORM;
}

static const char *text_at(uint32_t id) { return (const char *)(words + values[id]); }

static void read_sampler(const uint32_t *operand)
{
    if (sampler_count == MOST_SAMPLERS)
        fail("too many samplers");
    samplers[sampler_count].set = values[operand[0]];
    samplers[sampler_count].binding = values[operand[1]];
    samplers[sampler_count++].mask = values[operand[2]];
}

static void read_shared(uint32_t instruction, const uint32_t *operand)
{
    if (instruction == CONSTANTS || instruction == VARIABLES)
        data = (struct shared){values[operand[0]], values[operand[1]], (uint32_t)strlen(text_at(operand[2])) / 2, text_at(operand[2]), 0};
    else if (instruction == CONSTANTS_ADDRESS || instruction == VARIABLES_ADDRESS)
        data = (struct shared){0, 0, (uint32_t)strlen(text_at(operand[2])) / 2, text_at(operand[2]), values[operand[0]]};
    else if (instruction == PRINTF_BUFFER)
        printed = (struct shared){values[operand[0]], values[operand[1]], values[operand[2]], NULL, 0};
    else if (instruction == PRINTF_ADDRESS)
        printed = (struct shared){0, 0, values[operand[2]], NULL, values[operand[0]]};
    else if (instruction == RELOCATION && pointer_count < MOST_POINTERS) {
        pointers[pointer_count].to = values[operand[0]];
        pointers[pointer_count++].at = values[operand[1]];
    }
    else if (instruction == PRINTF_INFO && values[operand[0]] < MOST_FORMATS)
        formats[values[operand[0]]] = text_at(operand[1]);
    else if (instruction == LITERAL_SAMPLER)
        read_sampler(operand);
}

// Its name is NULL where there is none.
static struct kernel look_for_kernel(const char *name)
{
    pointer_count = 0;
    struct kernel k = {0};
    uint32_t set = 0, decl = 0;
    sampler_count = 0;
    for (size_t i = 5; i < word_count; i += words[i] >> 16) {
        uint32_t op = words[i] & 0xffff, *at = words + i + 1;
        if (op == OP_CONSTANT)
            values[at[1]] = at[2];
        else if (op == OP_STRING)
            values[at[0]] = (uint32_t)(at + 1 - words);
        else if (op == OP_IMPORT && !strncmp((const char *)(at + 1), "NonSemantic.ClspvReflection.", 28))
            set = at[0];
        if (op != OP_EXT_INST || at[2] != set)
            continue;
        if (at[3] == KERNEL && !strcmp(text_at(at[5]), name)) {
            k.name = text_at(at[5]);
            decl = at[1];
        } else if (is_argument(at[3]) && at[4] == decl && values[at[5]] < MOST_ARGS) {
            k.args[values[at[5]]] = read_argument(at[3], at + 4);
        } else {
            read_shared(at[3], at + 4);
        }
    }
    return k;
}

static struct kernel find_kernel(const char *name)
{
    struct kernel k = look_for_kernel(name);
    if (!k.name)
        fail("no such kernel");
    return k;
}

// ---- Vulkan ------------------------------------------------------------------------------------------

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkShaderModule module;
static uint32_t family;
static VkBool32 has_addresses;

static int has_extension(const char *name)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    VkExtensionProperties *all = calloc(count + 1, sizeof *all);
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all);
    int found = 0;
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(all[i].extensionName, name);
    free(all);
    return found;
}

static void open_device(void)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    uint32_t one = 1, families = 16;
    if (vkCreateInstance(&instance_info, NULL, &instance) != VK_SUCCESS)
        exit(77);
    VkResult listed = vkEnumeratePhysicalDevices(instance, &one, &physical);
    const char *extension = "VK_KHR_shader_non_semantic_info";
    if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || !one || !has_extension(extension))
        exit(77);
    VkQueueFamilyProperties properties[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, properties);
    while (family < families && !(properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
    VkPhysicalDevice16BitStorageFeatures shorts = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
    VkPhysicalDevice8BitStorageFeatures bytes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, .pNext = &shorts};
    VkPhysicalDeviceShaderFloat16Int8Features small = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                                                       .pNext = &bytes};
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
                                                       .pNext = &small};
    VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                                                             .pNext = &model};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &addresses};
    vkGetPhysicalDeviceFeatures2(physical, &features); // all that there are: a short needs shaderInt16
    has_addresses = addresses.bufferDeviceAddress;
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue_info,
                                      .enabledExtensionCount = 1,
                                      .ppEnabledExtensionNames = &extension};
    CHECK(vkCreateDevice(physical, &device_info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
    VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = word_count * 4,
                                            .pCode = words};
    CHECK(vkCreateShaderModule(device, &module_info, NULL, &module));
}

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *bytes;
    uint64_t address; // where the device has them
};

static uint32_t visible_memory(uint32_t types)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if (types >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("no memory that the host sees");
    return 0;
}

static struct buffer make_buffer(VkDeviceSize size)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    struct buffer b = {0};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = size,
                               .usage = usage | (has_addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0)};
    VkMemoryRequirements needs;
    CHECK(vkCreateBuffer(device, &info, NULL, &b.handle));
    vkGetBufferMemoryRequirements(device, b.handle, &needs);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = has_addresses ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &flags,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = visible_memory(needs.memoryTypeBits)};
    CHECK(vkAllocateMemory(device, &memory, NULL, &b.memory));
    CHECK(vkBindBufferMemory(device, b.handle, b.memory, 0));
    CHECK(vkMapMemory(device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.bytes));
    VkBufferDeviceAddressInfo whole = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = b.handle};
    b.address = has_addresses ? vkGetBufferDeviceAddress(device, &whole) : 0;
    return b;
}

static void submit(VkCommandBuffer commands)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    CHECK(vkEndCommandBuffer(commands));
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
}

static VkCommandBuffer begin_commands(void)
{
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    VkCommandPool pool;
    VkCommandBuffer commands;
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .commandBufferCount = 1};
    CHECK(vkAllocateCommandBuffers(device, &info, &commands));
    VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin_info));
    return commands;
}

// ---- images and samplers -----------------------------------------------------------------------------

// As OpenCL writes them down: whether coordinates are normalized, addressing, filter.
static VkSampler make_sampler(uint32_t mask)
{
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                                 VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                                 VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT};
    VkSamplerAddressMode mode = modes[(mask >> 1 & 7) % 5];
    VkFilter filter = mask & 0x20 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = filter,
                                .minFilter = filter,
                                .addressModeU = mode,
                                .addressModeV = mode,
                                .addressModeW = mode,
                                .unnormalizedCoordinates = !(mask & 1)};
    VkSampler sampler;
    CHECK(vkCreateSampler(device, &info, NULL, &sampler));
    return sampler;
}

static VkImage make_image(VkImageType type, VkExtent3D extent)
{
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = type,
                              .format = VK_FORMAT_R32_SFLOAT,
                              .extent = extent,
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkImage image;
    VkDeviceMemory memory;
    VkMemoryRequirements needs;
    CHECK(vkCreateImage(device, &info, NULL, &image));
    vkGetImageMemoryRequirements(device, image, &needs);
    uint32_t kind = 0;
    while (!(needs.memoryTypeBits >> kind & 1))
        kind++;
    VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .allocationSize = needs.size,
                                        .memoryTypeIndex = kind};
    CHECK(vkAllocateMemory(device, &memory_info, NULL, &memory));
    CHECK(vkBindImageMemory(device, image, memory, 0));
    return image;
}

static const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

// With the texels in the buffer, and in the layout for all uses from then on.
static void fill_image(VkImage image, VkExtent3D extent, struct buffer texels)
{
    VkCommandBuffer commands = begin_commands();
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image,
                                    .subresourceRange = whole};
    VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = extent};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdCopyBufferToImage(commands, texels.handle, image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
    submit(commands);
}

static VkImageView make_view(VkImageType type, VkExtent3D extent, struct buffer texels)
{
    VkImage image = make_image(type, extent);
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image,
                                  .viewType = type == VK_IMAGE_TYPE_3D ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D,
                                  .format = VK_FORMAT_R32_SFLOAT,
                                  .subresourceRange = whole};
    VkImageView view;
    CHECK(vkCreateImageView(device, &info, NULL, &view));
    fill_image(image, extent, texels);
    return view;
}

// ---- a launch ----------------------------------------------------------------------------------------

enum { SETS = 3, BINDINGS = 16, PUSH_BYTES = 128, POD_BYTES = 256, CONSTANT_BYTES = 1 << 16 };

struct set { // of each binding one of three, or none
    struct buffer bound[BINDINGS];
    VkImageView images[BINDINGS];
    VkSampler samplers[BINDINGS];
    VkDescriptorType types[BINDINGS];
};

struct launch {
    struct kernel kernel;
    struct set sets[SETS];
    unsigned char push[PUSH_BYTES];
    uint32_t spec_ids[3 + MOST_ARGS], spec_values[3 + MOST_ARGS], spec_count;
};

static void specialize(struct launch *l, uint32_t id, uint32_t value)
{
    l->spec_ids[l->spec_count] = id;
    l->spec_values[l->spec_count++] = value;
}

static struct buffer make_shared(const struct shared *shared)
{
    struct buffer buffer = make_buffer(shared->size);
    memset(buffer.bytes, 0, shared->size);
    for (uint32_t i = 0; shared->data && i < shared->size; i++) {
        char digits[3] = {shared->data[2 * i], shared->data[2 * i + 1]};
        ((unsigned char *)buffer.bytes)[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    for (uint32_t i = 0; shared->data && i < pointer_count; i++) {
        uint64_t address = buffer.address + pointers[i].to;
        memcpy((unsigned char *)buffer.bytes + pointers[i].at, &address, sizeof address);
    }
    return buffer;
}

// Filled once: what kernels store there stays.
static void bind_shared(struct launch *l, const struct shared *shared, struct buffer *buffer)
{
    if (!shared->size)
        return;
    if (!shared->set && !has_addresses)
        exit(77);
    if (shared->set >= SETS || shared->binding >= BINDINGS || shared->offset > PUSH_BYTES - 8)
        fail("a shared buffer is bound elsewhere");
    if (!buffer->handle)
        *buffer = make_shared(shared);
    if (!shared->set) {
        memcpy(l->push + shared->offset, &buffer->address, sizeof buffer->address);
        return;
    }
    l->sets[shared->set].bound[shared->binding] = *buffer;
    l->sets[shared->set].types[shared->binding] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void set_value(struct launch *l, uint32_t i, const void *value, size_t size)
{
    const struct argument *arg = &l->kernel.args[i];
    int pushed = arg->kind == POD_PUSH || arg->kind == POINTER_PUSH, uniform = arg->kind == POD_UNIFORM || arg->kind == POINTER_UNIFORM;
    if ((!pushed && !uniform && arg->kind != POD_STORAGE) || arg->size != size)
        fail("the argument is no value of that size");
    struct set *set = &l->sets[arg->set];
    if (!pushed && !set->bound[arg->binding].handle)
        set->bound[arg->binding] = make_buffer(POD_BYTES);
    if (!pushed)
        set->types[arg->binding] = uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    unsigned char *block = pushed ? l->push : set->bound[arg->binding].bytes;
    memcpy(block + arg->offset, value, size);
}

static void set_buffer(struct launch *l, uint32_t i, struct buffer buffer)
{
    if (l->kernel.args[i].kind == POINTER_PUSH || l->kernel.args[i].kind == POINTER_UNIFORM) {
        if (!has_addresses)
            exit(77);
        set_value(l, i, &buffer.address, sizeof buffer.address);
        return;
    }
    if (l->kernel.args[i].kind != STORAGE_BUFFER && l->kernel.args[i].kind != UNIFORM_BUFFER)
        fail("the argument is no buffer");
    struct set *set = &l->sets[l->kernel.args[i].set];
    set->bound[l->kernel.args[i].binding] = buffer;
    set->types[l->kernel.args[i].binding] =
        l->kernel.args[i].kind == UNIFORM_BUFFER ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void set_image(struct launch *l, uint32_t i, VkImageView view)
{
    const struct argument *arg = &l->kernel.args[i];
    if (arg->kind != SAMPLED_IMAGE && arg->kind != STORAGE_IMAGE)
        fail("the argument is no image");
    l->sets[arg->set].images[arg->binding] = view;
    l->sets[arg->set].types[arg->binding] =
        arg->kind == SAMPLED_IMAGE ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void bind_sampler(struct launch *l, uint32_t set, uint32_t binding, uint32_t mask)
{
    l->sets[set].samplers[binding] = make_sampler(mask);
    l->sets[set].types[binding] = VK_DESCRIPTOR_TYPE_SAMPLER;
}

static void set_sampler(struct launch *l, uint32_t i, uint32_t mask)
{
    if (l->kernel.args[i].kind != SAMPLER)
        fail("the argument is no sampler");
    bind_sampler(l, l->kernel.args[i].set, l->kernel.args[i].binding, mask);
}

static struct buffer data_buffer, printed_buffer;

static struct launch begin(const char *name, uint32_t group)
{
    struct launch l = {.kernel = find_kernel(name)};
    for (uint32_t i = 0; i < 3; i++)
        specialize(&l, i, i ? 1 : group);
    bind_shared(&l, &data, &data_buffer);
    bind_shared(&l, &printed, &printed_buffer);
    for (uint32_t i = 0; i < sampler_count; i++)
        bind_sampler(&l, samplers[i].set, samplers[i].binding, samplers[i].mask);
    return l;
}

static void set_local(struct launch *l, uint32_t i, uint32_t bytes)
{
    if (l->kernel.args[i].kind != WORKGROUP)
        fail("the argument is no local memory");
    specialize(l, l->kernel.args[i].spec_id, bytes / l->kernel.args[i].size);
}

static VkDescriptorSetLayout make_set_layout(const struct set *of)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < BINDINGS; i++)
        if (of->bound[i].handle || of->images[i] || of->samplers[i])
            bindings[count++] = (VkDescriptorSetLayoutBinding){i, of->types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = count,
                                            .pBindings = bindings};
    VkDescriptorSetLayout layout;
    CHECK(vkCreateDescriptorSetLayout(device, &info, NULL, &layout));
    return layout;
}

static VkDescriptorSet make_set(const struct set *of, VkDescriptorSetLayout layout)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, BINDINGS},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, BINDINGS},  {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, BINDINGS},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, BINDINGS}};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = sizeof sizes / sizeof *sizes,
                                            .pPoolSizes = sizes};
    VkDescriptorPool pool;
    VkDescriptorSet set;
    CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &layout};
    CHECK(vkAllocateDescriptorSets(device, &set_info, &set));
    for (uint32_t i = 0; i < BINDINGS; i++) {
        VkDescriptorBufferInfo buffer = {of->bound[i].handle, 0, VK_WHOLE_SIZE};
        VkDescriptorImageInfo image = {of->samplers[i], of->images[i], VK_IMAGE_LAYOUT_GENERAL};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = set,
                                      .dstBinding = i,
                                      .descriptorCount = 1,
                                      .descriptorType = of->types[i],
                                      .pImageInfo = &image,
                                      .pBufferInfo = &buffer};
        if (buffer.buffer || image.imageView || image.sampler)
            vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    return set;
}

static VkPipeline make_pipeline(const struct launch *l, VkPipelineLayout layout)
{
    VkSpecializationMapEntry entries[3 + MOST_ARGS];
    for (uint32_t i = 0; i < l->spec_count; i++)
        entries[i] = (VkSpecializationMapEntry){l->spec_ids[i], 4 * i, 4};
    VkSpecializationInfo specialization = {l->spec_count, entries, 4 * l->spec_count, l->spec_values};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = l->kernel.name,
                                                  .pSpecializationInfo = &specialization},
                                        .layout = layout};
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

static void run(struct launch *l, uint32_t groups)
{
    VkDescriptorSetLayout layouts[SETS];
    VkDescriptorSet sets[SETS];
    for (uint32_t i = 0; i < SETS; i++) {
        layouts[i] = make_set_layout(&l->sets[i]);
        sets[i] = make_set(&l->sets[i], layouts[i]);
    }
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_BYTES};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = SETS,
                                       .pSetLayouts = layouts,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device, &info, NULL, &layout));
    VkCommandBuffer commands = begin_commands();
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, make_pipeline(l, layout));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, SETS, sets, 0, NULL);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_BYTES, l->push);
    vkCmdDispatch(commands, groups, 1, 1);
    submit(commands);
}

// ---- what is run -------------------------------------------------------------------------------------

enum { COUNT = 64, GROUP = 16 };

static int failures;

static void expect(const char *what, const float *got, uint32_t i, float wanted)
{
    if (fabsf(got[i] - wanted) < 1e-4f)
        return;
    fprintf(stderr, "%s: element %u is %g, not %g\n", what, i, (double)got[i], (double)wanted);
    failures++;
}

static void try_scale(struct buffer out, struct buffer in)
{
    struct launch l = begin("scale", GROUP);
    uint32_t range[2] = {4, 40};
    float factor = 0.5f;
    set_buffer(&l, 0, out);
    set_value(&l, 1, &factor, sizeof factor);
    set_buffer(&l, 2, in);
    set_value(&l, 3, range, sizeof range);
    memset(out.bytes, 0, COUNT * 4);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("scale", out.bytes, i, i >= 4 && i < 44 ? (float)i * 0.5f + GROUP + COUNT : 0);
}

static void try_reverse(struct buffer out, struct buffer in)
{
    struct launch l = begin("reverse", GROUP);
    float add = 100;
    short more = -3;
    set_buffer(&l, 0, out);
    set_local(&l, 1, GROUP * 8);
    set_buffer(&l, 2, in);
    set_value(&l, 3, &add, sizeof add);
    set_value(&l, 4, &more, sizeof more);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("reverse", out.bytes, i, (float)(i / GROUP * GROUP + GROUP - 1 - i % GROUP) + 97);
}

static void try_choose(struct buffer out, struct buffer in)
{
    struct launch l = begin("choose", GROUP);
    int which = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        ((float *)out.bytes)[i] = 1000;
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    set_value(&l, 2, &which, sizeof which);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("choose", out.bytes, i, i & 1 ? (float)i + 1 : 1001);
}

static void try_high(struct buffer out)
{
    struct launch l = begin("high", GROUP);
    uint32_t by = 0x89abcdef;
    set_buffer(&l, 0, out);
    set_value(&l, 1, &by, sizeof by);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t x = i * 0x4ccccccdu, high = (uint32_t)((uint64_t)x * by >> 32);
        uint32_t wanted = high ^ (high - (x >> 31 ? by : 0) - x) << 1; // by is negative
        if ((int32_t)x < (int32_t)by)
            wanted = i;
        uint32_t got = ((uint32_t *)out.bytes)[i];
        if (got != wanted)
            fprintf(stderr, "high: element %u is %x, not %x\n", i, got, wanted);
        failures += got != wanted;
    }
}

static void expect_int(const char *what, uint32_t i, int got, int wanted)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s: element %u is %d, not %d\n", what, i, got, wanted);
    failures++;
}

// Constants of the program and of an argument, by one pointer.
static void try_look_up(struct buffer out)
{
    struct launch l = begin("look_up", GROUP);
    struct buffer given = make_buffer(CONSTANT_BYTES);
    for (int i = 0; i < COUNT; i++)
        ((int *)given.bytes)[i] = 1000 + i;
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, given);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect_int("look_up", i, ((int *)out.bytes)[i], i % 3 ? 1000 + (int)i : (int)(i % 8 * (i % 8) + 1));
}

// A variable that begins as 7 and is what the last launch left.
static void try_count(struct buffer out)
{
    for (int launch = 0; launch < 2; launch++) {
        struct launch l = begin("count", GROUP);
        set_buffer(&l, 0, out);
        run(&l, COUNT / GROUP);
        int sum = 0, first = 7 + launch * 3 * COUNT;
        for (uint32_t i = 0; i < COUNT; i++)
            sum += ((int *)out.bytes)[i];
        expect_int("count", 0, sum, first * COUNT + 3 * COUNT * (COUNT - 1) / 2);
    }
}

// Records of four words: the call, a value, a text, a value. The buffer has 128 words, one of which counts.
static void try_tell(struct buffer out)
{
    enum { TOLD = 31 };
    struct launch l = begin("tell", GROUP);
    uint32_t seen = 0, failed = 0, *record = printed_buffer.bytes;
    set_buffer(&l, 0, out);
    run(&l, COUNT / GROUP);
    failures += record[0] < 4 * TOLD || record[0] > 4 * COUNT;
    for (uint32_t i = 0; i < COUNT; i++)
        failed += ((int *)out.bytes)[i] == -1;
    expect_int("tell: failed", 0, (int)failed, COUNT - TOLD);
    for (uint32_t i = 0; i < TOLD; i++) {
        uint32_t *at = record + 1 + 4 * i;
        const char *format = at[0] < MOST_FORMATS ? formats[at[0]] : NULL, *text = at[2] < MOST_FORMATS ? formats[at[2]] : NULL;
        failures += !format || strcmp(format, "%d %s %d\n") || !text || strcmp(text, "times");
        expect_int("tell: a record", i, (int)at[3], -5 * (int)at[1]);
        seen += at[1] < COUNT;
    }
    expect_int("tell: records", 0, (int)seen, TOLD);
}

// An image and a volume that have the buffer's numbers; what the first launch writes the second reads.
static void try_images(struct buffer out, struct buffer in)
{
    enum { SIDE = 8, VOLUME_SIDE = 4, TEXELS = 2 | 0x10, SHARES = 1 | 6 | 0x10 }; // nearest: to the edge; normalized, repeated
    const VkExtent3D flat = {SIDE, SIDE, 1}, cube = {VOLUME_SIDE, VOLUME_SIDE, VOLUME_SIDE};
    VkImageView plane = make_view(VK_IMAGE_TYPE_2D, flat, in), kept = make_view(VK_IMAGE_TYPE_2D, flat, in);
    struct launch l = begin("sample", GROUP), next = begin("again", GROUP);
    set_image(&l, 0, plane);
    set_image(&l, 1, make_view(VK_IMAGE_TYPE_3D, cube, in));
    set_sampler(&l, 2, TEXELS);
    set_image(&l, 3, kept);
    run(&l, COUNT / GROUP);
    set_buffer(&next, 0, out);
    set_image(&next, 1, kept);
    set_sampler(&next, 2, SHARES);
    run(&next, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t clamped = i % SIDE ? i - 1 : i, other = (i + 1) % COUNT;
        expect("images", out.bytes, i, (float)(clamped + 100 * i + 10000 * other + 1000000 * SIDE));
    }
}

// ---- what has no word in descriptors: module_cases.cl ------------------------------------------------

static int given(int i) { return (i * 37 + 11) % 101; }

#define ALIKE(name) \
    static int wanted_##name(int i) { return name(i, given(i)); }
ALIKE(seen_otherwise)
ALIKE(tagged_values)
ALIKE(into_the_loop)
ALIKE(two_doors)
ALIKE(some_at_once)
ALIKE(here_and_there)
ALIKE(turned_list)
ALIKE(by_several_hands)

enum { ADDED = 0x1200 };

static int wanted_given_union(int i)
{
    union word w = {.i = given(i)}, turned;
    turned.halves.low = (short)(w.halves.high + (ADDED >> 8));
    turned.halves.high = w.halves.low;
    return turned.i;
}

static int wanted_local_union(int i)
{
    int l = i % CASE_GROUP, other = i - l + (l ^ 1);
    return given(i - l + 15 - l) * 1000 + (short)(given(other) << 8 | (l ^ 1));
}

static int wanted_group_goto(int i)
{
    int sum = 0, first = i / CASE_GROUP * CASE_GROUP;
    for (int k = 0; k < (first / CASE_GROUP & 1 ? 8 : CASE_GROUP); k++)
        sum += given(first + k);
    return sum;
}

static int wanted_chosen(int i)
{
    int out = 7 * i, in = given(i), other = given(i ^ 1), *p = &in, *q = &out;
    for (int k = 0; k < 5; k++) {
        int *next = (i + k) & 1 ? p : q;
        *q = *next + k;
        p = k == 3 ? &other : next;
    }
    return out;
}

static int wanted_spans(int i)
{
    int first = i % 3 ? i & ~3 : i / 2, count = i % 3 ? 4 : 2, l = i % CASE_GROUP, sum = 0;
    for (int k = 0; k < count; k++)
        sum += given(first + k) + (i % 3 ? l : 15 - l);
    return sum;
}

static int wanted_kept(int i)
{
    return given(i) * 100 + given(i & 2 ? i : i / CASE_GROUP * CASE_GROUP) * 10 + (i & 4 ? i : i * ((i & 3) + 1));
}

static int wanted_local_table(int i)
{
    int l = i % CASE_GROUP, to = i - l + (l ^ 1);
    return (15 - l) * (15 - l) + (to & 4 ? given(to) : 1000 + to);
}

static int wanted_global_list(int i)
{
    int l = i % CASE_GROUP, sum = 0;
    for (int left = 3; left; left--) {
        sum = sum * 10 + (i / CASE_GROUP * CASE_GROUP + l) * 3;
        if (l == 15)
            break;
        l = (l * 7 + 7) % CASE_GROUP;
    }
    return sum;
}

static int wanted_numbers(int i)
{
    int odd = i & 1, at = i == 63 ? 0 : i + odd;
    return given(at) * 100 + (i & 7) * i + (2 - odd) + (i + odd > 0) + ((i & 7) == 3);
}

static int own_sum(int i, int more) { return ((i + more) * 3 + i + 1) * 9 + (i + 2) * 3 + i + 3; }

static int wanted_generic(int i)
{
    int any = i % 3 == 0 ? i : i % 3 == 1 ? i % CASE_GROUP * 2 : given(i);
    return own_sum(i, i % 3 ? 0 : 5) + any + 5;
}

static int wanted_generic_kept(int i)
{
    int value = i % 3 == 0 ? 3 * i : i % 3 == 1 ? given(i) : i % CASE_GROUP ^ 3;
    return value * 10 + (i % 3 == 0 ? 4 : i % 3 == 1 ? 1 : 2);
}

static const struct {
    const char *name;
    int (*wanted)(int i);
} cases[] = {
    {"seen_otherwise_case", wanted_seen_otherwise}, {"tagged_values_case", wanted_tagged_values},
    {"into_the_loop_case", wanted_into_the_loop},   {"two_doors_case", wanted_two_doors},
    {"some_at_once_case", wanted_some_at_once},     {"here_and_there_case", wanted_here_and_there},
    {"turned_list_case", wanted_turned_list},       {"by_several_hands_case", wanted_by_several_hands},
    {"given_union_case", wanted_given_union},       {"local_union_case", wanted_local_union},
    {"group_goto_case", wanted_group_goto},         {"chosen_case", wanted_chosen},
    {"spans_case", wanted_spans},                   {"kept_case", wanted_kept},
    {"local_table_case", wanted_local_table},       {"global_list_case", wanted_global_list},
    {"numbers_case", wanted_numbers},               {"generic_case", wanted_generic},
    {"generic_kept_case", wanted_generic_kept},
};

static void try_case(size_t which, struct buffer out, struct buffer in)
{
    const char *name = cases[which].name;
    struct launch l = begin(name, CASE_GROUP);
    int added = ADDED;
    for (int i = 0; i < CASE_COUNT; i++)
        ((int *)in.bytes)[i] = given(i);
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    if (!strcmp(name, "given_union_case"))
        set_value(&l, 2, &added, sizeof added);
    run(&l, CASE_COUNT / CASE_GROUP);
    for (int i = 0; i < CASE_COUNT; i++)
        expect_int(name, (uint32_t)i, ((int *)out.bytes)[i], cases[which].wanted(i));
}

static int has_kernel(const char *name) { return look_for_kernel(name).name != NULL; }

static void try_cases(void)
{
    struct buffer out = make_buffer(CASE_COUNT * 4), in = make_buffer(CASE_COUNT * 16); // pointers and numbers
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strncmp(cases[i].name, "generic", 7) || has_kernel(cases[i].name)) // those want OpenCL C 2.0
            try_case(i, out, in);
}

static void try_kernels(void)
{
    struct buffer in = make_buffer(COUNT * 4), out = make_buffer(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++)
        ((float *)in.bytes)[i] = (float)i;
    try_scale(out, in);
    try_reverse(out, in);
    try_choose(out, in);
    try_high(out);
    if (has_kernel("look_up"))
        try_look_up(out);
    if (has_kernel("count"))
        try_count(out);
    if (has_kernel("tell"))
        try_tell(out);
    if (has_kernel("sample"))
        try_images(out, in);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("the module's name is wanted");
    read_module(argv[1]);
    open_device();
    has_kernel(cases[0].name) ? try_cases() : try_kernels();
    printf("%s: %d wrong\n", argv[1], failures);
    return failures != 0;
}
