// SPDX-License-Identifier: Apache-2.0
// Inline assembly: PTX -> OpenCL C.
#ifndef KC_AST_PTX_H
#define KC_AST_PTX_H

#include "ast/sema.h"

// An operand of an asm statement. In the OpenCL C it is a variable `__asm_` NUMBER.
struct ptx_operand {
    const char *name;       // of %[name]; NULL: none
    const char *type;       // of the variable
    bool is_output, is_read;
    const struct token *first, *end; // the expression
};

#define PTX_CARRY "__asm_carry" // the carry flag, a variable of type uint in the function

struct ptx_code {
    struct str text;   // statements
    bool sets_carry;
    bool reads_carry;  // before it is set
};

// The type of an operand's variable for a constraint without = and +; NULL: unknown.
const char *ptx_constraint_type(const char *constraint);

// Translates the text of an asm statement. Reports what is not supported, and returns false then.
bool ptx_translate(struct ast *ast, const char *text, const struct ptx_operand *operands, uint32_t count, struct loc loc,
                   struct ptx_code *code);

#endif
