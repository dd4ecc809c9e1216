// SPDX-License-Identifier: Apache-2.0
// Entry points by name.
#ifndef PUMICE_API_DISPATCH_H
#define PUMICE_API_DISPATCH_H

// The function, or NULL when we have none of this name.
void *dispatch_find(const char *name);

#endif
