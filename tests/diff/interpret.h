// SPDX-License-Identifier: Apache-2.0
// The interpreter's state, shared by its parts: scalars and control flow (interpret.c), matrices (interpret_matrix.c).
#ifndef DIFF_INTERPRET_H
#define DIFF_INTERPRET_H

#include "arith.h"

enum { MAX_STEPS = 4000000, MAX_CALLS = 32 };

union value {
    uint64_t lane[16];
    unsigned char bytes[MAX_RECORD];
};

enum insn_op { I_EVAL, I_INIT, I_UNLESS, I_JUMP, I_SWITCH, I_CALL, I_RETURN, I_BARRIER, I_EACH };

struct choice {
    int number;
    unsigned target;
};

struct insn {
    enum insn_op op;
    struct expr *e;
    struct stmt *s;
    unsigned target;
    VEC(struct choice) choices; // I_SWITCH; else `target`
};

struct item {
    struct run *run;
    unsigned char *frame, *group_block;
    unsigned group[3], local[3];
    struct {
        struct function *function;
        size_t pc;
    } calls[MAX_CALLS];
    unsigned depth; // of calls; 0: done
    bool is_block_leader;     // it is the first of its block of work-items
};

struct run {
    struct program *p;
    unsigned char *constants;
    unsigned long steps;
    struct arena *arena; // freed after the run
    unsigned component;  // I_EACH: the current component
    bool again;          // the run must be repeated with the guards found since
};

void eval(struct item *it, struct expr *e, union value *v);
void eval_as(struct item *it, struct expr *e, const struct type *type, union value *v); // with C's implicit conversions
uint64_t eval_scalar(struct item *it, struct expr *e);
unsigned char *eval_pointer(struct item *it, struct expr *e); // the target of a pointer, or the start of an array
unsigned char *address(struct item *it, struct expr *e);

// A matrix's value: its components' lanes, row by row, immutable; NULL in work-items that are not the first of their
// block: only the first one computes matrices.
bool eval_matrix(struct item *it, struct expr *e, union value *v); // false: not an expression of matrices
void eval_each(struct item *it, struct expr *e);

#endif
