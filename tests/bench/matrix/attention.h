// SPDX-License-Identifier: Apache-2.0
// attention.cl: a second use of matrix units, where sums pass through local memory between
// products.
#ifndef PUMICE_MATRIX_ATTENTION_H
#define PUMICE_MATRIX_ATTENTION_H

#include "opencl.h"

// n queries and keys in each of a few heads: TFLOP/s, and whether a sample of rows is right.
bool attention_run(struct opencl *cl, uint32_t n, unsigned rounds);

#endif
