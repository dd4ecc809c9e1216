// SPDX-License-Identifier: Apache-2.0
// Instructions that are built-in functions in OpenCL C: OpenCL.std, groups, atomics, barriers, images; calls of
// imported functions by name; built-in variables.
//
// ast/spirv.def maps instructions to functions; gen makes the call as for source. This file converts operands to
// arguments: unsigned integers, ids and literals in the instruction's order, a sampled image as two arguments.
#include "ast/builtins.h"
#include "ast/spirv.h"
#include "gen/given.h"
#include "reader/mangled.h"
#include "reader/reader.h"
#include "util/stack.h"

enum { OPERANDS_MAX = 64 };

// ---- types ---------------------------------------------------------------------------------------

// The corresponding image kind of OpenCL C; OPAQUE_COUNT if there is none.
static enum type_opaque image_kind(const struct spv_type *type)
{
    static const uint8_t kinds[][2] = {
        [SpvDim1D] = {OPAQUE_IMAGE1D, OPAQUE_IMAGE1D_ARRAY},     [SpvDim2D] = {OPAQUE_IMAGE2D, OPAQUE_IMAGE2D_ARRAY},
        [SpvDim3D] = {OPAQUE_IMAGE3D, OPAQUE_COUNT},             [SpvDimCube] = {OPAQUE_COUNT, OPAQUE_COUNT},
        [SpvDimRect] = {OPAQUE_COUNT, OPAQUE_COUNT},             [SpvDimBuffer] = {OPAQUE_IMAGE1D_BUFFER, OPAQUE_COUNT},
    };
    uint32_t dim = type->image.dim;
    if (dim >= sizeof kinds / sizeof *kinds)
        return OPAQUE_COUNT;
    if (type->image.depth == 1)
        return dim != SpvDim2D ? OPAQUE_COUNT : type->image.arrayed ? OPAQUE_IMAGE2D_ARRAY_DEPTH : OPAQUE_IMAGE2D_DEPTH;
    return (enum type_opaque)kinds[dim][type->image.arrayed != 0];
}

static struct qtype image_type(struct reader *r, const struct spv_type *type)
{
    static const uint8_t accesses[] = {KC_ACCESS_READ_ONLY, KC_ACCESS_WRITE_ONLY, KC_ACCESS_READ_WRITE};
    enum type_opaque kind = image_kind(type);
    if (kind == OPAQUE_COUNT)
        reader_fail(r, "type %u is not an OpenCL image type", type->id);
    struct qtype image = qtype_of(&gen_given_types(r->given)->opaque[kind]);
    image.access = type->image.access < sizeof accesses ? accesses[type->image.access] : KC_ACCESS_READ_ONLY;
    return image;
}

static struct type *pointee_type(struct reader *r, const struct spv_type *type);

// The C type; integers are unsigned. Structs, arrays and others become void, which only occurs as a pointee.
static struct qtype c_type(struct reader *r, const struct spv_type *type)
{
    stack_check();
    struct types *types = gen_given_types(r->given);
    switch (type->kind) {
    case SPV_BOOL:
    case SPV_INT:
    case SPV_FLOAT:
    case SPV_VECTOR:
        return qtype_of(gen_given_type(r->given, type->ir, false));
    case SPV_IMAGE:
        return image_type(r, type);
    case SPV_SAMPLER:
        return qtype_of(&types->opaque[OPAQUE_SAMPLER]);
    case SPV_EVENT:
        return qtype_of(&types->opaque[OPAQUE_EVENT]);
    case SPV_QUEUE:
        return qtype_of(&types->opaque[OPAQUE_QUEUE]);
    case SPV_DEVICE_EVENT:
        return qtype_of(&types->opaque[OPAQUE_CLK_EVENT]);
    case SPV_POINTER:
        return qtype_of(type_pointer(types, (struct qtype){.type = pointee_type(r, type), .space = type->ir.space}));
    default:
        return qtype_of(type_basic(types, TYPE_VOID));
    }
}

// Pointers to pointers and to images become void pointers: no function takes them.
static struct type *pointee_type(struct reader *r, const struct spv_type *type)
{
    const struct spv_type *elem = type->elem;
    bool plain = elem && (elem->kind == SPV_BOOL || elem->kind == SPV_INT || elem->kind == SPV_FLOAT ||
                          elem->kind == SPV_VECTOR || elem->kind == SPV_EVENT);
    return plain ? c_type(r, elem).type : type_basic(gen_given_types(r->given), TYPE_VOID);
}

