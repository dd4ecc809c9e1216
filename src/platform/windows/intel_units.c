// SPDX-License-Identifier: Apache-2.0
// Windows has no DRM render nodes. See platform.h.
#include "platform/platform.h"

uint32_t system_intel_units(uint32_t render_node)
{
    (void)render_node;
    return 0;
}
