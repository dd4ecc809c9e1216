// SPDX-License-Identifier: Apache-2.0
// pumice-cc --show: the properties of a target.
#ifndef KC_SHOW_H
#define KC_SHOW_H

#include "pumice/kc.h"

void show_target(const char *name, const struct kc_target *target); // to standard output

#endif
