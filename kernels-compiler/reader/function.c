// SPDX-License-Identifier: Apache-2.0
// Functions: reads those that kernels reach, each body as a control-flow graph of its blocks.
//
// As in gen, a struct or array is passed to a function as the address of a copy and returned through an address in
// the first argument; the pointee of a pointer with ByVal is copied too. A kernel that is called, or that is several
// kernels, becomes a function named NAME.body and kernels that call it.
#include "reader/reader.h"

// ---- declarations --------------------------------------------------------------------------------

static uint32_t next_instruction(struct reader *r, uint32_t at, struct spv_inst *inst)
{
    do
        at = reader_decode(r, at, inst);
    while (inst->row->where == SPV_ANYWHERE); // skips line information
    return at;
}

static void read_parameters(struct reader *r, struct spv_function *f, uint32_t at)
{
    uint32_t *params = ARENA_ARRAY(r->work, uint32_t, f->type->count + 1);
    struct spv_inst inst;
    for (uint64_t i = 0; i < f->type->count; i++) {
        at = next_instruction(r, at, &inst);
        if (inst.row->opcode != SpvOpFunctionParameter || reader_type(r, inst.type) != f->type->members[i])
            reader_fail(r, "function %u: parameter %u does not match the function type", f->id, (unsigned)i);
        params[i] = inst.result;
    }
    f->params = params;
    next_instruction(r, at, &inst);
    if (inst.row->opcode == SpvOpFunctionParameter)
        reader_fail(r, "function %u has more parameters than its function type", f->id);
    f->has_body = inst.row->opcode == SpvOpLabel;
}

static struct spv_function *declare(struct reader *r, uint32_t id)
{
    struct spv_id *entry = reader_id(r, id);
    struct spv_function *f = ARENA_NEW(r->work, struct spv_function);
    struct spv_inst inst;
    uint32_t at = entry->at ? reader_decode(r, entry->at, &inst) : 0;
    if (!at || inst.row->opcode != SpvOpFunction)
        reader_fail(r, "id %u is not a function", id);
    f->id = id;
    f->at = entry->at;
    f->control = inst.words[0];
    f->type = reader_type(r, inst.words[1]);
    if (f->type->kind != SPV_FUNCTION || reader_type(r, inst.type) != f->type->elem)
        reader_fail(r, "the result type of function %u does not match its function type", id);
    read_parameters(r, f, at);
    f->link_name = reader_link_name(r, id, &f->linkage);
    entry->kind = SPV_ID_FUNCTION;
    entry->function = f;
    return f;
}

struct spv_function *reader_declared(struct reader *r, uint32_t id)
{
    struct spv_id *entry = reader_id(r, id);
    return entry->kind == SPV_ID_FUNCTION ? entry->function : declare(r, id);
}

struct spv_function *reader_function(struct reader *r, uint32_t id)
{
    struct spv_function *f = reader_declared(r, id);
    if (!f->reached && f->has_body) {
        f->reached = true;
        vec_push(r->work, &r->functions, f);
    }
    return f;
}

// ---- signatures ----------------------------------------------------------------------------------

bool reader_is_by_value(struct reader *r, const struct spv_function *f, uint64_t i)
{
    const struct spv_type *type = f->type->members[i];
    return type->kind == SPV_POINTER && type->storage == SpvStorageClassFunction && type->elem &&
           reader_has_parameter_attribute(r, f->params[i], SpvFunctionParameterAttributeByVal);
}

static bool is_handle(const struct spv_type *type) { return type->kind == SPV_IMAGE || type->kind == SPV_SAMPLER; }

static const char *function_name(struct reader *r, const struct spv_function *f)
{
    const char *name = f->link_name ? f->link_name : reader_id(r, f->id)->name;
    for (size_t i = 0; i < r->entries.count; i++)
        if (r->entries.items[i].function == f->id)
            name = arena_printf(r->arena, "%s", r->entries.items[i].name);
    return reader_ir_name(r, name, "function");
}

