// SPDX-License-Identifier: Apache-2.0
// Pipes: instructions -> calls of OpenCL C's pipe functions (ast/sema_pipe.c); pipe storage of the module.
//
// A pipe type does not contain the packet type. Each instruction gives the packet's size and alignment: the packet is
// an integer of that size, or a struct of bytes.
#include "reader/reader.h"

#include "pumice/kc.h"

enum { MOST_STORAGE = 1 << 20 }; // limits storage and packets to the size of program variables (CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE)

// ---- types ---------------------------------------------------------------------------------------

void reader_type_pipe(struct reader *r, const struct spv_inst *inst)
{
    if (inst->words[0] > SpvAccessQualifierWriteOnly)
        reader_fail(r, "the pipe must be read-only or write-only");
    reader_add_handle(r, inst, SPV_PIPE, ir_ptr(kc_pointer_bytes(r->target), IR_GLOBAL))->image.access = inst->words[0];
}

void reader_type_pipe_storage(struct reader *r, const struct spv_inst *inst)
{
    reader_add_handle(r, inst, SPV_PIPE_STORAGE, ir_ptr(kc_pointer_bytes(r->target), IR_GLOBAL));
}

void reader_type_reserve_id(struct reader *r, const struct spv_inst *inst) { reader_add_handle(r, inst, SPV_RESERVE_ID, ir_int(64)); }

// The alignment is limited to a power of two that divides the size, and to the maximum for packets.
static uint32_t packet_align(struct reader *r, uint32_t size, uint64_t asked)
{
    uint32_t align = size & (0 - size);
    if (!asked || asked & (asked - 1))
        reader_fail(r, "invalid alignment of %llu bytes", (unsigned long long)asked);
    align = asked < align ? (uint32_t)asked : align;
    return align < KC_PIPE_ALIGN ? align : KC_PIPE_ALIGN;
}

// The packet type by the last two operands, size and alignment.
static struct type *packet_type(struct reader *r, const struct spv_inst *inst)
{
    static const uint8_t kinds[] = {[1] = TYPE_UCHAR, [2] = TYPE_USHORT, [4] = TYPE_UINT, [8] = TYPE_ULONG};
    struct types *types = gen_given_types(r->given);
    uint64_t size = reader_constant(r, inst->words[inst->count - 2]);
    if (!size || size > MOST_STORAGE)
        reader_fail(r, "invalid packet size of %llu bytes", (unsigned long long)size);
    uint32_t align = packet_align(r, (uint32_t)size, reader_constant(r, inst->words[inst->count - 1]));
    if (align == size && size < sizeof kinds)
        return type_basic(types, (enum type_kind)kinds[size]);
    struct type *type = type_record(types, TYPE_STRUCT, "packet", (struct loc){0});
    type->size = size;
    type->align = align;
    type->incomplete = false;
    type->record->complete = true;
    return type;
}

// ---- calls ---------------------------------------------------------------------------------------

// The argument for an id; without a packet type, a reservation.
static struct gen_given given(struct reader *r, uint32_t id, struct type *packet)
{
    struct types *types = gen_given_types(r->given);
    const struct spv_type *type = reader_type_of(r, id);
    struct gen_given arg = {.value = reader_value(r, id)};
    if (!packet && type->kind != SPV_RESERVE_ID)
        reader_fail(r, "id %u is no reservation", id);
    switch (type->kind) {
    case SPV_PIPE:
        arg.type = qtype_of(type_pipe(types, packet));
        arg.type.access = type->image.access == SpvAccessQualifierReadOnly ? KC_ACCESS_READ_ONLY : KC_ACCESS_WRITE_ONLY;
        break;
    case SPV_POINTER:
        arg.type = qtype_of(type_pointer(types, (struct qtype){.type = packet, .space = type->ir.space}));
        break;
    case SPV_RESERVE_ID:
        arg.type = qtype_of(&types->opaque[OPAQUE_RESERVE_ID]);
        break;
    case SPV_INT:
        arg.type = qtype_of(gen_given_type(r->given, type->ir, false));
        break;
    default:
        reader_fail(r, "id %u is not a valid operand for a pipe instruction", id);
    }
    return arg;
}

