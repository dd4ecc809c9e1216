// SPDX-License-Identifier: Apache-2.0
// What a test has left behind, under AddressSanitizer: leaks.c.
#ifndef PUMICE_TESTS_LEAKS_H
#define PUMICE_TESTS_LEAKS_H

#include <stdbool.h>

// How many blocks are lost now; when `patient` the libraries' threads get some time to let go of theirs, and what is lost
// then is told.
unsigned leaks_count(bool patient);

// For programs that do not ask: links the search, which keeps LeakSanitizer from looking at the end.
void leaks_watch(void);

#endif
