// SPDX-License-Identifier: Apache-2.0
// Help of pumice-cc from options.def, and suggestions for misspelled options.
#ifndef KC_CC_HELP_H
#define KC_CC_HELP_H

#include <stdio.h>

void help_write(FILE *to);
// The option whose name is most similar to `word`; NULL if none is similar.
const char *help_nearest(const char *word);

#endif
