// SPDX-License-Identifier: Apache-2.0
// The only platform; it exists even if there is no device.
#include "api/api.h"
#include "api/external.h"

#include <string.h>

#include "object/svm_type.h"

// ---- extensions ---------------------------------------------------------------------------------

// Extensions that every device supports: loaders query this list when a program starts, which
// should not load a Vulkan driver.
static const enum kc_extension host_backed[] = {
    KC_EXT_GLOBAL_INT32_BASE_ATOMICS,
    KC_EXT_GLOBAL_INT32_EXTENDED_ATOMICS,
    KC_EXT_LOCAL_INT32_BASE_ATOMICS,
    KC_EXT_LOCAL_INT32_EXTENDED_ATOMICS,
    KC_EXT_ICD,
    KC_EXT_EXTENDED_VERSIONING,
    KC_EXT_DEVICE_UUID,
    KC_EXT_CREATE_COMMAND_QUEUE,
    KC_EXT_PRIORITY_HINTS,
    KC_EXT_THROTTLE_HINTS,
    KC_EXT_SUGGESTED_LOCAL_WORK_SIZE,
    KC_EXT_SEMAPHORE,
    KC_EXT_GL_SHARING, // programs look for these only here
    KC_EXT_GL_EVENT,
    KC_EXT_EGL_EVENT,
};

static const cl_name_version extension_rows[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, macro_from)                                       \
    [KC_EXT_##id] = {CL_MAKE_VERSION(major, minor, patch), name},
#include "pumice/extensions.def"
};

static cl_int get_extensions(const void *object, struct info *info)
{
    (void)object;
    for (size_t i = 0; i < INFO_COUNT(host_backed); i++) {
        const char *name = extension_rows[host_backed[i]].name;
        info_put(info, " ", i ? 1 : 0);
        info_put(info, name, strlen(name));
    }
    info_put(info, "", 1);
    return CL_SUCCESS;
}

static cl_int get_extension_list(const void *object, struct info *info)
{
    (void)object;
    for (size_t i = 0; i < INFO_COUNT(host_backed); i++)
        info_put(info, &extension_rows[host_backed[i]], sizeof(cl_name_version));
    return CL_SUCCESS;
}

// If the platform's profile is full, devices may have either profile.
static cl_int get_profile(const void *object, struct info *info)
{
    struct _cl_device_id *list;
    cl_uint count = device_list(&list);
    bool full = !count;
    (void)object;
    for (cl_uint i = 0; i < count; i++)
        full |= !list[i].caps.target.embedded;
    const char *name = full ? "FULL_PROFILE" : "EMBEDDED_PROFILE";
    info_put(info, name, strlen(name) + 1);
    return CL_SUCCESS;
}

static cl_int get_svm_types(const void *object, struct info *info)
{
    enum svm_type types[SVM_TYPES];
    cl_svm_capabilities_khr can[SVM_TYPES];
    cl_uint count = svm_type_list(types, can);
    (void)object;
    info_put(info, can, count * sizeof *can);
    return CL_SUCCESS;
}

// The handle types that all devices support.
#define EXTERNAL(name, use)                                                                        \
    static cl_int name(const void *object, struct info *info)                                      \
    {                                                                                              \
        struct _cl_device_id *list;                                                                \
        cl_uint count = device_list(&list);                                                        \
        (void)object;                                                                              \
        external_put(list, count, use, info);                                                      \
        return CL_SUCCESS;                                                                         \
    }
EXTERNAL(get_memory_imports, EXTERNAL_MEMORY)
EXTERNAL(get_semaphore_imports, EXTERNAL_SEMAPHORES_IN)
EXTERNAL(get_semaphore_exports, EXTERNAL_SEMAPHORES_OUT)

static const struct info_row platform_info[] = {
    INFO_CALL(CL_PLATFORM_PROFILE, get_profile),
    INFO_SAY(CL_PLATFORM_VERSION, "OpenCL 3.1 Pumice"), // of the runtime: devices may have earlier
                                                        // versions
    INFO_VALUE(CL_PLATFORM_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 1, 0)),
    INFO_SAY(CL_PLATFORM_NAME, "Pumice"),
    INFO_SAY(CL_PLATFORM_VENDOR, "Pumice"),
    INFO_CALL(CL_PLATFORM_EXTENSIONS, get_extensions),
    INFO_CALL(CL_PLATFORM_EXTENSIONS_WITH_VERSION, get_extension_list),
    INFO_VALUE(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1), // CLOCK_MONOTONIC
    INFO_SAY(CL_PLATFORM_ICD_SUFFIX_KHR, "PUMICE"),
    INFO_CALL(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, get_svm_types),
    INFO_VALUE(CL_PLATFORM_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
    INFO_CALL(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, get_memory_imports),
    INFO_CALL(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, get_semaphore_imports),
    INFO_CALL(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, get_semaphore_exports),
};

// ---- entry points -------------------------------------------------------------------------------

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                    cl_uint *num_platforms)
{
    API_CALL;
    if ((!platforms && !num_platforms) || (platforms && !num_entries))
        return REFUSE(CL_INVALID_VALUE, "neither a list nor a count is requested");
    if (platforms)
        platforms[0] = &device_platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                          cl_uint *num_platforms)
{
    API_CALL;
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret)
{
    API_CALL;
    if (!platform) // implementation-defined: the only platform
        platform = &device_platform;
    TRY(api_check(platform, OBJECT_PLATFORM));
    return info_get(platform_info, INFO_COUNT(platform_info), platform, param_name,
                    param_value_size, param_value, param_value_size_ret);
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
    API_CALL;
    return api_check(platform, OBJECT_PLATFORM);
}

cl_int CL_API_CALL clUnloadCompiler(void)
{
    API_CALL;
    return CL_SUCCESS;
}
