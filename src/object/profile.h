// SPDX-License-Identifier: Apache-2.0
// Determines a device's profile and whether it supports images, by comparing it with profile.def.
#ifndef PUMICE_OBJECT_PROFILE_H
#define PUMICE_OBJECT_PROFILE_H

#include "object/device_caps.h"

// Call when the limits in `caps` are set. Sets target.embedded, images and the reasons for
// messages. Disables images if the limits are too low for any profile.
void profile_fill(struct device_caps *caps, const struct vk_facts *facts);

#endif
