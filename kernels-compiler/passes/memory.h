// SPDX-License-Identifier: Apache-2.0
// What the files of lower_generic and lower_memory share.
//
// address.c finds which private and local variables can be reached by one pointer: these make a region, which spans
// functions where pointers are passed in calls. Each region
// becomes one array (lower_private.c, lower_local.c decide its shape), a pointer into it a 32-bit count of the region's
// units. access.c turns one load, store or atomic into operations on arrays or device memory; lower_memory.c walks
// the function and does the pointers themselves.
#ifndef KC_PASSES_MEMORY_H
#define KC_PASSES_MEMORY_H

#include "passes/passes.h"

enum shape {
    SHAPE_TYPED,   // an array of what is accessed
    SHAPE_WORDS,   // an array of i32, of i64 where atomics need it; other widths by shift and mask
    SHAPE_SCRATCH, // private, too large for an array: device memory
};

// Variables of private memory, or of local memory, that one pointer may reach.
struct region {
    enum ir_space space;
    struct region *next;
    struct region *merged; // it became part of this one
    struct ir_function *user; // the first that was seen to use it
    bool spread;              // others use it too
    // What is done to it.
    uint64_t step;      // divides every distance from a variable's start; 0: there is none
    uint32_t widths;    // sizes in bytes of the scalars accessed, or-ed
    uint32_t matrix_widths; // of the components of matrices, likewise; where nothing else is accessed it is by these
    uint8_t lanes;      // of all accesses, 0: they differ
    uint8_t base;       // enum ir_base of all accesses, IR_VOID: they differ
    bool accessed;
    bool int_atomics, float_atomics;
    bool wide_atomics; // of 64 bits
    bool dynamic_arg;      // holds a local argument
    // Its variables.
    VEC(struct ir_var *) vars;
    // What it becomes.
    enum shape shape;
    struct ir_type elem;
    struct ir_var *array;
    uint32_t unit;   // of pointers, bytes
    uint32_t word;   // SHAPE_WORDS: bytes of an element
    uint32_t bias;   // address as a number = pointer * unit + bias: regions do not overlap, none holds 0
    uint64_t bytes;
    uint64_t scratch_offset;
    struct ir_instr *scratch; // SHAPE_SCRATCH: i64 address of its start, in the function at work on
};

struct users { // in memory.users, of one function
    size_t first, end;
};

// A generic number is the address; private and local ones are tagged in the two upper bits of what memory holds.
enum { TAG_LOCAL = 1, TAG_PRIVATE = 2 };

struct memory {
    struct pass_context *c;
    struct ir_module *m;
    struct ir_function *f; // at work on
    struct ir_kernel *kernel; // of the module
    struct arena *scratch;
    VEC(struct ir_instr *) users; // instructions that make or take pointers, function after function in source order
    struct users *users_of;       // by function->id
    // Nodes of the union-find: values by id, then variables, then the unknown pointers of each space.
    uint32_t *parent;
    uint32_t value_count, node_count;
    struct region *(*regions_of)[2]; // by root: private, local; NULL: none
    uint8_t *space_of;               // by root: 1 << enum ir_space of where its pointers come from
    bool has_generic;                // there are generic pointers: numbers carry their space
    struct region *regions, **regions_end; // in order of appearance
    VEC(struct ir_instr *) phis, new_phis; // of pointers, and what they become; filled in at the end
    struct ir_instr **var_start; // by variable: its pointer in the region
    uint32_t next_bias;
    struct ir_instr ***params;  // of each function, as they were
    struct ir_instr *data_base; // address of the data segment, in the function at work on
    uint64_t scratch_bytes;     // of a work-item
    bool coherent_global; // the kernel lets work-items see each other's stores
};

// A place in memory that an access touches.
struct place {
    enum ir_space space;      // resolved
    struct region *region;    // private and local
    struct ir_instr *address; // lowered: i64 device address, or i32 in units of the region
    struct ir_mem mem;
};

// address.c
void memory_error(struct memory *m, const char *message); // the first one stays
void address_analyse(struct memory *m); // of all functions
struct region *address_region(struct memory *m, const struct ir_instr *pointer); // NULL: device memory
// IR_GENERIC: it may point to several spaces, and is a number with the space in its top two bits.
enum ir_space address_space(struct memory *m, const struct ir_instr *pointer);
unsigned address_spaces(struct memory *m, const struct ir_instr *pointer); // bits 1 << PRIVATE, LOCAL, GLOBAL
uint64_t address_divisor(uint64_t a, uint64_t b); // greatest common; of 0 and x: x

// lower_private.c, lower_local.c: the shapes of the function's regions
void region_choose_shape(struct memory *m, struct region *r); // typed or words, element and unit
uint32_t region_element(const struct region *r);              // bytes
void region_place_vars(struct memory *m, struct region *r);   // offsets of the variables, bias
void region_make_array(struct memory *m, struct region *r, const char *name);
struct ir_builder memory_at_head(struct memory *m); // behind the loads of the push block
void private_place(struct memory *m);
void private_enter(struct memory *m); // addresses of scratch memory for the function at work on
void local_place(struct memory *m);

// access.c
struct ir_instr *access_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type);
void access_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *value);
struct ir_instr *access_atomic(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                               struct ir_instr *value, struct ir_instr *comparand);

#endif
