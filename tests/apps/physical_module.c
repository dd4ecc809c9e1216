// SPDX-License-Identifier: Apache-2.0
// A plain Vulkan program without OpenCL: it loads modules of `pumice-cc --physical --all
// --json=FILE`, reads in FILE what their kernels need, and runs three of them. Memory is passed by
// address, everything else in push constants.
//
// physical_module FILE.json  (of physical_kernels.cl; modules are in the same folder); status 77:
// no suitable device
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define CHECK(call) check((call), #call)

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "physical_module: %s %s\n", what, name);
    exit(1);
}

static void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        fail("error of", call);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        fail("cannot read", path);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = calloc(*size + 4, 1);
    if (!bytes || fread(bytes, 1, *size, f) != *size)
        fail("cannot read", path);
    fclose(f);
    return bytes;
}

// ---- JSON: a tree of values ----------------------------------------------------------------------------

struct value {
    char kind; // { [ " 0 (a number) t f n
    const char *name, *text;
    uint64_t number;
    struct value *first, *next;
};

static const struct value nothing;
static char *at; // position in the text, which is cut into strings

static char *skip(void) { return at += strspn(at, " \t\r\n,:"); }

// Names and strings in these files have no escapes other than \" and \\.
static const char *read_string(void)
{
    char *text = ++at, *to = at;
    while (*at && *at != '"') {
        at += *at == '\\';
        *to++ = *at++;
    }
    at += *at == '"';
    *to = '\0';
    return text;
}

static struct value *read_value(const char *name)
{
    struct value *v = calloc(1, sizeof *v), **last = &v->first;
    v->name = name;
    v->kind = *skip();
    if (v->kind == '"') {
        v->text = read_string();
    } else if (v->kind == '{' || v->kind == '[') {
        at++;
        while (*skip() && *at != ']' && *at != '}') {
            const char *key = v->kind == '{' ? read_string() : NULL;
            *last = read_value(key);
            last = &(*last)->next;
        }
        at += *at != '\0';
    } else if (v->kind >= 'a') { // true, false, null
        at += strspn(at, "truefalsn");
    } else {
        char *end;
        v->kind = '0';
        v->number = strtoull(at, &end, 10);
        if (end == at)
            fail("no JSON:", at);
        at = end;
    }
    return v;
}

static const struct value *member(const struct value *v, const char *name)
{
    for (const struct value *m = v->first; m; m = m->next)
        if (!strcmp(m->name, name))
            return m;
    return &nothing;
}

static uint32_t number(const struct value *v, const char *name) { return (uint32_t)member(v, name)->number; }
static int is(const struct value *v, const char *kind) { return !strcmp(member(v, "kind")->text, kind); }

// ---- Vulkan ------------------------------------------------------------------------------------------

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;

static VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
static VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                      .pNext = &features13};
static VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features12};

// The features that kernels of this program may need; all that the device supports are enabled.
static const struct {
    const char *name;
    const VkBool32 *has;
} known_features[] = {
    {"shaderInt64", &features.features.shaderInt64},
    {"shaderInt16", &features.features.shaderInt16},
    {"shaderInt8", &features12.shaderInt8},
    {"bufferDeviceAddress", &features12.bufferDeviceAddress},
    {"vulkanMemoryModel", &features12.vulkanMemoryModel},
    {"maintenance4", &features13.maintenance4},
};

static void need_feature(const char *name)
{
    for (size_t i = 0; i < sizeof known_features / sizeof *known_features; i++) {
        if (strcmp(name, known_features[i].name))
            continue;
        if (!*known_features[i].has)
            exit(77);
        return;
    }
    fail("a feature that this program does not know:", name);
}

static void find_device(void)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    uint32_t one = 1, families = 16;
    if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS)
        exit(77);
    VkResult listed = vkEnumeratePhysicalDevices(instance, &one, &physical);
    if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || !one)
        exit(77);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    if (properties.apiVersion < VK_API_VERSION_1_3)
        exit(77);
    VkQueueFamilyProperties queues[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, queues);
    while (family < families && !(queues[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;
    vkGetPhysicalDeviceFeatures2(physical, &features);
}

static void open_device(void)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue_info};
    CHECK(vkCreateDevice(physical, &info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
}

struct buffer {
    uint64_t address;
    void *bytes;
};

static uint32_t visible_memory(uint32_t types)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if (types >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail("no memory that the host sees", "");
    return 0;
}

static struct buffer make_buffer(VkDeviceSize size)
{
    struct buffer b;
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    VkMemoryRequirements needs;
    CHECK(vkCreateBuffer(device, &info, NULL, &handle));
    vkGetBufferMemoryRequirements(device, handle, &needs);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = visible_memory(needs.memoryTypeBits)};
    CHECK(vkAllocateMemory(device, &allocation, NULL, &memory));
    CHECK(vkBindBufferMemory(device, handle, memory, 0));
    CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &b.bytes));
    b.address = vkGetBufferDeviceAddress(
        device, &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = handle});
    return b;
}

