// SPDX-License-Identifier: Apache-2.0
// What pumice-cc can do, by options.def, and which of it somebody may have meant.
#ifndef KC_CC_HELP_H
#define KC_CC_HELP_H

#include <stdio.h>

void help_write(FILE *to);
// The option whose name is nearest to that of `word`; NULL: none is near.
const char *help_nearest(const char *word);

#endif
