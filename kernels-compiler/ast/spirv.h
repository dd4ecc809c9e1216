// SPDX-License-Identifier: Apache-2.0
// Instructions of OpenCL SPIR-V as calls of OpenCL C's built-in functions: the table spirv.def and how its rows are
// applied.
#ifndef KC_AST_SPIRV_H
#define KC_AST_SPIRV_H

#include "ast/types.h"

enum spirv_kind { SPIRV_CALL, SPIRV_GROUP, SPIRV_MADE, SPIRV_VARIABLE, SPIRV_REFUSED };
enum spirv_set { SPIRV_CORE, SPIRV_OPENCL_STD, SPIRV_BUILTIN };

struct spirv_call;
typedef struct expr *spirv_maker(const struct spirv_call *call);

struct spirv_row {
    uint16_t number;
    uint8_t set, kind;    // enum spirv_set, enum spirv_kind
    uint8_t dimensions;   // VARIABLE
    const char *name;     // after __spirv_
    const char *function; // GROUP: end of the name; REFUSED: reason
    const char *recipe;
    spirv_maker *make; // MADE
};

// An instruction with its operands in SPIR-V's order; literals are constants, a sampled image is two operands.
struct spirv_call {
    struct ast *ast;
    const struct spirv_row *row;
    struct type *result; // of the instruction; void or NULL: unknown
    struct expr **args;
    uint32_t count;
    const char *rounding; // conversions: "_rte", "_sat_rtz" ...; "": none
    enum type_space space; // address space of GenericCastToPtrExplicit
    struct loc loc;
};

const struct spirv_row *spirv_row(enum spirv_set set, uint32_t number); // NULL if there is none
// "AtomicIAdd", "ocl_vloadn__Rfloat4": the row with the longest name that is a prefix; *rest: the remainder, "" or
// "_...".
const struct spirv_row *spirv_row_by_name(const char *name, const char **rest);
bool spirv_has_name(const char *name); // __spirv_NAME, with any suffix
size_t spirv_row_count(void);
const struct spirv_row *spirv_row_at(size_t index);

// Makes an expression for the instruction. Its type is that of the OpenCL C function, which may differ from the
// result type: a truth value is an int; the number and width of lanes are equal.
struct expr *sema_spirv(const struct spirv_call *call);
// Parses __spirv_NAME with its suffix: the row, the result's type, the rounding. Returns false if the suffix is
// invalid.
bool spirv_call_of_name(struct ast *ast, const char *name, struct spirv_call *call);
// A call of __spirv_NAME in source; NULL if there is no such name. `result`: result type of the program's
// declaration, or NULL.
struct expr *sema_spirv_source(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct type *result,
                               struct loc loc);
// The value of __spirv_BuiltInNAME that is not called, in its declared type if there is one. NULL if there is no such
// name.
struct expr *sema_spirv_variable(struct ast *ast, const char *name, struct loc loc);

#endif