// ---- operands ------------------------------------------------------------------------------------

struct operands {
    uint32_t count;
    const struct spv_widths *widths; // NULL: the function takes no integers of non-standard width
    struct gen_given args[OPERANDS_MAX]; // uninitialized beyond the count
};

static struct gen_given *add(struct reader *r, struct operands *all)
{
    if (all->count == OPERANDS_MAX)
        reader_fail(r, "more operands than the built-in function has parameters");
    return &all->args[all->count++];
}

static void add_number(struct reader *r, struct operands *all, uint64_t bits)
{
    *add(r, all) = (struct gen_given){.constant = true, .bits = bits, .type = qtype_of(type_basic(gen_given_types(r->given), TYPE_UINT))};
}

// C has no bool vectors: bools are passed as bytes 0 or -1.
static void add_bools(struct reader *r, struct operands *all, struct ir_instr *value)
{
    struct ir_type bytes = ir_with_lanes(ir_int(8), value->type.lanes);
    *add(r, all) = (struct gen_given){.value = ir_convert(&r->b, IR_OP_sext, bytes, value),
                                      .type = qtype_of(gen_given_type(r->given, bytes, true))};
}

static void add_sampled(struct reader *r, struct operands *all, const struct spv_type *type, struct ir_instr *value)
{
    *add(r, all) = (struct gen_given){.value = ir_extract(&r->b, value, 0), .type = image_type(r, type->elem)};
    *add(r, all) = (struct gen_given){.value = ir_extract(&r->b, value, 1),
                                      .type = qtype_of(&gen_given_types(r->given)->opaque[OPAQUE_SAMPLER])};
}

static void add_value(struct reader *r, struct operands *all, uint32_t id)
{
    const struct spv_type *type = reader_type_of(r, id);
    if (type->odd && !all->widths)
        reader_fail(r, "not supported for %u-bit integers", type->odd);
    struct ir_instr *value = type->odd ? reader_odd_operand(r, all->widths, all->count, id) : reader_value(r, id);
    if (spv_is_record(type))
        reader_fail(r, "id %u is a struct or array, which a built-in function does not accept", id);
    if (type->kind == SPV_SAMPLED_IMAGE)
        add_sampled(r, all, type, value);
    else if (type->kind == SPV_VECTOR && type->ir.base == IR_BOOL)
        add_bools(r, all, value);
    else if (type->kind == SPV_INT && ir_is_const(value))
        *add(r, all) = (struct gen_given){.constant = true, .bits = value->lanes[0], .type = c_type(r, type)};
    else
        *add(r, all) = (struct gen_given){.value = value, .type = c_type(r, type)};
}

// Marks a constant operand as such, because a level of detail of 0 is special.
static void mark_constant(struct gen_given *arg)
{
    if (arg->value && ir_is_const(arg->value) && arg->value->type.lanes == 1 && arg->value->type.base == IR_FLOAT) {
        arg->constant = true;
        arg->bits = arg->value->lanes[0];
    }
}

// instructions.def distinguishes ids from numbers; image operands are a number followed by ids.
static void add_operands(struct reader *r, struct operands *all, const struct spv_inst *inst)
{
    const char *letters = inst->row->operands;
    bool is_image = strchr(letters, 'o') != NULL;
    letters += strspn(letters, "tr");
    for (uint32_t i = 0; i < inst->count; i++) {
        if (*letters == 'n' || *letters == 'N' || *letters == 'o')
            add_number(r, all, inst->words[i]);
        else
            add_value(r, all, inst->words[i]);
        if (is_image && *letters == 'I')
            mark_constant(&all->args[all->count - 1]);
        if (*letters == 'o')
            letters = "I";
        else if (*letters && *letters != 'I' && *letters != 'N')
            letters++;
    }
}

// ---- results -------------------------------------------------------------------------------------

