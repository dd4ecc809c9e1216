// SPDX-License-Identifier: Apache-2.0
// What the files of lower_generic and lower_memory share.
//
// address.c finds which private and local variables can be reached by one pointer: these make a region, which spans
// functions where pointers are passed in calls; buffers.c which storage buffers, where there are no addresses. Each region
// becomes one array (lower_private.c, lower_local.c decide its shape), a pointer into it a 32-bit count of the region's
// units. sharing.c sees whether stores to global memory must be seen by others. access.c turns one load, store or atomic
// into operations on arrays or device memory; lower_memory.c walks the function and does the pointers themselves.
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
    uint8_t fewest;     // of local ones, where all are powers of two: else 0
    uint32_t whole[2], parts[2]; // local accesses of whole 8 and 16 bytes, and what the others would cost (see_vectors)
    uint8_t base;       // enum ir_base of all accesses, IR_VOID: they differ
    bool accessed;
    bool int_atomics;
    const struct ir_instr *float_atomics; // one of them
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

// Logical addressing: a storage buffer that the kernel may bind.
struct buffer {
    enum kc_binding_kind kind;
    uint32_t arg;
    uint64_t step;  // divides every distance in it; 0: there is none
    uint32_t sizes; // of accesses, bytes, or-ed
    uint32_t unit;  // of pointers that can reach nothing else, bytes
    bool uniform;   // it is a uniform buffer: words alone, or 16 bytes at once
    bool embedded;  // it is part of the module
    bool plain;     // some_plain: pointers that may reach it reach nothing else, and nobody sees them. See plain.c
    bool compared;  // such a pointer is compared with null
    struct ir_instr *start; // in units, where the argument begins, in the function `start_in`
    struct ir_function *start_in;
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
    bool logical; // there are no device addresses
    VEC(struct buffer) buffers; // the program's data, arguments, printf's, scratch memory: a number's upper half counts from 1
    uint64_t every; // bits of the buffers that an unknown pointer may reach
    uint64_t *sets; // by value id: those that a pointer to global memory may reach
    bool numbers_seen; // the kernel sees pointers to arguments as numbers: the launch chooses these, and equal buffers have equal ones
    bool some_plain; // physical addressing: buffers are the plain arguments, and the first one stands for all other memory
    bool coherent_global; // the kernel lets work-items see each other's stores
};

enum { BUFFER_WIDEST = 16 }; // bytes of an element of a view

// A place in memory that an access touches.
struct place {
    enum ir_space space;      // resolved
    struct region *region;    // private and local
    struct ir_instr *address; // lowered: i64 device address, or i32 in units of the region or of `unit`
    struct buffer *buffer;    // logical addressing: where it lies,
    uint64_t reached;         // or which ones it may be; the address is a number then
    uint32_t unit, ahead;     // of a buffer: bytes of a unit, and from the address on
    struct ir_mem mem;
};

// address.c
void address_analyse(struct memory *m); // of all functions
struct region *address_region(struct memory *m, const struct ir_instr *pointer); // NULL: device memory
// IR_GENERIC: it may point to several spaces, and is a number with the space in its top two bits.
enum ir_space address_space(struct memory *m, const struct ir_instr *pointer);
unsigned address_spaces(struct memory *m, const struct ir_instr *pointer); // bits 1 << PRIVATE, LOCAL, GLOBAL
uint64_t address_divisor(uint64_t a, uint64_t b); // greatest common; of 0 and x: x
uint64_t address_step(uint64_t step, const struct ir_instr *index); // what divides `step` and the distance of a ptr_index

// sharing.c
bool memory_is_shared(const struct ir_module *m); // global memory, between work-items of a kernel

// lower_private.c, lower_local.c: the shapes of the function's regions
void region_choose_shape(struct memory *m, struct region *r); // typed or words, element and unit
uint32_t region_element(const struct region *r);              // bytes
// The array's elements are vectors, pointers count their lanes.
static inline bool region_is_split(const struct region *r) { return r->shape == SHAPE_TYPED && r->unit < ir_elem_bytes(r->elem); }
void region_place_vars(struct memory *m, struct region *r);   // offsets of the variables, bias
uint32_t region_largest_var(const struct memory *m, enum ir_space space); // its origin
void region_make_array(struct memory *m, struct region *r, const char *name);
struct ir_builder memory_at_head(struct memory *m); // behind the loads of the push block
void private_place(struct memory *m);
void private_enter(struct memory *m); // addresses of scratch memory for the function at work on
void local_place(struct memory *m);

// plain.c: physical addressing; chooses the buffers of plain arguments (kc_target.plain_arguments). Behind buffers_find()
void plain_choose(struct memory *m);
struct place plain_address(struct memory *m, struct ir_builder *b, const struct place *p); // KC_PLAIN_OFFSETS: its device address

// buffers.c: logical addressing, and plain arguments
void buffers_find(struct memory *m); // behind address_analyse(): which buffers pointers may reach
void buffers_analyse(struct memory *m); // behind plain_choose(): how they are accessed
uint64_t buffers_reached(struct memory *m, const struct ir_instr *pointer); // bits of buffers, logical addressing
uint64_t buffers_set(const struct memory *m, const struct ir_instr *pointer); // the same, or of plain arguments
bool buffers_name(const struct ir_instr *x); // whether it names one
struct buffer *buffers_only(struct memory *m, const struct ir_instr *pointer); // the one it reaches; NULL: it is a number
struct buffer *buffer_named_by(struct memory *m, const struct ir_instr *pointer); // which begins there; NULL: none
struct buffer *buffer_of_scratch(struct memory *m);
void buffers_enter(struct memory *m); // buffers that are used as numbers become such, in the function at work on
void buffers_leave(struct memory *m); // the others are gone
// A pointer's units: where the buffer's own begins, and a place in it; and as a number.
struct ir_instr *buffer_start(struct memory *m, struct buffer *buffer);
struct ir_instr *buffer_at(struct memory *m, const struct buffer *buffer, uint64_t offset);
struct ir_instr *buffer_null(struct memory *m, const struct buffer *buffer);
struct ir_instr *buffer_to_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer, struct ir_instr *units);
struct ir_instr *buffer_from_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer,
                                    struct ir_instr *number);
struct ir_instr *buffer_data_number(struct memory *m, uint64_t offset);
// What an aligned access of at most 16 bytes becomes, `k` bytes behind the place.
// Modules for other programs see three lanes as such, not as four of which one is left alone.
static inline bool buffer_has_threes(const struct kc_target *target, struct ir_type type)
{
    bool has_lanes = type.bits == 32 || (type.bits == 16 && target->int16 && target->storage16) ||
                     (type.bits == 8 && target->int8 && target->storage8);
    return target->mapping.on && type.lanes == 3 && has_lanes;
}
struct ir_instr *buffer_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type, uint32_t k);
void buffer_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, struct ir_instr *value);
struct ir_instr *buffer_atomic(struct memory *m, struct ir_builder *b, const struct place *p, enum ir_atomic_op op,
                               struct ir_type type, struct ir_type result, struct ir_instr *value,
                               struct ir_instr *comparand);
struct ir_instr *buffer_byte(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k); // its offset
struct place buffer_word(const struct place *p, struct ir_instr *word); // a word of the same buffer
// Of a place that several buffers may hold: whether it is in this one, and where then.
struct ir_instr *buffer_is(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer);
struct place buffer_candidate(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer);

// access.c
struct ir_instr *access_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type);
void access_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *value);
struct ir_instr *access_atomic(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                               struct ir_instr *value, struct ir_instr *comparand);

#endif
