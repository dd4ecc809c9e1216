// SPDX-License-Identifier: Apache-2.0
// Shared by the files of spirv/: the module being written, with a stream of words for each section.
#ifndef KC_SPIRV_WRITER_H
#define KC_SPIRV_WRITER_H

#include "ir/ir.h"
#include "pumice/spirv.h"
#include <spirv/unified1/GLSL.std.450.h>

enum spv_section {
    SPV_CAPABILITIES,
    SPV_EXTENSIONS,
    SPV_IMPORTS,
    SPV_MEMORY_MODEL,
    SPV_ENTRY_POINTS,
    SPV_MODES,
    SPV_STRINGS,
    SPV_DECORATIONS,
    SPV_GLOBALS, // types, constants, module-scope variables, each after its operands
    SPV_FUNCTIONS,
    SPV_REFLECTION,
    SPV_SECTION_COUNT
};

enum spv_cap {
#define CAP(id, capability, extension, core) SPV_CAP_##id,
#include "spirv/caps.def"
    SPV_CAP_COUNT
};

struct spv_words {
    uint32_t *items;
    size_t count, capacity;
};

enum { SPV_BASES = IR_FLOAT + 1 };

struct spv_unique {        // an existing type or constant
    uint32_t hash, at, id; // at: index of its words in SPV_GLOBALS
};

struct spv_entry { // entry point
    const struct kc_kernel *info;
    uint32_t function;
    struct ir_module *module;
    uint32_t origin;
};

struct spv_local { // a Workgroup variable of constant size
    uint32_t id, bytes;
};

enum { SPV_PLACES = 8 };

struct spv_place { // a pointer that can be reused in its block
    const struct ir_block *block;
    const struct ir_var *var;
    uint32_t index, pointer;
};

struct spv_target { // labels for break and continue
    uint32_t break_label, continue_label;
    // Inside of a `continue` list, whose blocks must all lead to its end: where unreachable ones branch to; 0: they do not.
    uint32_t dead_label;
    bool continues; // inside of such a list
};

struct spv_dead_edge { // of an unreachable block
    uint32_t from, to; // labels
};

struct spv {
    struct arena *arena;
    struct ir_module *module;
    const struct kc_target *target;
    struct ir_function *kernel;
    struct spv_words sections[SPV_SECTION_COUNT];
    uint32_t next_id;
    uint64_t caps;        // bit 1 << enum spv_cap
    bool buffers_shared;  // work-items read each other's stores to storage buffers
    uint32_t float_modes; // bit 0, 1, 2: 16, 32, 64-bit floats are used
    struct spv_unique *unique;
    size_t unique_count, unique_capacity;
    struct map constants, functions, vars, wrappers; // to ids
    struct map changing; // views of buffers that may be written while the kernel runs
    uint32_t types[SPV_BASES][5][5]; // ids of types by base, bits / 16 and lanes
    VEC(uint32_t) interface;
    VEC(struct spv_local) locals;
    uint32_t glsl; // 0: not imported yet
    uint32_t workgroup_size_id; // id of the WorkgroupSize constant, if there is one
    struct map specs; // specialization constants by SpecId
    uint32_t builtins[IR_SYS_COUNT]; // Input variables
    uint64_t in_interface; // set of those that the entry point's interface lists already
    const char *error;
    uint32_t origin; // source location of the current code; 0: none
    struct map files;             // ids by name
    // The current function:
    struct ir_function *function;
    uint32_t *values; // by instr->id; 0: no id yet
    uint32_t *params;
    uint32_t *head, *tail; // by block->index: its first label, and the label of its last part
    bool *reachable;
    uint32_t builtin_values[IR_SYS_COUNT]; // loaded in the entry block
    struct map matrix_vars;  // by type: Function variables
    uint32_t line; // origin of the last line instruction in this block; 0: none
    struct spv_target jump;
    VEC(struct spv_dead_edge) dead_edges;
    struct spv_place places[SPV_PLACES]; // most recent ones
    unsigned next_place;
};

// ---- words (words.c) --------------------------------------------------------------------------

void spv_put(struct spv *s, enum spv_section section, SpvOp op, const uint32_t *words,
             size_t count);
void spv_put_text(struct spv *s, enum spv_section section, SpvOp op, const uint32_t *words,
                  size_t count, const char *text, const uint32_t *more, size_t more_count);
// With a new result id; `type` 0: no result type.
uint32_t spv_put_result(struct spv *s, enum spv_section section, SpvOp op, uint32_t type,
                        const uint32_t *words, size_t count);
