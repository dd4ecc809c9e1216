// SPDX-License-Identifier: Apache-2.0
// What vulkan_module.c does for who runs kernels of a module: arguments are set by their numbers, wherever they go.
#ifndef VULKAN_MODULE_H
#define VULKAN_MODULE_H

#include <stdint.h>
#include <vulkan/vulkan.h>

// Kinds of arguments, as NonSemantic.ClspvReflection numbers its instructions.
enum { KERNEL = 1, STORAGE_BUFFER = 3, UNIFORM_BUFFER = 4, POD_STORAGE = 5, POD_UNIFORM = 6, POD_PUSH = 7 };
enum { SAMPLED_IMAGE = 8, STORAGE_IMAGE = 9, SAMPLER = 10, WORKGROUP = 11, POINTER_PUSH = 26, POINTER_UNIFORM = 27 };
// What a launch says of its range: three numbers each, the first one alone of WORK_DIM.
enum told { GLOBAL_OFFSET_SPEC = 13, WORK_DIM, GLOBAL_OFFSET, ENQUEUED_LOCAL, GLOBAL_SIZE, REGION_OFFSET, NUM_GROUPS, REGION_GROUP };
enum { MOST_ARGS = 8, MOST_FORMATS = 8, MOST_POINTERS = 8, MOST_SAMPLERS = 4, MOST_SPECS = 7 + MOST_ARGS };


struct argument {
    uint32_t kind, set, binding, offset, size, spec_id; // kind 0: there is none
};

struct kernel {
    const char *name;
    struct argument args[MOST_ARGS];
};

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *bytes;
    uint64_t address; // where the device has them
};

enum { SETS = 4, BINDINGS = 16, PUSH_BYTES = 128, POD_BYTES = 256, CONSTANT_BYTES = 1 << 16 };

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
    uint32_t told; // bits 1 << enum told
    uint32_t spec_ids[MOST_SPECS], spec_values[MOST_SPECS], spec_count;
};

_Noreturn void fail(const char *what);
void read_module(const char *path);
void open_device(void); // and make the module
struct kernel look_for_kernel(const char *name); // its name is NULL where there is none
extern const char *formats[MOST_FORMATS];        // of calls of printf
extern struct buffer printed_buffer;             // what they write

struct buffer make_buffer(VkDeviceSize size);
VkImageView make_view(VkImageType type, VkExtent3D extent, struct buffer texels);
struct launch begin(const char *name, uint32_t group); // in work-groups of that size
void set_value(struct launch *l, uint32_t i, const void *value, size_t size);
void set_buffer(struct launch *l, uint32_t i, struct buffer buffer);
void set_image(struct launch *l, uint32_t i, VkImageView view);
void set_sampler(struct launch *l, uint32_t i, uint32_t mask); // as OpenCL writes them down
void set_local(struct launch *l, uint32_t i, uint32_t bytes);
int tell(struct launch *l, enum told what, const uint32_t values[3]); // whether the module asks for it
void run(struct launch *l, uint32_t groups); // and wait

#endif
