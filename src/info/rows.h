// SPDX-License-Identifier: Apache-2.0
// The properties of a device that pumice-info prints, as tables: the list (list.c) and JSON (json.c) print the same rows.
#ifndef PUMICE_INFO_ROWS_H
#define PUMICE_INFO_ROWS_H

#include "object/device.h"
#include "vulkan/memory.h"

struct feature_row {
    size_t at; // a bool of struct vk_features
    const char *field, *name;
};
extern const struct feature_row feature_rows[];
extern const int feature_row_count;

struct loss_row {
    size_t at; // likewise
    const char *name, *text;
    bool needed;
};
extern const struct loss_row loss_rows[];
extern const int loss_row_count;

bool rows_has(const struct vk_features *features, size_t at);
const char *rows_feature_name(int row);
const char *rows_device_type(const struct vk_facts *facts);

enum { LIMIT_ROWS = 14 };
struct limit_row {
    const char *name;
    unsigned long long value;
};
void rows_limits(const struct vk_facts *facts, struct limit_row rows[LIMIT_ROWS]);

extern const char *const memory_flag_rows[5]; // by bit
extern const struct memory_use_row {
    enum vk_memory_kind kind;
    const char *name;
} memory_use_rows[4];

enum { NUMBER_ROWS = 6, NUMBER_WIDTHS = 3 };
extern const char *const number_widths[NUMBER_WIDTHS];
struct number_row {
    const char *name;
    const bool *values; // by width
};
void rows_numbers(const struct kc_target *target, struct number_row rows[NUMBER_ROWS]);

extern const struct svm_row {
    cl_device_svm_capabilities bit;
    const char *name;
} svm_rows[4];

extern const char *const extension_rows[KC_EXT_COUNT];
// The feature that an unsupported extension lacks.
const char *rows_why_not(const struct device_caps *caps, enum kc_extension extension);

#endif