// ---- the description in the file
// ---------------------------------------------------------------------

static const char *folder; // with a trailing slash
static const struct value *description;
static struct buffer data; // the program's constants and variables

static void load_description(const char *path)
{
    size_t size;
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash + 1 - path) : 0;
    char *copy = calloc((size_t)length + 1, 1);
    memcpy(copy, path, (size_t)length);
    folder = copy;
    at = read_file(path, &size);
    description = read_value(NULL);
    if (number(description, "format") != 1 || strcmp(member(description, "addressing")->text, "physical"))
        fail("not of this form:", path);
}

// Writes the bytes, then the addresses in them.
static void fill_data(void)
{
    const struct value *from = member(description, "data");
    uint32_t size = number(from, "size");
    const char *hex = member(from, "bytes")->text;
    data = make_buffer(size ? size : 4);
    for (uint32_t i = 0; i < size; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        ((unsigned char *)data.bytes)[i] = (unsigned char)byte;
    }
    for (const struct value *r = member(from, "relocations")->first; r; r = r->next) {
        uint64_t address = data.address + member(r, "addend")->number;
        memcpy((char *)data.bytes + number(r, "offset"), &address, 8);
    }
}

static const struct value *find_kernel(const char *name)
{
    for (const struct value *k = member(description, "kernels")->first; k; k = k->next)
        if (!strcmp(member(k, "name")->text, name))
            return k;
    fail("no kernel", name);
    return NULL;
}

// ---- a launch ----------------------------------------------------------------------------------------

enum { ARGS = 8, SPECS = 16, PUSH_BYTES = 256 };

struct argument {
    const void *value; // or an address
    uint32_t size, local; // `local`: bytes of local memory
};

struct launch {
    const struct value *kernel;
    struct argument args[ARGS];
    uint32_t groups, group_size; // in one dimension
    uint32_t local_total;
    uint32_t local_offsets[ARGS];
};

static void set_value(struct launch *l, uint32_t i, const void *value, uint32_t size)
{
    l->args[i].size = size;
    l->args[i].value = value;
}

static void set_buffer(struct launch *l, uint32_t i, const struct buffer *buffer) { set_value(l, i, &buffer->address, 8); }

// Assigns offsets to local arguments, which share one array with the kernel's own local memory.
static void place_locals(struct launch *l)
{
    uint32_t end = number(l->kernel, "local_shared"), i = 0;
    for (const struct value *arg = member(l->kernel, "arguments")->first; arg; arg = arg->next, i++) {
        uint32_t align = number(arg, "align") < 16 ? 16 : number(arg, "align");
        if (!is(arg, "local"))
            continue;
        l->local_offsets[i] = end = (end + align - 1) / align * align;
        end += l->args[i].local;
    }
    l->local_total = end;
}

static uint64_t of_range(const struct launch *l, const struct value *push)
{
    uint32_t first = number(push, "dimension") == 0;
    if (is(push, "global_size") || is(push, "items"))
        return first ? (uint64_t)l->groups * l->group_size : 1;
    if (is(push, "num_groups"))
        return first ? l->groups : 1;
    if (is(push, "enqueued_local_size"))
        return first ? l->group_size : 1;
    if (is(push, "work_dim"))
        return 1;
    if (!is(push, "global_base") && !is(push, "global_offset") && !is(push, "group_base"))
        fail("a value that this program does not know:", member(push, "kind")->text);
    return 0;
}

static void fill_push(const struct launch *l, unsigned char *block)
{
    for (const struct value *push = member(l->kernel, "push")->first; push; push = push->next) {
        uint32_t offset = number(push, "offset"), size = number(push, "size"), arg = number(push, "argument");
        uint64_t value = 0;
        if (is(push, "argument")) {
            if (l->args[arg].size != size)
                fail("an argument of another size in", member(l->kernel, "name")->text);
            memcpy(block + offset, l->args[arg].value, size);
            continue;
        }
        value = is(push, "data") ? data.address : is(push, "local_argument") ? l->local_offsets[arg] : of_range(l, push);
        memcpy(block + offset, &value, size);
    }
}

static uint32_t spec_value(const struct launch *l, const struct value *spec)
{
    if (is(spec, "guard"))
        return 0;
    uint32_t unit = number(spec, "unit");
    if (is(spec, "local_size"))
        return number(spec, "dimension") ? 1 : l->group_size;
    uint32_t bytes = is(spec, "local_total") ? l->local_total : l->args[number(spec, "argument")].local;
    return bytes > unit ? (bytes + unit - 1) / unit : 1;
}

