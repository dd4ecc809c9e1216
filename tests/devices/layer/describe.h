// SPDX-License-Identifier: Apache-2.0
// A description of a device (tests/devices/*.txt) for the layer, and the layer's error message.
//
// A line of a description: a keyword, then its values. '#' begins a comment. A list of names may be
// continued on another line with the same keyword.
//   name TEXT             type discrete|integrated|virtual|cpu    vendor NUMBER NUMBER (vendor, device)
//   api 1.MINOR.PATCH     extension NAME... | all                 instance NAME... (else none)
//   reported NAME...                  extensions with properties only; the driver may lack them
//   feature NAME... | all             without NAME... (exceptions)
//   limit NAME NUMBER...              numbers with k, m, g for powers of 1024
//   subgroup basic vote ...           supported sub-group operations
//   heap MIB [device]                 memory HEAP [device] [visible] [coherent] [cached] [lazy]
//                                            [protected] [amd_coherent] [amd_uncached]
//   queue [graphics] [compute] [transfer] [sparse] [stamps=BITS]     a queue family
//   formats all|required              format NAME [sampled] [linear] [storage] [texels] [stored_texels]
//   portability                       only offered to applications that enable portability drivers
#ifndef DEVICES_DESCRIBE_H
#define DEVICES_DESCRIBE_H

#include "vulkan/vk.h"

enum {
    NAMES_MAX = 512,
    LIMITS_MAX = 128,
    FORMATS_MAX = 128,
    FEATURES_MAX = 512,
    VALUES_MAX = 3,
};

struct names {
    const char *items[NAMES_MAX];
    uint32_t count;
    bool all;
};

struct limit {
    const char *name;
    uint64_t values[VALUES_MAX];
    uint32_t count;
};

// What a format supports; the bits are those of VkFormatFeatureFlags that matter for computing.
struct format_row {
    VkFormat format;
    VkFormatFeatureFlags image, buffer;
};

struct description {
    const char *name;
    VkPhysicalDeviceType type;
    uint32_t vendor, device, api, minor;
    uint64_t hash; // of the text
    struct names extensions, reported, instance, features, without;
    struct limit limits[LIMITS_MAX];
    uint32_t limit_count;
    VkPhysicalDeviceMemoryProperties memory;
    VkQueueFamilyProperties queues[8];
    uint32_t queue_count;
    bool formats_all, portability;
    struct format_row formats[FORMATS_MAX];
    uint32_t format_count;
};

// Read once, from the file named by DEVICES_DESCRIPTION. Ends the process if that is not a
// description.
const struct description *described(void);

bool names_have(const struct names *names, const char *name);
bool words_have(const char *words, const char *name); // `words`: separated by one space
const struct limit *described_limit(const char *name);

// Prints one line to stderr and ends the process.
_Noreturn void __attribute__((format(printf, 1, 2))) complain(const char *format, ...);

// Features by number. `feature_number` of an unknown name is FEATURES_MAX.
uint32_t feature_number(const char *name);
const char *feature_name(uint32_t number);
bool feature_described(const char *name);

struct feature_row {
    VkStructureType type;
    uint32_t version;
    const char *extension;
    const char *members;
};
const struct feature_row *feature_struct(VkStructureType type);
// The next name of `members`; NULL at the end.
const char *next_member(const char **members, char name[64]);

const struct format_row *described_format(VkFormat format); // NULL: not supported

#endif
