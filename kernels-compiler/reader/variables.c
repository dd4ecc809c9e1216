// SPDX-License-Identifier: Apache-2.0
// Variables: those of functions where they are declared; those of the module on demand, with their initial contents.
// Built-in (Input) variables are private variables that the function's first block fills.
#include "reader/reader.h"

// ---- names ---------------------------------------------------------------------------------------

// Makes an OpenCL C identifier. Callers make names unique that differ only in other characters.
const char *reader_ir_name(struct reader *r, const char *name, const char *otherwise)
{
    if (!name || !*name)
        return otherwise;
    char *text = arena_strndup(r->arena, name, strlen(name));
    for (char *c = text; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    return text;
}

// A name with internal linkage, which must not collide with external ones.
const char *reader_internal_name(struct reader *r, const char *name)
{
    return r->input->options->separate ? arena_printf(r->arena, "%s.i", name) : name;
}

static const char *module_name(struct reader *r, const struct spv_variable *v)
{
    uint32_t linkage;
    const char *name = reader_link_name(r, v->id, &linkage);
    if (name)
        return reader_ir_name(r, name, "unnamed");
    return reader_internal_name(r, reader_ir_name(r, reader_id(r, v->id)->name, "unnamed"));
}

// ---- built-in variables --------------------------------------------------------------------------

struct ir_instr *reader_builtin_value(struct reader *r, const struct spv_variable *v, uint32_t lane)
{
    if (!v->builtin)
        reader_fail(r, "input variable %u has no BuiltIn decoration", v->id);
    struct ir_instr *value = reader_builtin_variable(r, v->builtin - 1, v->type, lane);
    if (!value)
        reader_fail(r, "built-in variable %u (id %u) is not valid in OpenCL", v->builtin - 1, v->id);
    if (!ir_type_eq(value->type, lane == SPV_WHOLE ? v->type->ir : ir_with_lanes(v->type->ir, 1)))
        reader_fail(r, "built-in variable %u (id %u) has the wrong type", v->builtin - 1, v->id);
    return value;
}

// Memory for a built-in variable whose address is used, filled at the start of the function.
static struct ir_instr *builtin_place(struct reader *r, struct spv_variable *v)
{
    struct ir_instr *place = map_get(&r->builtin_places, v);
    if (place)
        return place;
    if (!r->function)
        reader_fail(r, "id %u is a built-in variable: its address is not a constant", v->id);
    struct ir_builder here = r->b;
    ir_place_after_phis(&r->b, ir_list_first(&r->function->graph->nodes.items[0]->code));
    struct ir_instr *value = reader_builtin_value(r, v, SPV_WHOLE);
    place = reader_temporary(r, v->type, "builtin");
    reader_store(r, v->type, place, value, reader_mem(place, v->type->align));
    r->b = here;
    map_set(r->work, &r->builtin_places, v, place);
    return place;
}

static uint32_t builtin_of(struct reader *r, uint32_t id)
{
    const struct spv_decoration *d = reader_decoration(r, id, SpvDecorationBuiltIn);
    return d && d->count ? d->words[0] + 1 : 0;
}

// ---- addresses -----------------------------------------------------------------------------------

static void make_linkage(struct reader *r, const struct spv_variable *v)
{
    static const uint8_t links[] = {[SpvLinkageTypeExport] = IR_LINK_EXPORT, [SpvLinkageTypeImport] = IR_LINK_IMPORT,
                                    [SpvLinkageTypeLinkOnceODR] = IR_LINK_INLINE};
    uint32_t linkage;
    const char *name = reader_link_name(r, v->id, &linkage);
    if (!name || linkage >= sizeof links)
        return;
    if (r->input->options->separate)
        v->var->linkage = links[linkage];
    else if (linkage == SpvLinkageTypeImport)
        reader_fail(r, "variable '%s' is not in the module", name);
    v->var->c_type = "";
}

static uint32_t variable_align(struct reader *r, const struct spv_variable *v)
{
    const struct spv_decoration *d = reader_decoration(r, v->id, SpvDecorationAlignment);
    uint32_t asked = d && d->count ? d->words[0] : 1;
    if (!asked || asked & (asked - 1) || asked > 1u << 16)
        reader_fail(r, "invalid alignment of %u bytes", asked);
    return asked > v->type->align ? asked : v->type->align;
}

static void make_module_variable(struct reader *r, struct spv_variable *v)
{
    enum ir_space space = reader_space(r, v->pointer->storage);
    v->var = ir_var_add(r->module, NULL, module_name(r, v), space, v->type->size, variable_align(r, v));
    make_linkage(r, v);
    if (v->initializer)
        vec_push(r->work, &r->uninitialized, v);
}

struct ir_instr *reader_address(struct reader *r, struct spv_variable *v)
{
    if (spv_is_built_in(v))
        return builtin_place(r, v);
    if (v->pointer->storage == SpvStorageClassFunction && reader_id(r, v->id)->owner != r->function)
        reader_fail(r, "variable %u belongs to another function", v->id);
    if (!v->var)
        make_module_variable(r, v);
    return ir_addr(r->module, v->var);
}

// The list grows if initializers refer to further variables.
void reader_init_variables(struct reader *r)
{
    for (size_t i = 0; i < r->uninitialized.count; i++) {
        struct spv_variable *v = r->uninitialized.items[i];
        const struct spv_id *initializer = reader_id(r, v->initializer);
        if (reader_type_of(r, v->initializer) != v->type)
            reader_fail(r, "the initializer of variable %u has another type", v->id);
        bool is_undef = initializer->kind == SPV_ID_CONSTANT && initializer->constant->is_undef;
        if (v->var->space == IR_LOCAL && !is_undef)
            reader_fail(r, "variable %u is in local memory: it cannot have an initializer", v->id);
        if (v->var->space != IR_LOCAL)
            reader_set_bytes(r, v->var, v->initializer);
    }
}

// Whether other modules may use it, even if this one does not.
static bool is_exported(struct reader *r, const struct spv_variable *v)
{
    uint32_t linkage;
    return r->input->options->separate && !spv_is_built_in(v) && reader_link_name(r, v->id, &linkage) && linkage != SpvLinkageTypeImport;
}

// ---- declarations --------------------------------------------------------------------------------

static void make_function_variable(struct reader *r, struct spv_variable *v)
{
    if (v->type->size > INT32_MAX)
        reader_fail(r, "a variable of %llu bytes is too large", (unsigned long long)v->type->size);
    const char *name = reader_ir_name(r, reader_id(r, v->id)->name, "v");
    v->var = ir_var_add(r->module, r->b.function, name, IR_PRIVATE, v->type->size, variable_align(r, v));
    if (!v->initializer)
        return;
    struct ir_instr *place = ir_addr(r->module, v->var), *value = reader_value(r, v->initializer);
    if (reader_type_of(r, v->initializer) != v->type)
        reader_fail(r, "the initializer has another type");
    reader_store(r, v->type, place, value, reader_mem(place, v->type->align));
}

void reader_variable(struct reader *r, const struct spv_inst *inst)
{
    struct spv_variable *v = ARENA_NEW(r->work, struct spv_variable);
    struct spv_id *entry = reader_id(r, inst->result);
    uint32_t used = 1 + inst->row->arg; // an untyped variable has its content type as an operand
    v->id = inst->result;
    v->pointer = reader_result_type(r, inst);
    v->type = inst->row->arg && inst->count > 1 ? reader_type(r, inst->words[1]) : v->pointer->elem;
    v->initializer = inst->count > used ? inst->words[used] : 0;
    v->builtin = builtin_of(r, inst->result);
    if (v->pointer->kind != SPV_POINTER || v->pointer->storage != inst->words[0] || !v->type ||
        v->pointer->storage == SpvStorageClassGeneric || v->type->kind == SPV_VOID)
        reader_fail(r, "the type is not a pointer with a storage class and a pointee type");
    if ((inst->words[0] == SpvStorageClassFunction) != (r->function != NULL))
        reader_fail(r, "a variable cannot have storage class %u here", inst->words[0]);
    entry->kind = SPV_ID_VARIABLE;
    entry->type = v->pointer;
    entry->variable = v;
    entry->owner = r->function;
    if (r->function)
        make_function_variable(r, v);
    else if (is_exported(r, v))
        make_module_variable(r, v);
}
