// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the IR parser: parse_words.c reads words, types and values, parse_code.c instructions and
// structure, parse.c the rest. After the first error the cursor is at the end.
#ifndef KC_IR_PARSE_H
#define KC_IR_PARSE_H

#include "ir/text.h"
#include "util/hash.h"

enum { IRP_MAX_DEPTH = 1000, IRP_MAX_NUMBER = 1 << 24, IRP_OP_SLOTS = 256 };

struct late { // a phi's source or pred by number, filled in later
    struct ir_instr *phi;
    uint32_t index, value, block;
};

struct late_reloc { // a variable's relocation to a variable that may come later
    struct ir_var *var;
    uint32_t index;
    const char *target;
};

struct parse {
    struct ir_module *m;
    struct arena *arena;
    const char *start, *at, *end;
    const char *error;
    struct ir_function *f;
    struct ir_builder b;
    unsigned depth;
    VEC(struct ir_instr *) values; // by number
    VEC(struct ir_block *) blocks;
    VEC(struct late) late;
    VEC(struct late_reloc) late_relocs;
    VEC(struct ir_function *) order; // in the order of the text
    struct map private_vars;         // name -> ir_var
    uint8_t *ops;                    // 1 + op
};

struct irp_word {
    const char *text;
    size_t length;
};

void irp_fail(struct parse *p, const char *message, const char *what, size_t length);
void irp_skip_space(struct parse *p);
struct irp_word irp_peek(struct parse *p);
struct irp_word irp_next(struct parse *p);
bool irp_same(struct irp_word w, const char *text);
bool irp_accept(struct parse *p, const char *text);
bool irp_accept_char(struct parse *p, char c);
void irp_expect_char(struct parse *p, char c);
void irp_expect(struct parse *p, const char *text);
unsigned irp_one_of(struct parse *p, const char *const *names);
uint64_t irp_integer(struct parse *p);
uint32_t irp_number(struct parse *p);
uint32_t irp_table_number(struct parse *p);
const char *irp_name(struct parse *p);
int irp_hex_digit(char c);
const char *irp_quoted(struct parse *p);
struct ir_type irp_type(struct parse *p);
struct ir_var *irp_variable(struct parse *p);
struct ir_instr *irp_value(struct parse *p);
void irp_set_value(struct parse *p, uint32_t n, struct ir_instr *x);
void irp_init_ops(struct parse *p);
void irp_list(struct parse *p, struct ir_list *l);

#endif
