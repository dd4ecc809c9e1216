// SPDX-License-Identifier: Apache-2.0
// Devices: enumeration and queries.
//
// Most rows copy a field of struct device_caps. For missing features (pipes, on-device queues)
// queries return zero or nothing, as OpenCL 3.0 specifies.
#include "api/command_buffer.h"
#include "api/external.h"

#include <string.h>

#include "api/vendor_info.h"
#include "object/svm_type.h"
#include "object/usm.h"
#include "util/thread.h"

// ---- queries that are not a single field --------------------------------------------------------

static cl_int get_platform(const void *object, struct info *info)
{
    (void)object;
    info_handle(info, &device_platform);
    return CL_SUCCESS;
}

static const struct device_caps *caps_of(const void *object)
{
    return &((const struct _cl_device_id *)object)->caps;
}

// The caps after shared memory has been probed.
static const struct device_caps *probed_caps(const void *object)
{
    struct _cl_device_id *device = (struct _cl_device_id *)(uintptr_t)object;
    device_svm(device);
    return &device->caps;
}

static void put_names(struct info *info, const struct caps_names *names)
{
    info_put(info, names->rows, names->count * sizeof *names->rows);
}

static cl_int get_extension_list(const void *object, struct info *info)
{
    put_names(info, &caps_of(object)->extension_list);
    return CL_SUCCESS;
}

static cl_int get_c_versions(const void *object, struct info *info)
{
    put_names(info, &caps_of(object)->c_versions);
    return CL_SUCCESS;
}

static cl_int get_features(const void *object, struct info *info)
{
    put_names(info, &probed_caps(object)->features);
    return CL_SUCCESS;
}

static cl_int get_pci(const void *object, struct info *info)
{
    if (!device_caps_has(caps_of(object), KC_EXT_PCI_BUS_INFO))
        return REFUSE(CL_INVALID_VALUE, "the driver does not report the device's PCI address");
    info_put(info, &caps_of(object)->pci, sizeof caps_of(object)->pci);
    return CL_SUCCESS;
}

static cl_int get_clock(const void *object, struct info *info)
{
    info_uint(info, device_clock_mhz((struct _cl_device_id *)(uintptr_t)object));
    return CL_SUCCESS;
}

static struct vk_last_cache cache_of(const void *object)
{
    return device_last_cache((struct _cl_device_id *)(uintptr_t)object);
}

static cl_int get_cache_type(const void *object, struct info *info)
{
    info_uint(info, cache_of(object).size ? CL_READ_WRITE_CACHE : CL_NONE);
    return CL_SUCCESS;
}

static cl_int get_cache_line(const void *object, struct info *info)
{
    info_uint(info, cache_of(object).line);
    return CL_SUCCESS;
}

static cl_int get_cache_size(const void *object, struct info *info)
{
    info_ulong(info, cache_of(object).size);
    return CL_SUCCESS;
}

static cl_int get_svm(const void *object, struct info *info)
{
    info_ulong(info, device_svm((struct _cl_device_id *)(uintptr_t)object));
    return CL_SUCCESS;
}

static cl_int get_svm_types(const void *object, struct info *info)
{
    enum svm_type types[SVM_TYPES];
    cl_svm_capabilities_khr can[SVM_TYPES];
    cl_uint count = svm_type_list(types, can);
    for (cl_uint i = 0; i < count; i++)
        info_ulong(info, svm_type_capabilities((struct _cl_device_id *)(uintptr_t)object, types[i]));
    return CL_SUCCESS;
}

static cl_int put_usm(const void *object, enum usm_query query, struct info *info)
{
    struct _cl_device_id *device = (struct _cl_device_id *)(uintptr_t)object;
    if (!device_caps_has(&device->caps, KC_EXT_INTEL_UNIFIED_SHARED_MEMORY))
        return REFUSE(CL_INVALID_VALUE, "the device does not support unified shared memory");
    info_ulong(info, usm_capabilities(device, query));
    return CL_SUCCESS;
}

static cl_int get_sub_group_sizes(const void *object, struct info *info)
{
    const struct kc_target *target = &caps_of(object)->target;
    if (!caps_of(object)->sub_groups)
        return CL_SUCCESS;
    for (uint64_t lanes = 1; lanes <= UINT32_MAX; lanes *= 2)
        if (kc_has_sub_groups_of(target, (uint32_t)lanes))
            info_size(info, lanes);
    return CL_SUCCESS;
}

