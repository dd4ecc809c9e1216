// SPDX-License-Identifier: Apache-2.0
// Leak detection for tests under AddressSanitizer (leaks.c).
#ifndef PUMICE_TESTS_LEAKS_H
#define PUMICE_TESTS_LEAKS_H

#include <stdbool.h>

// The number of blocks that are lost now. `patient`: gives the libraries' threads some time to free
// theirs, and reports what is then lost.
unsigned leaks_count(bool patient);

// For programs that do not count leaks: links the detector, which disables LeakSanitizer's own
// check at exit.
void leaks_watch(void);

#endif
