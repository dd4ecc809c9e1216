// SPDX-License-Identifier: Apache-2.0
// Helpers for the makers of calls in sema_spirv*.c. spirv_fail reports an error and returns an erroneous expression.
#ifndef KC_AST_SEMA_SPIRV_IMPL_H
#define KC_AST_SEMA_SPIRV_IMPL_H

#include "ast/sema_impl.h"
#include "ast/spirv.h"

struct expr *spirv_fail(const struct spirv_call *call, const char *what);
struct expr *spirv_function(const struct spirv_call *call, const char *name, struct expr **args, uint32_t count);
struct expr *spirv_number(const struct spirv_call *call, uint64_t value); // an int
bool spirv_is_constant(const struct spirv_call *call, const struct expr *a, uint64_t *value); // of an integer
struct expr *spirv_cast(const struct spirv_call *call, struct type *type, struct expr *a);
bool spirv_is_numeric(const struct type *type); // scalars and vectors of numbers, which may be cast
struct type *spirv_with_lanes(const struct spirv_call *call, struct type *scalar, unsigned lanes);
// The type with the given signedness; other types than integers are returned unchanged.
struct type *spirv_with_sign(const struct spirv_call *call, struct type *type, bool is_signed);
struct expr *spirv_lane(const struct spirv_call *call, struct expr *a, unsigned index); // a scalar: itself
struct expr *spirv_vector(const struct spirv_call *call, struct expr *const *lanes, unsigned count);

spirv_maker make_sampled_image, make_sample, make_read, make_write, make_image_number, make_image_size; // sema_spirv_image.c

#endif