static bool is_name_used(struct reader *r, const char *name)
{
    return map_get(&r->module->functions_by_name, intern_cstring(r->module->intern, name)) != NULL;
}

const char *reader_unique_name(struct reader *r, const char *name, uint32_t id)
{
    return is_name_used(r, name) ? arena_printf(r->arena, "%s.%u", name, id) : name;
}

static void set_linkage(struct reader *r, const struct spv_function *f)
{
    static const uint8_t links[] = {[SpvLinkageTypeExport] = IR_LINK_EXPORT, [SpvLinkageTypeImport] = IR_LINK_IMPORT,
                                    [SpvLinkageTypeLinkOnceODR] = IR_LINK_INLINE};
    if (!r->input->options->separate || !f->link_name || f->linkage >= sizeof links)
        return;
    f->ir->linkage = links[f->linkage];
    f->ir->c_type = "";
}

struct ir_function *reader_ir_function(struct reader *r, struct spv_function *f)
{
    if (f->ir)
        return f->ir;
    struct ir_type *types = ARENA_ARRAY(r->work, struct ir_type, f->type->count + 1);
    uint32_t count = 0;
    bool record = spv_is_record(f->type->elem);
    if (record)
        types[count++] = ir_ptr(kc_pointer_bytes(r->target), IR_PRIVATE);
    for (uint64_t i = 0; i < f->type->count; i++) {
        const struct spv_type *type = f->type->members[i];
        types[count++] = spv_is_record(type) ? ir_ptr(kc_pointer_bytes(r->target), IR_PRIVATE) : type->ir;
    }
    const char *name = reader_unique_name(r, f->ir_name ? f->ir_name : function_name(r, f), f->id);
    f->ir = ir_function_get(r->module, name, record ? ir_void() : f->type->elem->ir, types, count);
    for (uint32_t i = 0; i < f->type->count; i++)
        if (is_handle(f->type->members[i]))
            ir_mark_handle(f->ir, i + record);
    f->ir->always_inline = (f->control & SpvFunctionControlInlineMask) != 0;
    f->ir->no_inline = (f->control & SpvFunctionControlDontInlineMask) != 0;
    set_linkage(r, f);
    return f->ir;
}

// ---- bodies --------------------------------------------------------------------------------------

static uint32_t first_parameter(const struct spv_function *f) { return spv_is_record(f->type->elem); }

static void bind_parameters(struct reader *r, struct spv_function *f)
{
    for (uint64_t i = 0; i < f->type->count; i++) {
        struct spv_id *entry = reader_id(r, f->params[i]);
        entry->kind = SPV_ID_VALUE;
        entry->type = f->type->members[i];
        entry->value = f->ir->params[first_parameter(f) + i];
        entry->owner = f;
        entry->held = 0;
    }
}

void reader_body(struct reader *r, struct spv_function *f)
{
    struct ir_function *ir = reader_ir_function(r, f);
    ir_function_define(ir);
    r->function = f;
    r->builtin_places = (struct map){0};
    f->graph = ARENA_NEW(r->work, struct cfg);
    *f->graph = (struct cfg){.function = ir, .arena = r->arena}; // its values belong to the IR
    r->b = (struct ir_builder){.module = r->module, .function = ir, .dead = true};
    r->b.flags = r->input->options->unsafe_math ? IR_FAST : 0;
    bind_parameters(r, f);
    reader_find_blocks(r, f);
    struct spv_inst inst = {0};
    for (uint32_t at = f->first_block; at < r->word_count && inst.row != reader_row(r, SpvOpFunctionEnd);) {
        at = reader_decode(r, at, &inst);
        r->inst = &inst;
        reader_check_matrices(r, &inst);
        reader_check_small_floats(r, &inst);
        inst.row->handle(r, &inst);
    }
    r->inst = NULL;
    cfg_structurize(f->graph);
    r->function = NULL;
    r->b = (struct ir_builder){.module = r->module, .dead = true};
}

void reader_function_part(struct reader *r, const struct spv_inst *inst)
{
    if (inst->row->opcode == SpvOpLabel)
        reader_enter_block(r, inst->result);
}