static cl_int get_usm_host(const void *object, struct info *info)
{
    return put_usm(object, USM_HOST, info);
}

static cl_int get_usm_device(const void *object, struct info *info)
{
    return put_usm(object, USM_DEVICE, info);
}

static cl_int get_usm_shared(const void *object, struct info *info)
{
    return put_usm(object, USM_SHARED, info);
}

static cl_int get_usm_shared_cross(const void *object, struct info *info)
{
    return put_usm(object, USM_SHARED_CROSS, info);
}

static cl_int get_usm_system(const void *object, struct info *info)
{
    return put_usm(object, USM_SYSTEM, info);
}

static cl_int put_external(const void *object, enum kc_extension extension, enum external_use use,
                           struct info *info)
{
    if (!device_caps_has(caps_of(object), extension))
        return REFUSE(CL_INVALID_VALUE, "sharing with other APIs is not enabled");
    external_put(object, 1, use, info);
    return CL_SUCCESS;
}

#define EXTERNAL(name, extension, use)                                                             \
    static cl_int name(const void *object, struct info *info)                                      \
    {                                                                                              \
        return put_external(object, extension, use, info);                                         \
    }
EXTERNAL(get_memory_imports, KC_EXT_EXTERNAL_MEMORY, EXTERNAL_MEMORY)
EXTERNAL(get_linear_imports, KC_EXT_EXTERNAL_MEMORY, EXTERNAL_LINEAR_IMAGES)
EXTERNAL(get_semaphore_imports, KC_EXT_EXTERNAL_SEMAPHORE, EXTERNAL_SEMAPHORES_IN)
EXTERNAL(get_semaphore_exports, KC_EXT_EXTERNAL_SEMAPHORE, EXTERNAL_SEMAPHORES_OUT)

static cl_int get_kernel_clocks(const void *object, struct info *info)
{
    static const struct {
        enum kc_extension feature;
        cl_ulong bit;
    } scopes[] = {
        {KC_EXT_KERNEL_CLOCK_DEVICE, CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR},
        {KC_EXT_KERNEL_CLOCK_WORK_GROUP, CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR},
        {KC_EXT_KERNEL_CLOCK_SUB_GROUP, CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR},
    };
    cl_ulong clocks = 0;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        clocks |= device_caps_has(caps_of(object), scopes[i].feature) ? scopes[i].bit : 0;
    info_ulong(info, clocks);
    return CL_SUCCESS;
}

static cl_int get_atomic_memory(const void *object, struct info *info)
{
    info_ulong(info, probed_caps(object)->atomic_memory);
    return CL_SUCCESS;
}

static cl_int get_atomic_fence(const void *object, struct info *info)
{
    info_ulong(info, probed_caps(object)->atomic_fence);
    return CL_SUCCESS;
}

static cl_int get_references(const void *object, struct info *info)
{
    (void)object;
    info_uint(info, 1); // root devices are not counted
    return CL_SUCCESS;
}

// ---- SPIR-V programs: empty results if not supported
// ---------------------------------------------

static cl_int get_ils(const void *object, struct info *info)
{
    put_names(info, &caps_of(object)->ils);
    return CL_SUCCESS;
}

static cl_int get_spirv_sets(const void *object, struct info *info)
{
    const struct kc_il_features *il = &caps_of(object)->il;
    info_put(info, il->sets, il->set_count * sizeof *il->sets);
    return CL_SUCCESS;
}

static cl_int get_spirv_extensions(const void *object, struct info *info)
{
    const struct kc_il_features *il = &caps_of(object)->il;
    info_put(info, il->extensions, il->extension_count * sizeof *il->extensions);
    return CL_SUCCESS;
}

static cl_int get_spirv_capabilities(const void *object, struct info *info)
{
    const struct kc_il_features *il = &caps_of(object)->il;
    info_put(info, il->capabilities, il->capability_count * sizeof *il->capabilities);
    return CL_SUCCESS;
}

// ---- the table -----------------------------------------------------------------------------------

#define CAPS(query, member) INFO_FIELD(query, struct _cl_device_id, caps.member)
#define TEXT(query, member) INFO_STRING(query, struct _cl_device_id, caps.member)
#define NO_UINT(query) INFO_VALUE(query, cl_uint, 0)
#define NO_BITS(query) INFO_VALUE(query, cl_bitfield, 0)
#define NO_BOOL(query) INFO_VALUE(query, cl_bool, CL_FALSE)

