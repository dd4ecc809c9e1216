// SPDX-License-Identifier: Apache-2.0
// Shared by the files of lower_generic and lower_memory.
//
// address.c finds which private and local variables one pointer can reach: these form a region, which spans functions
// where pointers are passed in calls. buffers.c does so for storage buffers, without physical addressing. Each region
// becomes one array (lower_private.c and lower_local.c choose its element type), and a pointer into it becomes a
// 32-bit offset in the region's units. sharing.c determines whether stores to global memory must be visible to other
// work-items. access.c lowers one load, store or atomic to operations on arrays or device memory; lower_memory.c
// walks the function and lowers the pointers themselves.
#ifndef KC_PASSES_MEMORY_H
#define KC_PASSES_MEMORY_H

#include "passes/passes.h"

enum shape {
    SHAPE_TYPED,   // an array of the accessed type
    SHAPE_WORDS,   // an array of i32, or i64 if atomics need it; other widths by shift and mask
    SHAPE_SCRATCH, // private, too large for an array: device memory
};

struct scratch_start { // an access to scratch memory
    const struct ir_block *block;
    const struct ir_instr *rest; // its address in the region is this plus `ahead`
    uint32_t ahead;
    struct ir_instr *address;
};

// Variables of private memory, or of local memory, that one pointer may reach.
struct region {
    enum ir_space space;
    struct region *next;
    struct region *merged; // the region that this one was merged into
    struct ir_function *user; // the first function seen to use it
    bool spread;              // other functions use it too
    // How it is accessed.
    uint64_t step;      // divides every offset from a variable's start; 0: all offsets are 0
    uint32_t widths;    // sizes in bytes of the scalars accessed, or-ed
    uint32_t matrix_widths; // the same for matrix components; decides only if nothing else is accessed
    uint8_t lanes;      // of all accesses; 0: they differ
    uint8_t fewest;     // smallest lane count of local accesses if all are powers of two, else 0
    // Number of local accesses of exactly 8 and 16 bytes, and the cost of the others with elements of that size (see_vectors).
    uint32_t whole_vectors[2], parts[2];
    uint8_t base;       // enum ir_base of all accesses; IR_VOID: they differ
    bool accessed;
    uint8_t in_loop;    // see find_uses_in_loops()
    bool updated;       // a loop both writes and reads it
    bool written_in_loops, indexed_in_loops; // some loop writes it, reads it by an index that is not constant
    bool unaligned; // an access is less aligned than its scalars
    bool int_atomics;
    const struct ir_instr *float_atomics; // one of them
    bool wide_atomics; // of 64 bits
    bool dynamic_arg;      // holds a local argument
    // Its variables.
    VEC(struct ir_var *) vars;
    // What it is lowered to.
    enum shape shape;
    struct ir_type elem;
    struct ir_var *array;
    uint32_t unit;   // bytes per pointer unit
    uint32_t word;   // SHAPE_WORDS: bytes per element
    uint32_t bias;   // numeric address = pointer * unit + bias: regions do not overlap, and none contains address 0
    uint64_t bytes;
    uint64_t scratch_offset;
    struct ir_instr *scratch; // SHAPE_SCRATCH: i64 address of its start, in the current function
    struct scratch_start start; // SHAPE_SCRATCH: the last access that is not computed from another
    uint32_t granule;         // SHAPE_SCRATCH: bytes that interleaving keeps together; 0: contiguous for each work-item
};

// Without physical addressing: a storage buffer that the kernel may bind.
struct buffer {
    enum kc_binding_kind kind;
    uint32_t arg;
    uint64_t step;  // divides every offset in it; 0: all offsets are 0
    uint32_t sizes; // access sizes in bytes, or-ed
    uint32_t unit;  // bytes per unit of pointers that reach only this buffer
    bool uniform;   // a uniform buffer: accessed as words or as 16-byte vectors only
    bool embedded;  // it is part of the module
    bool plain;     // some_plain: pointers that may reach it reach nothing else, and their values do not escape; see plain.c
    bool compared;  // such a pointer is compared with null
    struct ir_instr *start; // the argument's start in units, in the function `start_in`
    struct ir_function *start_in;
    struct ir_function *front_in; // plain: the last function that has the address before its start (plain.c)
};

// An address in a plain buffer: its start + offset.
struct plain_sum {
    struct ir_instr *address;
    struct buffer *buffer;
};

struct users { // in memory.users, of one function
    size_t first, end;
};

// A generic pointer as a number is the address; private and local ones have a tag in the two highest bits in memory.
enum { TAG_LOCAL = 1, TAG_PRIVATE = 2 };

struct memory {
    struct pass_context *c;
    struct ir_module *m;
    struct ir_function *f; // the current function
    struct ir_kernel *kernel; // of the module
    struct arena *scratch;
    VEC(struct ir_instr *) users; // instructions that produce or consume pointers, by function in source order
    struct users *users_of;       // by function->id
    // Nodes of the union-find: values by id, then variables, then the unknown pointers of each space.
    uint32_t *parent;
    uint32_t value_count, node_count;
    struct region *(*regions_of)[2]; // by root: private, local; NULL: none
    uint8_t *space_of;               // by root: 1 << enum ir_space of the pointers' origins
    bool has_generic;                // there are generic pointers: numbers include their address space
    struct region *regions, **regions_end; // in order of appearance
    VEC(struct ir_instr *) phis, new_phis; // of pointers, and their lowered form; sources are filled in at the end
    struct ir_instr **var_start; // by variable: its pointer in the region
    uint32_t next_bias;
    struct ir_instr ***params;  // of each function, before lowering
    struct ir_instr *data_base; // address of the data segment, in the current function
    uint64_t scratch_bytes;     // per work-item
    uint32_t scratch_lanes;     // kc_kernel.scratch_lanes
    bool logical; // no device addresses (logical addressing)
    // The program's data, arguments, printf's, scratch memory; a pointer's upper half holds the buffer's index + 1.
    VEC(struct buffer) buffers;
    uint64_t every; // bits of the buffers that a pointer of unknown origin may reach
    uint64_t *sets; // by value id: bits of the buffers that a pointer to global memory may reach
    // The kernel observes pointers to arguments as numbers: they come from the launch, and equal buffers have equal ones.
    bool numbers_observed;
    VEC(struct plain_sum) plain_sums; // of the current function, for plain_leave()
    bool some_plain; // physical addressing: `buffers` holds the plain arguments; the first one represents all other memory
    bool coherent_global; // the kernel makes stores visible between its work-items
};