static inline uint32_t spv_id(struct spv *s)
{
    return s->next_id++;
}
uint32_t spv_glsl(struct spv *s); // the GLSL.std.450 set, imported on first use
uint32_t spv_file(struct spv *s, const char *name); // a source file
void spv_need(struct spv *s, enum spv_cap cap);
void spv_fail(struct spv *s, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // keeps the first error

#define SPV_WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define SPV_PUT(s, section, op, ...) spv_put(s, section, op, SPV_WORDS(__VA_ARGS__))
// In the current function:
#define SPV_CODE(s, op, ...) spv_put(s, SPV_FUNCTIONS, op, SPV_WORDS(__VA_ARGS__))
#define SPV_VALUE(s, op, type, ...)                                                                \
    spv_put_result(s, SPV_FUNCTIONS, op, type, SPV_WORDS(__VA_ARGS__))

// ---- types and constants (types.c) ------------------------------------------------------------

// Finds or makes a type or constant in SPV_GLOBALS; `is_new` may be NULL.
uint32_t spv_global(struct spv *s, SpvOp op, uint32_t type, const uint32_t *words, size_t count,
                    bool *is_new);
uint32_t spv_type(struct spv *s, struct ir_type type);
bool spv_is_storage_only(const struct spv *s, struct ir_type type); // the type is storage-only on this device
uint32_t spv_type_component(struct spv *s, struct ir_type matrix); // component type; small floats as such
uint32_t spv_type_pointer(struct spv *s, SpvStorageClass storage, uint32_t pointee);
uint32_t spv_type_pair(struct spv *s, uint32_t member); // struct of two
uint32_t spv_type_wrapper(struct spv *s, struct ir_type type,
                          SpvDecoration decoration); // Block struct with one such member
uint32_t spv_u32(struct spv *s, uint32_t value);
uint32_t spv_const_int(struct spv *s, struct ir_type type, uint64_t value); // splat
// The lowest `bits` of each 32-bit lane, by bit field operations, which drivers do not see through.
uint32_t spv_low_bits(struct spv *s, struct ir_type wide, uint32_t value, unsigned bits);
uint32_t spv_constant(struct spv *s, const struct ir_instr *x);             // const or undef
uint32_t spv_undefined(struct spv *s, struct ir_type type);

// ---- values (values.c) ------------------------------------------------------------------------

uint32_t spv_value(struct spv *s, const struct ir_instr *x); // its id; reserves one if it is not defined yet
void spv_define(struct spv *s, const struct ir_instr *x, SpvOp op, const uint32_t *words,
                size_t count);
void spv_alias(struct spv *s, const struct ir_instr *x, uint32_t id); // makes x an alias of this value
uint32_t spv_function_id(struct spv *s, struct ir_function *function);

// ---- code (emit_*.c) --------------------------------------------------------------------------

void spv_emit_function(struct spv *s, struct ir_function *function);
void spv_emit_instr(struct spv *s, const struct ir_instr *x);
bool spv_emit_arith(struct spv *s, const struct ir_instr *x); // false: not an operation of this file
bool spv_emit_memory(struct spv *s, const struct ir_instr *x);
bool spv_emit_subgroup(struct spv *s, const struct ir_instr *x);
bool spv_emit_matrix(struct spv *s, const struct ir_instr *x);
void spv_declare_matrices(struct spv *s, struct ir_function *function); // variables for access to components
bool spv_emit_image(struct spv *s, const struct ir_instr *x);
bool spv_emit_system(struct spv *s, const struct ir_instr *x);
// A pointer for an elem_* or mat_elem_* operation.
uint32_t spv_elem_pointer(struct spv *s, const struct ir_instr *x);
// A pointer to `type` at a device address, under the Vulkan memory model.
uint32_t spv_device_pointer(struct spv *s, struct ir_type type, const struct ir_instr *address);
void spv_load_builtins(struct spv *s, struct ir_function *function);
void spv_declare_vars(struct spv *s,
                      struct ir_function *function); // Function storage, in the entry block
uint32_t spv_local_size(struct spv *s, unsigned dim);
uint32_t spv_spec(struct spv *s, uint32_t spec_id, uint32_t value); // a specialization constant with its default

// Declares how an entry point treats floats (float_modes.c).
void spv_put_float_modes(struct spv *s, const struct spv_entry *entry);

// Emits reflection instructions (reflection.c).
void spv_put_reflection(struct spv *s, const struct spv_entry *entries, size_t count, const struct ir_mapping *mapping);

#endif