// Converts a function's result to the instruction's type: truth values are ints, ids may have another width.
static struct ir_instr *convert_result(struct reader *r, struct ir_instr *value, struct qtype from, const struct spv_type *to)
{
    struct ir_type have = value->type, want = to->ir;
    if (ir_type_eq(have, want))
        return value;
    if (have.lanes != want.lanes)
        reader_fail(r, "the result must have %u components", have.lanes);
    if (have.base == IR_INT && want.base == IR_BOOL)
        return ir_op2(&r->b, IR_OP_ine, value, ir_const_int(r->module, have, 0));
    if (have.base == IR_BOOL && want.base == IR_INT)
        return ir_convert(&r->b, IR_OP_zext, want, value);
    if (have.base == IR_INT && want.base == IR_INT)
        return ir_convert(&r->b, want.bits < have.bits ? IR_OP_trunc : type_is_signed(from.type) ? IR_OP_sext : IR_OP_zext, want, value);
    if (have.base == IR_PTR && want.base == IR_PTR)
        return ir_convert(&r->b, IR_OP_ptr_cast, want, value);
    reader_fail(r, "the result type is not the function's return type");
}

static const struct spv_type *wanted_type(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = inst->type ? reader_result_type(r, inst) : NULL;
    return type && type->kind != SPV_VOID ? type : NULL;
}

static void set_result(struct reader *r, const struct spv_inst *inst, const char *name, struct ir_instr *value, struct qtype from,
                       uint32_t errors)
{
    const struct spv_type *wanted = wanted_type(r, inst);
    if (r->diag->errors != errors)
        reader_fail(r, "the error above is about '%s'", name);
    if (!wanted)
        return;
    if (!value)
        reader_fail(r, "'%s' does not return a value", name);
    if (wanted->kind == SPV_IMAGE || wanted->kind == SPV_SAMPLER || wanted->kind == SPV_SAMPLED_IMAGE || spv_is_record(wanted))
        reader_fail(r, "'%s' does not return an image, sampler, struct or array", name);
    reader_result(r, inst, convert_result(r, value, from, wanted));
}

static void make(struct reader *r, const struct spv_inst *inst, const struct spirv_row *row, const struct operands *all,
                 const char *rounding)
{
    const struct spv_type *wanted = wanted_type(r, inst);
    struct spirv_call call = {.row = row, .rounding = rounding};
    struct qtype from = {0};
    uint32_t errors = r->diag->errors;
    if (wanted && wanted->odd && !all->widths)
        reader_fail(r, "'%s' does not return %u-bit integers", row->name, wanted->odd);
    if (wanted)
        call.result = c_type(r, wanted).type;
    if (wanted && wanted->kind == SPV_POINTER)
        call.space = (enum type_space)wanted->ir.space;
    struct ir_instr *value = gen_given_spirv(r->given, &r->b, call, all->args, all->count, &from);
    if (value && wanted && wanted->odd && ir_type_eq(value->type, wanted->ir))
        value = reader_odd_result(r, all->widths, wanted, value);
    set_result(r, inst, row->name, value, from, errors);
}

// ---- instructions --------------------------------------------------------------------------------

// A pair of an image and its sampler.
static void sampled_image(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *image = reader_type_of(r, inst->words[0]), *sampler = reader_type_of(r, inst->words[1]);
    if (image->kind != SPV_IMAGE || sampler->kind != SPV_SAMPLER)
        reader_fail(r, "the operands are not an image and a sampler");
    struct ir_instr *both[] = {reader_value(r, inst->words[0]), reader_value(r, inst->words[1])};
    reader_result(r, inst, ir_vec(&r->b, both, 2));
}

static void image_of(struct reader *r, const struct spv_inst *inst)
{
    if (reader_type_of(r, inst->words[0])->kind != SPV_SAMPLED_IMAGE)
        reader_fail(r, "id %u is not a sampled image", inst->words[0]);
    reader_result(r, inst, ir_extract(&r->b, reader_value(r, inst->words[0]), 0));
}