enum { BUFFER_WIDEST = 16 }; // bytes of an element of a view

// The memory that an access touches.
struct place {
    enum ir_space space;      // resolved
    struct region *region;    // private and local
    struct ir_instr *address; // lowered: i64 device address, or i32 in units of the region or of `unit`
    struct buffer *buffer;    // logical addressing: the buffer,
    uint64_t reached;         // or the buffers it may be in; the address is then a number
    uint32_t unit, byte_offset;     // of a buffer: bytes per unit, and byte offset added to the address
    struct ir_instr *index; // i32 or NULL; of a buffer: the address is index * stride + offset bytes
    uint64_t stride, offset;
    struct ir_mem mem;
};

// address.c
void address_analyse(struct memory *m); // all functions
struct region *address_region(struct memory *m, const struct ir_instr *pointer); // NULL: device memory
// IR_GENERIC: it may point to several spaces; it is then a number with the space in its top two bits.
enum ir_space address_space(struct memory *m, const struct ir_instr *pointer);
unsigned address_spaces(struct memory *m, const struct ir_instr *pointer); // bits 1 << PRIVATE, LOCAL, GLOBAL
uint64_t address_divisor(uint64_t a, uint64_t b); // greatest common divisor; of 0 and x: x
uint64_t address_step(uint64_t step, const struct ir_instr *index); // gcd of `step` and the offset of a ptr_index

// sharing.c
bool memory_is_shared(const struct ir_module *m); // whether work-items of a kernel communicate by global memory

// lower_private.c, lower_local.c: choose how the function's regions are stored
void region_choose_shape(struct memory *m, struct region *r); // sets shape, element and unit
uint32_t region_element(const struct region *r);              // bytes
// Whether elements are vectors while pointers count lanes.
static inline bool region_is_split(const struct region *r) { return r->shape == SHAPE_TYPED && r->unit < ir_elem_bytes(r->elem); }
void region_place_vars(struct memory *m, struct region *r);   // offsets of the variables, bias
uint32_t region_largest_var(const struct memory *m, enum ir_space space); // its source location
void region_make_array(struct memory *m, struct region *r, const char *name);
struct ir_builder memory_at_head(struct memory *m); // after the loads of the push block
void private_place(struct memory *m);
void private_enter(struct memory *m); // computes addresses of scratch memory in the current function
void local_place(struct memory *m);

// plain.c: physical addressing; chooses the plain buffer arguments (kc_target.plain_arguments). Requires
// buffers_find().
void plain_choose(struct memory *m);
struct place plain_address(struct memory *m, struct ir_builder *b, const struct place *p); // KC_PLAIN_OFFSETS: its device address
void plain_leave(struct memory *m); // after the function's last access

// buffers.c: logical addressing, and plain arguments
void buffers_find(struct memory *m); // which buffers pointers may reach; requires address_analyse()
void buffers_analyse(struct memory *m); // how they are accessed; requires plain_choose()
uint64_t buffers_reached(struct memory *m, const struct ir_instr *pointer); // bits of buffers, logical addressing
uint64_t buffers_set(const struct memory *m, const struct ir_instr *pointer); // the same, or of plain arguments
bool buffers_name(const struct ir_instr *x); // whether it is the start of a buffer
struct buffer *buffers_only(struct memory *m, const struct ir_instr *pointer); // the only one it reaches; NULL: it is a number
struct buffer *buffer_named_by(struct memory *m, const struct ir_instr *pointer); // whose start it is; NULL: none
struct buffer *buffer_of_scratch(struct memory *m);
void buffers_enter(struct memory *m); // converts starts of buffers that are used as numbers, in the current function
void buffers_leave(struct memory *m); // removes the other starts
// In a pointer's units: the buffer's start, and an offset in it; and conversions to and from a number.
struct ir_instr *buffer_start(struct memory *m, struct buffer *buffer);
struct ir_instr *buffer_at(struct memory *m, const struct buffer *buffer, uint64_t offset);
struct ir_instr *buffer_null(struct memory *m, const struct buffer *buffer);
struct ir_instr *buffer_to_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer, struct ir_instr *units);
struct ir_instr *buffer_from_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer,
                                    struct ir_instr *number);
struct ir_instr *buffer_data_number(struct memory *m, uint64_t offset);
// Lowering of an aligned access of at most 16 bytes, `k` bytes after the place. Modules for other programs keep
// vectors of three as such, rather than as vectors of four with one lane unused.
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
struct ir_instr *buffer_byte(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k); // the byte offset
struct place buffer_word(const struct place *p, struct ir_instr *word); // a word of the same buffer
// For a place that may be in several buffers: whether it is in this one, and the place in it.
struct ir_instr *buffer_is(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer);
struct place buffer_candidate(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer);

// access.c
struct ir_instr *access_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type);
void access_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *value);
struct ir_instr *access_atomic(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                               struct ir_instr *value, struct ir_instr *comparand);

#endif
