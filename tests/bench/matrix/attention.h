// SPDX-License-Identifier: Apache-2.0
// Runs attention.cl: a second example of matrix units, with local memory between the products.
#ifndef PUMICE_MATRIX_ATTENTION_H
#define PUMICE_MATRIX_ATTENTION_H

#include "opencl.h"

// n queries and keys in each of a few heads: prints TFLOP/s, and checks a sample of rows.
bool attention_run(struct opencl *cl, uint32_t n, unsigned rounds);

#endif
