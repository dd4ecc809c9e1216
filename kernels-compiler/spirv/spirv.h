// SPDX-License-Identifier: Apache-2.0
// Lowered IR -> SPIR-V words. The module contains one kernel and what it reaches; no pointers, vectors of at most
// four lanes, Vulkan's system values only.
#ifndef KC_SPIRV_SPIRV_H
#define KC_SPIRV_SPIRV_H

#include "ir/ir.h"

// Fills kernel->info.spirv and spirv_words (in the module's arena). Returns NULL or an error.
const char *spv_write(struct ir_module *module);

// Writes several such modules as one. Entry points are named after their kernels; the words are in the first module's
// arena.
const char *spv_write_all(struct ir_module *const *modules, size_t count, const uint32_t **words, size_t *word_count);

#endif
