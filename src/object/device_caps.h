// SPDX-License-Identifier: Apache-2.0
// What OpenCL reports about a device, in OpenCL's types: one field for each limit or property.
//
// device_caps.c fills it once from struct vk_facts; it is read-only then. The table of device
// queries copies fields directly from here.
#ifndef PUMICE_OBJECT_DEVICE_CAPS_H
#define PUMICE_OBJECT_DEVICE_CAPS_H

#include "object/cl.h"
#include "pumice/kc.h"
#include "vulkan/device.h"

enum {
    CAPS_NAME_MAX = 96,
    CAPS_TEXT = 256,
    CAPS_PROFILE = 24,
    CAPS_VERSION = 24,
    CAPS_WHY = 1024,
    CAPS_EXTENSIONS_TEXT = 4096,
    CAPS_PARAMETER_SIZE = 1024,
    CAPS_VENDOR_AMD = 0x1002,
    CAPS_VENDOR_NVIDIA = 0x10de,
    CAPS_PIPE_ARGS = 16, // any number would do
    CAPS_PIPE_RESERVATIONS = 1024, // any number would do: they use no memory
    CAPS_PIPE_PACKET = 65536
};

// cl_khr_spirv_queries and cl_ext_float_atomics, newer than Debian 12's headers
enum {
    CAPS_ATOMIC_GLOBAL_LOAD_STORE = 1,
    CAPS_ATOMIC_GLOBAL_ADD = 2,
    CAPS_ATOMIC_GLOBAL_MIN_MAX = 4,
    CAPS_ATOMIC_LOCAL_SHIFT = 16,
    CAPS_SINGLE_FP_ATOMICS = 0x4231,
    CAPS_DOUBLE_FP_ATOMICS = 0x4232,
    CAPS_HALF_FP_ATOMICS = 0x4233,
    CAPS_SPIRV_SETS = 0x12b9,
    CAPS_SPIRV_EXTENSIONS = 0x12ba,
    CAPS_SPIRV_CAPABILITIES = 0x12bb
};

struct caps_names {
    cl_name_version rows[CAPS_NAME_MAX];
    cl_uint count;
};

struct device_caps {
    cl_version version; // of OpenCL: 3.1 if target.c_3_1, else 3.0
    char version_text[CAPS_VERSION];
    const char *version_missing; // for messages: the first extension or feature missing for 3.1;
                                 // NULL: none
    cl_device_type type;
    cl_uint vendor_id, compute_units, address_bits;
    cl_uint work_item_dimensions;
    size_t work_item_sizes[3], work_group_size, work_group_multiple;

    cl_uint sub_groups; // maximum in a work-group; 0: not supported

    // Vector widths: char short int long float double half.
    cl_uint width[7];

    cl_ulong global_memory, max_allocation, local_memory, constant_size;
    cl_device_local_mem_type local_memory_type;
    cl_uint constant_args, base_align_bits, min_align_bytes;
    // 0: no program-scope variables
    size_t parameter_size, max_variable_size, preferred_variable_total;
    size_t timer_resolution, printf_size;
    cl_bool progress; // sub-groups of a work-group make independent progress
    cl_bool unified, images, compiler, available, generic, collectives, yes, no;

    // All 0 if images are not supported.
    size_t image2d[2], image3d[3], image_array, image_buffer;
    bool packed_texels;                                   // of 16-bit channels, too
    cl_uint read_images, write_images, read_write_images; // maximum number of arguments of a kernel
    cl_uint samplers, pitch_texels, base_texels;

    cl_device_integer_dot_product_capabilities_khr dot_product;
    cl_device_integer_dot_product_acceleration_properties_khr dot_bytes, dot_packed;

    cl_bitfield single_atomics, double_atomics, half_atomics; // CAPS_ATOMIC_*

    cl_device_fp_config single_fp, double_fp, half_fp;
    cl_device_exec_capabilities execution;
    cl_command_queue_properties host_queue, device_queue; // 0: no queues on the device
    cl_device_device_enqueue_capabilities enqueue;
    cl_uint device_queues, device_events, device_queue_size, device_queue_max; // bytes
    cl_device_atomic_capabilities atomic_memory, atomic_fence;

    char profile[CAPS_PROFILE]; // "FULL_PROFILE" or "EMBEDDED_PROFILE"
    char profile_why[CAPS_WHY], images_why[CAPS_WHY]; // for messages: reasons against the full
                                                      // profile, and against images; else ""

    char name[CAPS_TEXT], vendor[CAPS_TEXT], driver[CAPS_TEXT];
    char extensions[CAPS_EXTENSIONS_TEXT];
    struct caps_names extension_list, c_versions, features;

    char il_versions[CAPS_TEXT]; // "": SPIR-V programs are not supported
    struct caps_names ils;
    struct kc_il_features il;

    cl_uchar device_uuid[16], driver_uuid[16], luid[8];
    cl_bool luid_valid;
    cl_uint node_mask;
    cl_device_pci_bus_info_khr pci; // reported if the extension bit is set

    struct kc_target target; // for the compiler
};

// Updates everything that depends on the kinds of memory shared with the host.
void device_caps_share(struct device_caps *caps, cl_device_svm_capabilities svm);

void device_caps_fill(struct device_caps *caps, const struct vk_facts *facts);

// True if the bit of an extension or feature is set.
bool device_caps_has(const struct device_caps *caps, enum kc_extension extension);

// True if kernel pointers and host pointers have the same size, so both can be stored in shared
// memory.
bool device_caps_pointers(const struct device_caps *caps);

// For messages: what is missing for an extension or feature, as the name of a field of struct
// vk_features or struct kc_target; NULL: nothing that the table knows.
const char *device_caps_missing(const struct device_caps *caps, enum kc_extension extension);

#endif
