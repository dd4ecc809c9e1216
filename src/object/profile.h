// SPDX-License-Identifier: Apache-2.0
// Which profile a device is of, and whether it has images: what it has against what profile.def asks for.
#ifndef PUMICE_OBJECT_PROFILE_H
#define PUMICE_OBJECT_PROFILE_H

#include "object/device_caps.h"

// Of caps whose limits are filled in: target.embedded, images, and the reasons for people. Takes images away where there
// are too few of them for any profile.
void profile_fill(struct device_caps *caps, const struct vk_facts *facts);

#endif