static const char *name_of(struct reader *r, const struct spv_inst *inst)
{
    static const char *const names[] = {
        [SpvOpReadPipe] = "read_pipe",
        [SpvOpWritePipe] = "write_pipe",
        [SpvOpReservedReadPipe] = "read_pipe",
        [SpvOpReservedWritePipe] = "write_pipe",
        [SpvOpReserveReadPipePackets] = "reserve_read_pipe",
        [SpvOpReserveWritePipePackets] = "reserve_write_pipe",
        [SpvOpCommitReadPipe] = "commit_read_pipe",
        [SpvOpCommitWritePipe] = "commit_write_pipe",
        [SpvOpIsValidReserveId] = "is_valid_reserve_id",
        [SpvOpGetNumPipePackets] = "get_pipe_num_packets",
        [SpvOpGetMaxPipePackets] = "get_pipe_max_packets",
        [SpvOpGroupReserveReadPipePackets] = "group_reserve_read_pipe",
        [SpvOpGroupReserveWritePipePackets] = "group_reserve_write_pipe",
        [SpvOpGroupCommitReadPipe] = "group_commit_read_pipe",
        [SpvOpGroupCommitWritePipe] = "group_commit_write_pipe",
    };
    const char *name = names[inst->row->opcode];
    if (!inst->row->arg)
        return name;
    uint64_t scope = reader_constant(r, inst->words[0]);
    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        reader_fail(r, "scope %llu is not a work-group or sub-group", (unsigned long long)scope);
    return arena_printf(r->work, "%s_%s", scope == SpvScopeWorkgroup ? "work" : "sub", name);
}

// inst->row->arg: 1 for group functions.
void reader_pipe(struct reader *r, const struct spv_inst *inst)
{
    bool has_packets = inst->row->opcode != SpvOpIsValidReserveId;
    struct type *packet = has_packets ? packet_type(r, inst) : NULL;
    uint32_t count = 0, end = inst->count - (has_packets ? 2 : 0);
    const char *name = name_of(r, inst);
    struct gen_given args[4];
    for (uint32_t i = inst->row->arg; i < end; i++)
        args[count++] = given(r, inst->words[i], packet);
    reader_named_call(r, inst, name, args, count);
}

// ---- pipe storage --------------------------------------------------------------------------------

// A variable with the layout of a pipe that the runtime creates.
static struct ir_var *storage(struct reader *r, uint64_t packet_size, uint32_t capacity)
{
    uint64_t packets = kc_pipe_packets(capacity);
    struct kc_pipe header = {.capacity = capacity, .wrap = capacity ? (UINT32_C(1) << 31) / capacity * capacity : 0};
    struct ir_var *var =
        ir_var_add(r->module, NULL, reader_internal_name(r, "pipe"), IR_GLOBAL, packets + packet_size * capacity, KC_PIPE_ALIGN);
    uint8_t *bytes = arena_zalloc(r->arena, var->size);
    memcpy(bytes, &header, sizeof header);
    var->init = bytes;
    return var;
}

void reader_constant_pipe_storage(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    if (reader_result_type(r, inst)->kind != SPV_PIPE_STORAGE)
        reader_fail(r, "the type is not OpTypePipeStorage");
    if (!kc_extensions_have(&r->target->extensions, KC_EXT_PIPES) ||
        !kc_extensions_have(&r->target->extensions, KC_EXT_PROGRAM_SCOPE_GLOBAL_VARIABLES))
        reader_fail(r, "the device does not support program-scope pipes");
    packet_align(r, 1, w[1]);
    if (!w[0] || !w[2] || w[2] > KC_PIPE_MAX_PACKETS || kc_pipe_packets(w[2]) + (uint64_t)w[0] * w[2] > MOST_STORAGE)
        reader_fail(r, "invalid pipe of %u packets of %u bytes", w[2], w[0]);
    reader_add_address(r, inst, storage(r, w[0], w[2]));
}

void reader_pipe_of_storage(struct reader *r, const struct spv_inst *inst)
{
    if (reader_type_of(r, inst->words[0])->kind != SPV_PIPE_STORAGE || reader_result_type(r, inst)->kind != SPV_PIPE)
        reader_fail(r, "the operand is not the storage of a pipe");
    reader_result(r, inst, reader_value(r, inst->words[0]));
}