// ---- calls ---------------------------------------------------------------------------------------

static struct ir_instr *copy_of(struct reader *r, const struct spv_type *type, struct ir_instr *from)
{
    struct ir_instr *copy = reader_temporary(r, type, "argument");
    reader_store(r, type, copy, from, reader_mem(copy, type->align));
    return copy;
}

static struct ir_instr *argument(struct reader *r, const struct spv_function *callee, uint64_t i, uint32_t id)
{
    const struct spv_type *type = callee->type->members[i];
    if (reader_type_of(r, id) != type)
        reader_fail(r, "argument %u does not have the parameter's type", (unsigned)i);
    struct ir_instr *value = reader_value(r, id);
    if (spv_is_record(type))
        return copy_of(r, type, value);
    return reader_is_by_value(r, callee, i) ? copy_of(r, type->elem, value) : value;
}

void reader_function_call(struct reader *r, const struct spv_inst *inst)
{
    struct spv_function *callee = reader_function(r, inst->words[0]);
    uint32_t given = inst->count - 1, count = 0;
    const struct spv_type *result = callee->type->elem;
    if (given != callee->type->count || reader_result_type(r, inst) != result)
        reader_fail(r, "function %u requires %llu arguments and returns type %u", callee->id,
                    (unsigned long long)callee->type->count, result->id);
    if (!callee->has_body && callee->link_name && !callee->type->has_matrix &&
        reader_builtin_call(r, inst, callee->link_name, inst->words + 1, given))
        return;
    if (!callee->has_body && !r->input->options->separate)
        reader_fail(r, "function '%s' is not in the module", callee->link_name ? callee->link_name : "an import without a name");
    struct ir_instr **args = ARENA_ARRAY(r->work, struct ir_instr *, given + 2), *place = NULL;
    if (spv_is_record(result))
        args[count++] = place = reader_temporary(r, result, "result");
    for (uint32_t i = 0; i < given; i++)
        args[count++] = argument(r, callee, i, inst->words[1 + i]);
    vec_push(r->work, &r->function->callees, callee);
    struct ir_instr *value = ir_call(&r->b, reader_ir_function(r, callee), args, count);
    if (result->kind != SPV_VOID)
        reader_result(r, inst, place ? place : value);
}

void reader_return(struct reader *r, const struct spv_inst *inst)
{
    (void)inst;
    if (r->function->type->elem->kind != SPV_VOID)
        reader_fail(r, "the function must return a value");
    ir_jump(&r->b, IR_OP_return, NULL);
}

void reader_return_value(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = r->function->type->elem;
    if (reader_type_of(r, inst->words[0]) != type)
        reader_fail(r, "the value does not have the function's return type");
    struct ir_instr *value = reader_value(r, inst->words[0]);
    if (!spv_is_record(type)) {
        ir_jump(&r->b, IR_OP_return, value);
        return;
    }
    struct ir_instr *place = r->function->ir->params[0];
    reader_store(r, type, place, value, reader_mem(place, type->align));
    ir_jump(&r->b, IR_OP_return, NULL);
}

// ---- recursion -----------------------------------------------------------------------------------

struct visit {
    struct spv_function *function;
    size_t callee;
};

// Uses an explicit stack, because the module determines how deep calls nest.
void reader_check_recursion(struct reader *r, struct spv_function *root)
{
    enum { NEW, OPEN, DONE };
    VEC(struct visit) visits = {0};
    struct visit first = {root, 0};
    if (root->visit == NEW)
        vec_push(r->work, &visits, first);
    while (visits.count) {
        struct visit *v = &visits.items[visits.count - 1];
        v->function->visit = OPEN;
        if (v->callee == v->function->callees.count) {
            v->function->visit = DONE;
            visits.count--;
            continue;
        }
        struct visit next = {v->function->callees.items[v->callee++], 0};
        if (next.function->visit == OPEN)
            reader_fail(r, "function %u calls itself", next.function->id);
        if (next.function->visit == NEW)
            vec_push(r->work, &visits, next);
    }
}