// Remainder with the divisor's sign.
static void float_mod(struct reader *r, const struct spv_inst *inst)
{
    struct operands all;
    all.count = 0;
    all.widths = NULL;
    struct ir_builder *b = &r->b;
    add_operands(r, &all, inst);
    struct ir_instr *y = all.args[1].value;
    struct ir_instr *remainder = gen_given_call(r->given, b, "fmod", all.args, 2, (struct loc){0}, NULL);
    if (!remainder || !y || !ir_type_eq(remainder->type, y->type))
        reader_fail(r, "the operands are not floats of the same type");
    struct ir_instr *zero = ir_const_float(r->module, y->type, 0);
    struct ir_instr *signs_differ = ir_op2(b, IR_OP_flt, y, zero);
    signs_differ = ir_op2(b, IR_OP_xor, ir_op2(b, IR_OP_flt, remainder, zero), signs_differ);
    signs_differ = ir_op2(b, IR_OP_and, signs_differ, ir_op2(b, IR_OP_fne, remainder, zero));
    reader_result(r, inst, ir_select(b, signs_differ, ir_op2(b, IR_OP_fadd, remainder, y), remainder));
}

void reader_builtin(struct reader *r, const struct spv_inst *inst)
{
    struct operands all;
    all.count = 0;
    all.widths = NULL;
    if (inst->row->opcode == SpvOpSampledImage || inst->row->opcode == SpvOpImage || inst->row->opcode == SpvOpFMod) {
        spv_handler *own = inst->row->opcode == SpvOpImage ? image_of : inst->row->opcode == SpvOpFMod ? float_mod : sampled_image;
        own(r, inst);
        return;
    }
    const struct spirv_row *row = spirv_row(SPIRV_CORE, inst->row->opcode);
    if (!row)
        reader_fail(r, "Op%s is not supported", inst->row->name);
    add_operands(r, &all, inst);
    if (inst->row->opcode == SpvOpGenericCastToPtrExplicit)
        all.count = 1; // the result type determines the address space
    make(r, inst, row, &all, "");
}

// ---- OpenCL.std ----------------------------------------------------------------------------------

enum { STD_ROTATE = 161, STD_PRINTF = 184, STD_PREFETCH = 185 };

// The text that a pointer refers to, which must be a constant of the module, else NULL.
static const char *text_at(struct reader *r, struct ir_instr *pointer)
{
    int64_t offset = 0;
    for (; pointer->op == IR_OP_ptr_cast || pointer->op == IR_OP_ptr_index; pointer = pointer->src[0]) {
        if (pointer->op == IR_OP_ptr_index && pointer->src_count > 1)
            return NULL;
        offset += pointer->op == IR_OP_ptr_index ? pointer->offset : 0;
    }
    const struct ir_var *var = pointer->op == IR_OP_addr ? pointer->var : NULL;
    if (!var || offset < 0 || (uint64_t)offset >= var->size)
        return NULL;
    reader_init_variables(r);
    if (!var->init || !memchr(var->init + offset, 0, var->size - (uint64_t)offset))
        return NULL;
    return (const char *)var->init + offset;
}

// Adds printf's arguments unpromoted: floats stay floats if there are no doubles; pointers are passed as they are.
static void add_printf(struct reader *r, struct operands *all, const uint32_t *words, uint32_t count)
{
    const char *format = count ? text_at(r, reader_value(r, words[0])) : NULL;
    if (!format)
        reader_fail(r, "the format of printf is not a constant string of the module");
    *add(r, all) = (struct gen_given){.string = format};
    for (uint32_t i = 1; i < count; i++) {
        const struct spv_type *type = reader_type_of(r, words[i]);
        add_value(r, all, words[i]);
        if (type->kind == SPV_POINTER) {
            struct types *types = gen_given_types(r->given);
            struct qtype character = {.type = type_basic(types, TYPE_CHAR), .space = type->ir.space};
            all->args[all->count - 1].type = qtype_of(type_pointer(types, character));
        }
    }
}

void reader_opencl_std(struct reader *r, const struct spv_inst *inst, uint32_t number, const uint32_t *words, uint32_t count)
{
    struct operands all;
    all.count = 0;
    all.widths = reader_widths_of(number);
    const struct spirv_row *row = spirv_row(SPIRV_OPENCL_STD, number);
    if (!row)
        reader_fail(r, "OpenCL.std has no instruction %u", number);
    if (number == STD_PREFETCH) // a hint; Vulkan has no equivalent
        return;
    if (count < reader_literals(number))
        reader_fail(r, "too few operands for '%s'", row->name);
    if (number == STD_ROTATE && count == 2 && reader_type_of(r, words[0])->odd) {
        reader_rotate_odd(r, inst, words);
        return;
    }
    if (number == STD_PRINTF) {
        add_printf(r, &all, words, count);
    } else {
        for (uint32_t i = 0; i + reader_literals(number) < count; i++)
            add_value(r, &all, words[i]);
        if (reader_literals(number))
            add_number(r, &all, words[count - 1]);
    }
    make(r, inst, row, &all, "");
}