static const struct info_row device_info[] = {
    CAPS(CL_DEVICE_TYPE, type),
    CAPS(CL_DEVICE_VENDOR_ID, vendor_id),
    CAPS(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
    CAPS(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, work_item_dimensions),
    CAPS(CL_DEVICE_MAX_WORK_GROUP_SIZE, work_group_size),
    CAPS(CL_DEVICE_MAX_WORK_ITEM_SIZES, work_item_sizes),
    CAPS(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, work_group_multiple),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, width[0]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, width[1]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, width[2]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, width[3]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, width[4]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, width[5]),
    CAPS(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, width[6]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, width[0]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, width[1]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, width[2]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, width[3]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, width[4]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, width[5]),
    CAPS(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, width[6]),
    INFO_CALL(CL_DEVICE_MAX_CLOCK_FREQUENCY, get_clock),
    CAPS(CL_DEVICE_ADDRESS_BITS, address_bits),
    INFO_VALUE(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE),

    CAPS(CL_DEVICE_GLOBAL_MEM_SIZE, global_memory),
    CAPS(CL_DEVICE_MAX_MEM_ALLOC_SIZE, max_allocation),
    CAPS(CL_DEVICE_LOCAL_MEM_SIZE, local_memory),
    CAPS(CL_DEVICE_LOCAL_MEM_TYPE, local_memory_type),
    CAPS(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, constant_size),
    CAPS(CL_DEVICE_MAX_CONSTANT_ARGS, constant_args),
    INFO_CALL(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, get_cache_type),
    INFO_CALL(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, get_cache_line),
    INFO_CALL(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, get_cache_size),
    CAPS(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, max_variable_size),
    CAPS(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, preferred_variable_total),
    CAPS(CL_DEVICE_MAX_PARAMETER_SIZE, parameter_size),
    CAPS(CL_DEVICE_MEM_BASE_ADDR_ALIGN, base_align_bits),
    CAPS(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, min_align_bytes),
    CAPS(CL_DEVICE_HOST_UNIFIED_MEMORY, unified),
    NO_BOOL(CL_DEVICE_ERROR_CORRECTION_SUPPORT),

    CAPS(CL_DEVICE_SINGLE_FP_CONFIG, single_fp),
    CAPS(CL_DEVICE_DOUBLE_FP_CONFIG, double_fp),
    CAPS(CL_DEVICE_HALF_FP_CONFIG, half_fp),
    CAPS(CAPS_SINGLE_FP_ATOMICS, single_atomics),
    CAPS(CAPS_DOUBLE_FP_ATOMICS, double_atomics),
    CAPS(CAPS_HALF_FP_ATOMICS, half_atomics),
    CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, dot_product),
    CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, dot_bytes),
    CAPS(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, dot_packed),
    INFO_CALL(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, get_kernel_clocks),
    INFO_VALUE(CL_DEVICE_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
    INFO_CALL(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, get_memory_imports),
    INFO_CALL(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
              get_linear_imports),
    INFO_CALL(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, get_semaphore_imports),
    INFO_CALL(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, get_semaphore_exports),
    INFO_CALL(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, get_atomic_memory),
    INFO_CALL(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, get_atomic_fence),

    INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, cl_device_command_buffer_capabilities_khr,
               CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                   CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
    INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, cl_command_queue_properties, 0),
    INFO_VALUE(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, cl_command_queue_properties,
               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    INFO_VALUE(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
               COMMAND_BUFFER_FIELDS),

    CAPS(CL_DEVICE_IMAGE_SUPPORT, images),
    CAPS(CL_DEVICE_MAX_READ_IMAGE_ARGS, read_images),
    CAPS(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, write_images),
    CAPS(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, read_write_images),
    CAPS(CL_DEVICE_IMAGE2D_MAX_WIDTH, image2d[0]),
    CAPS(CL_DEVICE_IMAGE2D_MAX_HEIGHT, image2d[1]),
    CAPS(CL_DEVICE_IMAGE3D_MAX_WIDTH, image3d[0]),
    CAPS(CL_DEVICE_IMAGE3D_MAX_HEIGHT, image3d[1]),
    CAPS(CL_DEVICE_IMAGE3D_MAX_DEPTH, image3d[2]),
    CAPS(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, image_buffer),
    CAPS(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, image_array),
    CAPS(CL_DEVICE_MAX_SAMPLERS, samplers),
    CAPS(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, pitch_texels),
    CAPS(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, base_texels),

    CAPS(CL_DEVICE_AVAILABLE, available),
    CAPS(CL_DEVICE_COMPILER_AVAILABLE, compiler),
    CAPS(CL_DEVICE_LINKER_AVAILABLE, compiler),
    CAPS(CL_DEVICE_EXECUTION_CAPABILITIES, execution),
    CAPS(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, host_queue),
    CAPS(CL_DEVICE_PROFILING_TIMER_RESOLUTION, timer_resolution),
    CAPS(CL_DEVICE_PRINTF_BUFFER_SIZE, printf_size),
    INFO_VALUE(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),
    INFO_SAY(CL_DEVICE_BUILT_IN_KERNELS, ""),
    INFO_NOTHING(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),

    TEXT(CL_DEVICE_NAME, name),
    TEXT(CL_DEVICE_VENDOR, vendor),
    TEXT(CL_DRIVER_VERSION, driver),
    TEXT(CL_DEVICE_PROFILE, profile),
    TEXT(CL_DEVICE_VERSION, version_text),
    CAPS(CL_DEVICE_NUMERIC_VERSION, version),
    INFO_SAY(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Pumice"),
    INFO_CALL(CL_DEVICE_OPENCL_C_ALL_VERSIONS, get_c_versions),
    INFO_CALL(CL_DEVICE_OPENCL_C_FEATURES, get_features),
    TEXT(CL_DEVICE_EXTENSIONS, extensions),
    INFO_CALL(CL_DEVICE_EXTENSIONS_WITH_VERSION, get_extension_list),
    TEXT(CL_DEVICE_IL_VERSION, il_versions),
    INFO_CALL(CL_DEVICE_ILS_WITH_VERSION, get_ils),
    INFO_CALL(CAPS_SPIRV_SETS, get_spirv_sets),
    INFO_CALL(CAPS_SPIRV_EXTENSIONS, get_spirv_extensions),
    INFO_CALL(CAPS_SPIRV_CAPABILITIES, get_spirv_capabilities),
    INFO_SAY(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
    INFO_CALL(CL_DEVICE_PLATFORM, get_platform),

    INFO_VALUE(CL_DEVICE_PARENT_DEVICE, cl_device_id, 0),
    NO_UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
    INFO_VALUE(CL_DEVICE_PARTITION_PROPERTIES, cl_device_partition_property, 0),
    NO_BITS(CL_DEVICE_PARTITION_AFFINITY_DOMAIN),
    INFO_NOTHING(CL_DEVICE_PARTITION_TYPE),
    INFO_CALL(CL_DEVICE_REFERENCE_COUNT, get_references),

    INFO_CALL(CL_DEVICE_SVM_CAPABILITIES, get_svm),
    INFO_CALL(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, get_svm_types),
    INFO_CALL(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, get_usm_host),
    INFO_CALL(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, get_usm_device),
    INFO_CALL(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, get_usm_shared),
    INFO_CALL(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, get_usm_shared_cross),
    INFO_CALL(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, get_usm_system),
    NO_UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
    NO_UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
    NO_UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT),
    CAPS(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, device_queue),
    CAPS(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, device_queue_size),
    CAPS(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, device_queue_max),
    CAPS(CL_DEVICE_MAX_ON_DEVICE_QUEUES, device_queues),
    CAPS(CL_DEVICE_MAX_ON_DEVICE_EVENTS, device_events),
    CAPS(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, enqueue),
    INFO_VALUE(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_TRUE),
    INFO_VALUE(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, CAPS_PIPE_ARGS),
    INFO_VALUE(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, CAPS_PIPE_RESERVATIONS),
    INFO_VALUE(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, CAPS_PIPE_PACKET),
    CAPS(CL_DEVICE_MAX_NUM_SUB_GROUPS, sub_groups),
    INFO_CALL(CL_DEVICE_SUB_GROUP_SIZES_INTEL, get_sub_group_sizes),
    // rows may begin at any component
    INFO_VALUE(CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR, cl_uint, 1),
    INFO_VALUE(CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR, cl_uint, 1),
    CAPS(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, progress),
    INFO_VALUE(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, CL_TRUE),
    CAPS(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, collectives),
    CAPS(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, generic),

    // cl_khr_extended_versioning, cl_khr_device_uuid, cl_khr_pci_bus_info
    INFO_VALUE(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version, CL_MAKE_VERSION(1, 2, 0)),
    CAPS(CL_DEVICE_UUID_KHR, device_uuid),
    CAPS(CL_DRIVER_UUID_KHR, driver_uuid),
    CAPS(CL_DEVICE_LUID_VALID_KHR, luid_valid),
    CAPS(CL_DEVICE_LUID_KHR, luid),
    CAPS(CL_DEVICE_NODE_MASK_KHR, node_mask),
    INFO_CALL(CL_DEVICE_PCI_BUS_INFO_KHR, get_pci),
};

// ---- entry points -------------------------------------------------------------------------------

static const cl_device_type known_types = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                          CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                          CL_DEVICE_TYPE_CUSTOM;

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                  cl_uint num_entries, cl_device_id *devices, cl_uint *num_devices)
{
    API_CALL;
    if (platform) // NULL: the only platform
        TRY(api_check(platform, OBJECT_PLATFORM));
    if (device_type != CL_DEVICE_TYPE_ALL && (!device_type || device_type & ~known_types))
        return REFUSE(CL_INVALID_DEVICE_TYPE, "invalid device type 0x%llx", (unsigned long long)device_type);
    if ((!devices && !num_devices) || (devices && !num_entries))
        return REFUSE(CL_INVALID_VALUE, "neither a list nor a count is requested");
    struct _cl_device_id *list;
    cl_uint count = device_list(&list), found = 0;
    for (cl_uint i = 0; i < count; i++) {
        if (!device_matches(&list[i], device_type))
            continue;
        if (devices && found < num_entries)
            devices[found] = &list[i];
        found++;
    }
    if (num_devices)
        *num_devices = found;
    return found ? CL_SUCCESS
                 : REFUSE(CL_DEVICE_NOT_FOUND, "none of the %u devices has this type", count);
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(device, OBJECT_DEVICE));
    if (vendor_info_has(param_name))
        return vendor_info_get(device, param_name, param_value_size, param_value, param_value_size_ret);
    return info_get(device_info, INFO_COUNT(device_info), device, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

cl_int CL_API_CALL clRetainDevice(cl_device_id device)
{
    API_QUICK_CALL;
    return api_check(device, OBJECT_DEVICE); // root devices are not reference counted
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device)
{
    API_CALL;
    return api_check(device, OBJECT_DEVICE);
}

cl_int CL_API_CALL clRetainDeviceEXT(cl_device_id device)
{
    API_QUICK_CALL;
    return clRetainDevice(device);
}

cl_int CL_API_CALL clReleaseDeviceEXT(cl_device_id device)
{
    API_CALL;
    return clReleaseDevice(device);
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                      const cl_device_partition_property *properties,
                                      cl_uint num_devices, cl_device_id *out_devices,
                                      cl_uint *num_devices_ret)
{
    API_CALL;
    (void)num_devices, (void)out_devices, (void)num_devices_ret;
    TRY(api_check(in_device, OBJECT_DEVICE));
    if (!properties)
        return REFUSE(CL_INVALID_VALUE, "no properties");
    return REFUSE(CL_INVALID_VALUE, "the device cannot be partitioned");
}

cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id in_device,
                                         const cl_device_partition_property_ext *properties,
                                         cl_uint num_entries, cl_device_id *out_devices,
                                         cl_uint *num_devices)
{
    API_CALL;
    (void)num_entries, (void)out_devices, (void)num_devices;
    TRY(api_check(in_device, OBJECT_DEVICE));
    if (!properties)
        return REFUSE(CL_INVALID_VALUE, "no properties");
    return REFUSE(CL_INVALID_VALUE, "the device cannot be partitioned");
}

// Profiling values are in the host's clock, so both timers are the same.
cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                           cl_ulong *host_timestamp)
{
    API_CALL;
    TRY(api_check(device, OBJECT_DEVICE));
    if (!device_timestamp || !host_timestamp)
        return REFUSE(CL_INVALID_VALUE, "the pointer for a timestamp is NULL");
    *device_timestamp = *host_timestamp = thread_now_ns();
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    API_CALL;
    TRY(api_check(device, OBJECT_DEVICE));
    if (!host_timestamp)
        return REFUSE(CL_INVALID_VALUE, "the pointer for a timestamp is NULL");
    *host_timestamp = thread_now_ns();
    return CL_SUCCESS;
}