static VkShaderModule load_module(const struct value *kernel)
{
    char path[4096];
    size_t size;
    VkShaderModule module;
    for (const struct value *f = member(kernel, "features")->first; f; f = f->next)
        need_feature(f->text);
    snprintf(path, sizeof path, "%s%s", folder, member(kernel, "module")->text);
    char *words = read_file(path, &size);
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = (const uint32_t *)words};
    CHECK(vkCreateShaderModule(device, &info, NULL, &module));
    return module;
}

static VkPipeline make_pipeline(const struct launch *l, VkPipelineLayout layout)
{
    uint32_t values[SPECS], count = 0;
    VkSpecializationMapEntry entries[SPECS];
    for (const struct value *s = member(l->kernel, "specialization")->first; s && count < SPECS; s = s->next, count++) {
        values[count] = spec_value(l, s);
        entries[count] = (VkSpecializationMapEntry){number(s, "id"), 4 * count, 4};
    }
    VkSpecializationInfo constants = {count, entries, 4 * count, values};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = load_module(l->kernel),
                                                  .pName = member(l->kernel, "entry_point")->text,
                                                  .pSpecializationInfo = &constants},
                                        .layout = layout};
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

// The push block, or its address if it is too large.
static uint32_t make_push(const struct launch *l, unsigned char *push)
{
    uint32_t size = number(l->kernel, "push_size");
    if (member(l->kernel, "push_indirect")->kind == 't') {
        struct buffer block = make_buffer(size);
        fill_push(l, block.bytes);
        memcpy(push, &block.address, 8);
        return 8;
    }
    if (size > PUSH_BYTES)
        fail("too many push constants in", member(l->kernel, "name")->text);
    fill_push(l, push);
    return size;
}

static void submit(VkCommandBuffer commands)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
}

static void run(struct launch *l)
{
    unsigned char push[PUSH_BYTES] = {0};
    place_locals(l);
    uint32_t size = make_push(l, push);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, (size + 3) & ~3u};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .pushConstantRangeCount = size > 0, .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    VkCommandPool pool;
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool,
                                               .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               .commandBufferCount = 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &buffer_info, &commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, make_pipeline(l, layout));
    if (size)
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, range.size, push);
    vkCmdDispatch(commands, l->groups, 1, 1);
    CHECK(vkEndCommandBuffer(commands));
    submit(commands);
}

// ---- the kernels -------------------------------------------------------------------------------------

enum { COUNT = 64, GROUP = 16 };
static int failures;

static void compare(const char *what, int i, double got, double wanted)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s: [%d] is %g, not %g\n", what, i, got, wanted);
    failures++;
}

static void try_scale(const struct buffer *out, const struct buffer *in)
{
    static const int table[] = {3, 1, 4, 1};
    struct launch l = {.kernel = find_kernel("scale"), .groups = COUNT / GROUP, .group_size = GROUP};
    float by = 2.5f;
    uint16_t shift = 100;
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    set_value(&l, 2, &by, sizeof by);
    set_value(&l, 3, &shift, sizeof shift);
    run(&l);
    for (int i = 0; i < COUNT; i++)
        compare("scale", i, ((float *)out->bytes)[i], i * 2.5 + table[i & 3] + table[1 + (i & 1)] + 100 + 1);
}

static void try_sums(const struct buffer *out, const struct buffer *in)
{
    struct launch l = {.kernel = find_kernel("sums"), .groups = COUNT / GROUP, .group_size = GROUP};
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    l.args[2].local = GROUP * 4;
    run(&l);
    for (int i = 0; i < COUNT / GROUP; i++)
        compare("sums", i, ((int *)out->bytes)[i], GROUP * GROUP * i + GROUP * (GROUP - 1) / 2);
}

static void try_wide(const struct buffer *out)
{
    float all[80]; // more than fits in push constants
    struct launch l = {.kernel = find_kernel("wide"), .groups = COUNT / GROUP, .group_size = GROUP};
    for (int i = 0; i < 80; i++)
        all[i] = 1000.0f - (float)i;
    set_buffer(&l, 0, out);
    set_value(&l, 1, all, sizeof all);
    run(&l);
    for (int i = 0; i < COUNT; i++)
        compare("wide", i, ((float *)out->bytes)[i], 1000 - 16 - i);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("usage: physical_module", "FILE.json");
    load_description(argv[1]);
    find_device();
    need_feature("bufferDeviceAddress");
    open_device();
    fill_data();
    struct buffer in = make_buffer(COUNT * 4), out = make_buffer(COUNT * 4);
    for (int i = 0; i < COUNT; i++)
        ((float *)in.bytes)[i] = (float)i;
    try_scale(&out, &in);
    try_sums(&out, &in);
    try_wide(&out);
    printf("%s: %d wrong\n", argv[1], failures);
    return failures != 0;
}
