// SPDX-License-Identifier: Apache-2.0
// The platform: one, always there, whether or not a device is.
#include "api/api.h"

#include <string.h>

// ---- extensions of the platform: those that every device has ------------------------------------------

static bool all_devices_have(enum kc_extension extension)
{
    struct _cl_device_id *devices;
    cl_uint count = device_list(&devices);
    for (cl_uint i = 0; i < count; i++) {
        if (!device_caps_has(&devices[i].caps, extension))
            return false;
    }
    return count > 0 || extension == KC_EXT_ICD || extension == KC_EXT_EXTENDED_VERSIONING;
}

struct platform_extension {
    enum kc_extension id;
    cl_name_version row;
};

static const struct platform_extension platform_extensions[] = {
#define EXTENSION(id, name, major, minor, patch, macro_from)                                       \
    {KC_EXT_##id, {CL_MAKE_VERSION(major, minor, patch), name}},
#include "pumice/extensions.def"
};

static cl_int get_extensions(const void *object, struct info *info)
{
    (void)object;
    const char *space = "";
    for (size_t i = 0; i < INFO_COUNT(platform_extensions); i++) {
        const struct platform_extension *extension = &platform_extensions[i];
        if (!all_devices_have(extension->id))
            continue;
        info_put(info, space, strlen(space));
        info_put(info, extension->row.name, strlen(extension->row.name));
        space = " ";
    }
    info_put(info, "", 1);
    return CL_SUCCESS;
}

static cl_int get_extension_list(const void *object, struct info *info)
{
    (void)object;
    for (size_t i = 0; i < INFO_COUNT(platform_extensions); i++) {
        if (all_devices_have(platform_extensions[i].id))
            info_put(info, &platform_extensions[i].row, sizeof(cl_name_version));
    }
    return CL_SUCCESS;
}

static const struct info_row platform_info[] = {
    INFO_SAY(CL_PLATFORM_PROFILE, "FULL_PROFILE"),
    INFO_SAY(CL_PLATFORM_VERSION, "OpenCL 3.0 Pumice"),
    INFO_VALUE(CL_PLATFORM_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0)),
    INFO_SAY(CL_PLATFORM_NAME, "Pumice"),
    INFO_SAY(CL_PLATFORM_VENDOR, "Pumice"),
    INFO_CALL(CL_PLATFORM_EXTENSIONS, get_extensions),
    INFO_CALL(CL_PLATFORM_EXTENSIONS_WITH_VERSION, get_extension_list),
    INFO_VALUE(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1), // CLOCK_MONOTONIC
    INFO_SAY(CL_PLATFORM_ICD_SUFFIX_KHR, "PUMICE"),
};

// ---- entry points ----------------------------------------------------------------------------------

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                    cl_uint *num_platforms)
{
    if ((!platforms && !num_platforms) || (platforms && !num_entries))
        return REFUSE(CL_INVALID_VALUE, "nowhere to put platforms");
    if (platforms)
        platforms[0] = &device_platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                          cl_uint *num_platforms)
{
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret)
{
    if (!platform) // implementation-defined: the one there is
        platform = &device_platform;
    TRY(api_check(platform, OBJECT_PLATFORM));
    return info_get(platform_info, INFO_COUNT(platform_info), platform, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
    return api_check(platform, OBJECT_PLATFORM);
}

cl_int CL_API_CALL clUnloadCompiler(void)
{
    return CL_SUCCESS;
}
