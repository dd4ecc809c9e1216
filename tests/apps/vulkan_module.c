// SPDX-License-Identifier: Apache-2.0
// A plain Vulkan program without OpenCL: it loads a module of `pumice-cc --vulkan`, reads from the
// module's reflection (NonSemantic.ClspvReflection) where a kernel's arguments go, and runs it.
// module_checks.c has the kernels and their expected results. Status 77: no device, or it does not
// support reflection.
#include "vulkan_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check((call), #call)

_Noreturn void fail(const char *what)
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
enum { CONSTANTS = 21, LITERAL_SAMPLER = 23, VARIABLES = 28, RELOCATION = 29, CONSTANTS_ADDRESS = 36, VARIABLES_ADDRESS = 37 };
enum { PRINTF_INFO = 38, PRINTF_BUFFER = 39, PRINTF_ADDRESS = 40 };

// Memory shared by the kernels: a storage buffer in its own set, or one whose address is pushed.
struct shared {
    uint32_t set, binding, size; // set 0: the address is pushed
    const char *data;            // hexadecimal digits
    uint32_t offset;             // of the address
};

static struct shared data, printed;
const char *formats[MOST_FORMATS];
static struct { uint32_t to, at; } pointers[MOST_POINTERS]; // pointers in the data, if it is
                                                            // accessed by address
static uint32_t pointer_count;
static struct {
    uint32_t set, binding, mask;
} samplers[MOST_SAMPLERS]; // from the source
static uint32_t sampler_count;
static struct {
    int is;
    uint32_t at[3]; // its SpecIds, or its offset
} asked[REGION_GROUP + 1]; // by enum range_value
static uint32_t *words, *values; // `values`: of constants by id; for strings, their positions
static size_t word_count;

void read_module(const char *path)
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

// Reads the operands of an argument after kernel and number: set, binding, offset and size, or some
// of them.
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
    else if (instruction >= GLOBAL_OFFSET_SPEC && instruction <= REGION_GROUP) {
        asked[instruction].is = 1;
        for (int i = 0; i < (instruction == GLOBAL_OFFSET_SPEC ? 3 : 1); i++)
            asked[instruction].at[i] = values[operand[i]];
    }
}

struct kernel look_for_kernel(const char *name)
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

void open_device(void)
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
    vkGetPhysicalDeviceFeatures2(physical, &features); // all that are supported: a short needs
                                                       // shaderInt16
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

static uint32_t visible_memory(uint32_t types)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if (types >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("no memory that the host sees");
}

struct buffer make_buffer(VkDeviceSize size)
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

// In OpenCL's encoding: normalized coordinates, addressing mode, filter.
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

// Copies the texels from the buffer, and changes to the layout for all later uses.
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

VkImageView make_view(VkImageType type, VkExtent3D extent, struct buffer texels)
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

// Initialised once: it keeps what kernels store.
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

void set_value(struct launch *l, uint32_t i, const void *value, size_t size)
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

void set_buffer(struct launch *l, uint32_t i, struct buffer buffer)
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

void set_image(struct launch *l, uint32_t i, VkImageView view)
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

void set_sampler(struct launch *l, uint32_t i, uint32_t mask)
{
    if (l->kernel.args[i].kind != SAMPLER)
        fail("the argument is no sampler");
    bind_sampler(l, l->kernel.args[i].set, l->kernel.args[i].binding, mask);
}

static struct buffer data_buffer;
struct buffer printed_buffer;

struct launch begin(const char *name, uint32_t group)
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

void set_local(struct launch *l, uint32_t i, uint32_t bytes)
{
    if (l->kernel.args[i].kind != WORKGROUP)
        fail("the argument is no local memory");
    specialize(l, l->kernel.args[i].spec_id, bytes / l->kernel.args[i].size);
}

int tell(struct launch *l, enum range_value what, const uint32_t numbers[3])
{
    if (!asked[what].is)
        return 0;
    l->range_values |= 1u << what;
    if (what > WORK_DIM)
        memcpy(l->push + asked[what].at[0], numbers, 12);
    for (int i = 0; what == GLOBAL_OFFSET_SPEC && i < 3; i++)
        specialize(l, asked[what].at[i], numbers[i]);
    if (what == WORK_DIM)
        specialize(l, asked[what].at[0], numbers[0]);
    return 1;
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
    VkSpecializationMapEntry entries[MOST_SPECS];
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

// Default values of the range.
static void tell_range(struct launch *l, uint32_t groups)
{
    const uint32_t local = l->spec_values[0];
    const struct {
        enum range_value what;
        uint32_t numbers[3];
    } range[] = {{GLOBAL_SIZE, {groups * local, 1, 1}}, {NUM_GROUPS, {groups, 1, 1}}, {ENQUEUED_LOCAL, {local, 1, 1}}};
    for (int i = 0; i < 3; i++)
        if (!(l->range_values >> range[i].what & 1))
            tell(l, range[i].what, range[i].numbers);
}

void run(struct launch *l, uint32_t groups)
{
    tell_range(l, groups);
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
