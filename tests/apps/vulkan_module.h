// SPDX-License-Identifier: Apache-2.0
// Interface of vulkan_module.c for programs that run the kernels of a module: arguments are set by
// number, however they are passed.
#ifndef VULKAN_MODULE_H
#define VULKAN_MODULE_H

#include <stdint.h>
#include <vulkan/vulkan.h>

// Kinds of arguments, with the numbers of their NonSemantic.ClspvReflection instructions.
enum { KERNEL = 1, STORAGE_BUFFER = 3, UNIFORM_BUFFER = 4, POD_STORAGE = 5, POD_UNIFORM = 6, POD_PUSH = 7 };
enum { SAMPLED_IMAGE = 8, STORAGE_IMAGE = 9, SAMPLER = 10, WORKGROUP = 11, POINTER_PUSH = 26, POINTER_UNIFORM = 27 };
// The values by which a launch describes its range: three numbers each, only the first for
// WORK_DIM.
enum range_value { GLOBAL_OFFSET_SPEC = 13, WORK_DIM, GLOBAL_OFFSET, ENQUEUED_LOCAL, GLOBAL_SIZE, REGION_OFFSET, NUM_GROUPS, REGION_GROUP };
enum { MOST_ARGS = 8, MOST_FORMATS = 8, MOST_POINTERS = 8, MOST_SAMPLERS = 4, MOST_SPECS = 7 + MOST_ARGS };


struct argument {
    uint32_t kind, set, binding, offset, size, spec_id; // kind 0: unused
};

struct kernel {
    const char *name;
    struct argument args[MOST_ARGS];
};

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *bytes;
    uint64_t address; // if the device supports addresses
};

enum { SETS = 4, BINDINGS = 16, PUSH_BYTES = 128, POD_BYTES = 256, CONSTANT_BYTES = 1 << 16 };

struct set { // one of the three for each binding, or none
    struct buffer bound[BINDINGS];
    VkImageView images[BINDINGS];
    VkSampler samplers[BINDINGS];
    VkDescriptorType types[BINDINGS];
};

struct launch {
    struct kernel kernel;
    struct set sets[SETS];
    unsigned char push[PUSH_BYTES];
    uint32_t range_values; // bits 1 << enum range_value that have been set
    uint32_t spec_ids[MOST_SPECS], spec_values[MOST_SPECS], spec_count;
};

_Noreturn void fail(const char *what);
void read_module(const char *path);
void open_device(void); // and creates the module
struct kernel look_for_kernel(const char *name); // the name is NULL if there is no such kernel
extern const char *formats[MOST_FORMATS];        // of printf calls
extern struct buffer printed_buffer;             // their output

struct buffer make_buffer(VkDeviceSize size);
VkImageView make_view(VkImageType type, VkExtent3D extent, struct buffer texels);
struct launch begin(const char *name, uint32_t group); // with work-groups of that size
void set_value(struct launch *l, uint32_t i, const void *value, size_t size);
void set_buffer(struct launch *l, uint32_t i, struct buffer buffer);
void set_image(struct launch *l, uint32_t i, VkImageView view);
void set_sampler(struct launch *l, uint32_t i, uint32_t mask); // in OpenCL's encoding
void set_local(struct launch *l, uint32_t i, uint32_t bytes);
// whether the module uses the value
int tell(struct launch *l, enum range_value what, const uint32_t values[3]);
void run(struct launch *l, uint32_t groups); // and waits

#endif
