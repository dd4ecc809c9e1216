// SPDX-License-Identifier: Apache-2.0
// Instructions of OpenCL SPIR-V as calls of OpenCL C's built-in functions: the table spirv.def and what becomes of a row.
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
    const char *name;     // behind __spirv_
    const char *function; // GROUP: its end; REFUSED: why
    const char *recipe;
    spirv_maker *make; // MADE
};

// An instruction with its operands in the order of SPIR-V, literals as constants; a sampled image is two.
struct spirv_call {
    struct ast *ast;
    const struct spirv_row *row;
    struct type *result; // as the instruction says; void, NULL: not known
    struct expr **args;
    uint32_t count;
    const char *rounding; // "_rte", "_sat_rtz" ... of a conversion; "": none
    enum type_space space; // of GenericCastToPtrExplicit
    struct loc loc;
};

const struct spirv_row *spirv_row(enum spirv_set set, uint32_t number); // NULL: none
// "AtomicIAdd", "ocl_vloadn__Rfloat4": the row with the longest name that it begins with; *rest: what follows, "" or "_...".
const struct spirv_row *spirv_row_by_name(const char *name, const char **rest);
bool spirv_has_name(const char *name); // __spirv_NAME, whatever follows
size_t spirv_row_count(void);
const struct spirv_row *spirv_row_at(size_t index);

// What the instruction does. The value's type is the function's own, near to the result's: a truth value is an int, lanes
// are as many and as wide.
struct expr *sema_spirv(const struct spirv_call *call);
// __spirv_NAME with what follows it -> the row, the result's type, the rounding. False: what follows means nothing.
bool spirv_call_of_name(struct ast *ast, const char *name, struct spirv_call *call);
// A call of __spirv_NAME in source; NULL: no such name. `result`: as the program declares the function; NULL: it does not.
struct expr *sema_spirv_source(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct type *result,
                               struct loc loc);
// __spirv_BuiltInNAME without a call: its value, of the declared type if there is one. NULL: no such name.
struct expr *sema_spirv_variable(struct ast *ast, const char *name, struct loc loc);

#endif
