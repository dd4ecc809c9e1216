// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions by code that has no source: by name, with values that are there already. The overload, the
// conversions of the arguments and the code are those of a call in source; so are the errors.
#ifndef KC_GEN_GIVEN_H
#define KC_GEN_GIVEN_H

#include "ast/spirv.h"
#include "gen/gen.h"

struct gen;

struct gen_given {
    struct ir_instr *value;
    struct qtype type;  // what it is in C: a sign, what a pointer points to
    const char *string; // instead of both: a literal, the format of printf
    bool constant; // the number `bits`, of that type
    uint64_t bits;
};

// For calls in functions of `module`, as long as both arenas live: the IR's own, and one for all else.
struct gen *gen_given_begin(struct arena *arena, struct arena *work, struct intern *intern, struct diag *diag, const struct kc_target *target,
                            const struct gen_options *options, struct ir_module *module);
struct ast *gen_given_ast(struct gen *gen);
struct types *gen_given_types(struct gen *gen); // to make the arguments' types of
// The type in C of a value that is no pointer; handles are made of gen_given_types()->opaque.
struct type *gen_given_type(struct gen *gen, struct ir_type type, bool is_signed);
struct ir_type gen_given_ir_type(const struct type *type); // the other way round, of pointers too
// Makes the call where `b` stands, which moves on. NULL: void, or something is wrong, which is then reported at `loc`.
// *result, if not NULL: the type of the result.
struct ir_instr *gen_given_call(struct gen *gen, struct ir_builder *b, const char *name, const struct gen_given *args,
                                uint32_t count, struct loc loc, struct qtype *result);
// The same for an instruction of SPIR-V: `call` without its ast and operands.
struct ir_instr *gen_given_spirv(struct gen *gen, struct ir_builder *b, struct spirv_call call, const struct gen_given *args,
                                 uint32_t count, struct qtype *result);
// As a cast in C does it; lane by lane where both have as many.
struct ir_instr *gen_given_convert(struct gen *gen, struct ir_builder *b, struct ir_instr *value, struct qtype from,
                                   struct type *to);

#endif
