// SPDX-License-Identifier: Apache-2.0
// entry_points.def -> the dispatch table that every handle points to, and lookup by name.
#include "api/api.h"

#include <string.h>

const struct api_table api_table = {
#define ENTRY(name) .icd.name = name,
#define LATER(name) .name = name,
#include "api/entry_points.def"
};

struct entry_row {
    const char *name;
    void *address;
};

static const struct entry_row entry_rows[] = {
#define ENTRY(name) {#name, (void *)name},
#define LATER(name) {#name, (void *)name},
#define EXTRA(name) {#name, (void *)name},
#include "api/entry_points.def"
};

static void *find(const char *name)
{
    for (size_t i = 0; name && i < sizeof entry_rows / sizeof *entry_rows; i++) {
        if (!strcmp(entry_rows[i].name, name))
            return entry_rows[i].address;
    }
    return NULL;
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *func_name)
{
    return find(func_name);
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char *func_name)
{
    return api_check(platform, OBJECT_PLATFORM) ? NULL : find(func_name);
}