// ---- built-in variables --------------------------------------------------------------------------

static struct ir_instr *component(struct reader *r, const struct spirv_row *row, unsigned dim, struct ir_type want)
{
    struct gen_given arg = {.constant = true, .bits = dim, .type = qtype_of(type_basic(gen_given_types(r->given), TYPE_UINT))};
    struct qtype from;
    struct ir_instr *value = gen_given_call(r->given, &r->b, row->function, &arg, row->dimensions != 0, (struct loc){0}, &from);
    if (!value)
        reader_fail(r, "the device does not support the built-in variable %s", row->name + strlen("BuiltIn"));
    if (ir_type_eq(value->type, want))
        return value;
    if (want.base != IR_INT || value->type.lanes != want.lanes)
        reader_fail(r, "the built-in variable %s has the wrong type", row->name + strlen("BuiltIn"));
    return ir_convert(&r->b, want.bits < value->type.bits ? IR_OP_trunc : IR_OP_zext, want, value);
}

struct ir_instr *reader_builtin_variable(struct reader *r, uint32_t builtin, const struct spv_type *type, uint32_t lane)
{
    const struct spirv_row *row = spirv_row(SPIRV_BUILTIN, builtin);
    if (!row || spv_is_record(type))
        return NULL;
    if (!row->dimensions) {
        struct ir_instr *value = component(r, row, 0, type->ir);
        return lane == SPV_WHOLE ? value : ir_extract(&r->b, value, lane);
    }
    if (lane != SPV_WHOLE)
        return component(r, row, lane, ir_with_lanes(type->ir, 1));
    struct ir_instr *lanes[16];
    for (unsigned i = 0; i < type->ir.lanes; i++)
        lanes[i] = component(r, row, i, ir_with_lanes(type->ir, 1));
    return type->ir.lanes == 1 ? lanes[0] : ir_vec(&r->b, lanes, type->ir.lanes);
}

// ---- calls by name -------------------------------------------------------------------------------

// __spirv_NAME: an instruction, a variable or an OpenCL.std function.
static bool call_instruction(struct reader *r, const struct spv_inst *inst, const char *name, struct operands *all)
{
    struct qtype from = {0};
    uint32_t errors = r->diag->errors;
    struct spirv_call call;
    const struct spv_type *wanted = wanted_type(r, inst);
    if (!spirv_has_name(name))
        return false;
    if (!spirv_call_of_name(gen_given_ast(r->given), name, &call))
        reader_fail(r, "'%s' has a suffix that no instruction has", name);
    if (wanted)
        call.result = c_type(r, wanted).type;
    set_result(r, inst, name, gen_given_spirv(r->given, &r->b, call, all->args, all->count, &from), from, errors);
    return true;
}

void reader_named_call(struct reader *r, const struct spv_inst *inst, const char *name, const struct gen_given *args, uint32_t count)
{
    struct qtype from = {0};
    uint32_t errors = r->diag->errors;
    struct ir_instr *value = gen_given_call(r->given, &r->b, name, args, count, (struct loc){0}, &from);
    set_result(r, inst, name, value, from, errors);
}

bool reader_builtin_call(struct reader *r, const struct spv_inst *inst, const char *name, const uint32_t *words, uint32_t count)
{
    struct operands all;
    all.count = 0;
    all.widths = NULL;
    struct qtype types[OPERANDS_MAX];
    const char *plain = reader_demangle(gen_given_ast(r->given), name, types, count < OPERANDS_MAX ? count : 0);
    if (!plain)
        return false;
    if (!spirv_has_name(plain) && !builtin_exists(gen_given_ast(r->given), plain))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = all.count;
        add_value(r, &all, words[i]);
        if (all.count == before + 1 && types[i].type && ir_type_eq(gen_given_ir_type(types[i].type), gen_given_ir_type(all.args[before].type.type)))
            all.args[before].type = types[i]; // signedness and pointee from the mangled name
    }
    if (call_instruction(r, inst, plain, &all))
        return true;
    reader_named_call(r, inst, plain, all.args, all.count);
    return true;
}
