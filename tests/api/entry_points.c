// SPDX-License-Identifier: Apache-2.0
// Every row of entry_points.def is in the dispatch table and is found by name; reserved entries are
// empty.
#include "test.h"

#include <CL/cl_icd.h>

static bool through_loader(void)
{
    return clGetExtensionFunctionAddressForPlatform(test_platform, "clIcdGetPlatformIDsKHR") !=
           NULL;
}

int main(void)
{
    test_open();
    const struct _cl_icd_dispatch *table = *(const struct _cl_icd_dispatch *const *)test_platform;
    CHECK(through_loader());
#define ENTRY(name)                                                                                \
    CHECK(table->name != NULL);                                                                    \
    CHECK((void *)table->name ==                                                                   \
          table->clGetExtensionFunctionAddressForPlatform(test_platform, #name));
#define LATER(name) CHECK(table->clGetExtensionFunctionAddressForPlatform(test_platform, #name) != NULL);
#define HOLE(name) CHECK(table->name == NULL);
#include "api/entry_points.def"
    CHECK(!table->clGetExtensionFunctionAddressForPlatform(test_platform, "clNoSuchFunction"));
    CHECK(!table->clGetExtensionFunctionAddress(NULL));
    // All handles have the same dispatch table.
    CHECK(*(const void *const *)test_device == table);
    CHECK(*(const void *const *)test_context == table);
    CHECK(*(const void *const *)test_queue == table);
    return test_close();
}
