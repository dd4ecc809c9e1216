// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions by code without source (the SPIR-V reader): by name, with IR values as arguments.
// Overload resolution, conversions, generated code and errors are the same as for source.
#ifndef KC_GEN_GIVEN_H
#define KC_GEN_GIVEN_H

#include "ast/spirv.h"
#include "gen/gen.h"

struct gen;

struct gen_given {
    struct ir_instr *value;
    struct qtype type;  // its C type: signedness, pointee
    const char *string; // alternative: a string literal, the format of printf
    bool constant; // alternative: the constant `bits` of type `type`
    uint64_t bits;
};

// For calls in functions of `module`. Both arenas must outlive the calls: the IR's own, and one for everything else.
struct gen *gen_given_begin(struct arena *arena, struct arena *work, struct intern *intern, struct diag *diag, const struct kc_target *target,
                            const struct gen_options *options, struct ir_module *module);
struct ast *gen_given_ast(struct gen *gen);
struct types *gen_given_types(struct gen *gen); // for making argument types
// The C type of a value that is not a pointer. Handles use gen_given_types()->opaque.
struct type *gen_given_type(struct gen *gen, struct ir_type type, bool is_signed);
struct ir_type gen_given_ir_type(const struct type *type); // the inverse, also for pointers
// Generates the call at `b` and advances it. Returns NULL for void, or after an error, which is reported at `loc`.
// *result, if not NULL, gets the type of the result.
struct ir_instr *gen_given_call(struct gen *gen, struct ir_builder *b, const char *name, const struct gen_given *args,
                                uint32_t count, struct loc loc, struct qtype *result);
// The same for a SPIR-V instruction; `call` has no ast and no operands.
struct ir_instr *gen_given_spirv(struct gen *gen, struct ir_builder *b, struct spirv_call call, const struct gen_given *args,
                                 uint32_t count, struct qtype *result);
// Converts like a C cast; lane by lane if both have the same number of lanes.
struct ir_instr *gen_given_convert(struct gen *gen, struct ir_builder *b, struct ir_instr *value, struct qtype from,
                                   struct type *to);

#endif
