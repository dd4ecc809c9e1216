// SPDX-License-Identifier: Apache-2.0
// Objects: variables become ir_vars, reads and writes of places become loads and stores.
//
// A bool is a byte in memory and a truth value in registers. A store to some lanes of a vector in memory writes only
// those lanes, because others may belong to another work-item.
#include "gen/gen_internal.h"
#include "util/stack.h"

static struct ir_instr *load_memory(struct gen *gen, const struct gen_place *place, const struct type *type)
{
    struct ir_instr *value = ir_load(&gen->b, gen_memory_type(type), place->address, gen_mem(place));
    if (gen_type(type).base != IR_BOOL)
        return value;
    return ir_op2(&gen->b, IR_OP_ine, value, ir_const_int(gen->module, value->type, 0));
}

struct ir_instr *gen_load(struct gen *gen, const struct gen_place *place)
{
    if (place->component) {
        struct ir_instr *src[2] = {load_memory(gen, place, place->matrix), place->component};
        return ir_build(&gen->b, IR_OP_mat_get, ir_component(src[0]->type), src, 2);
    }
    if (!place->vector)
        return load_memory(gen, place, place->type.type);
    struct ir_instr *whole = load_memory(gen, place, place->vector);
    return place->lane_count == 1 ? ir_extract(&gen->b, whole, place->lane[0])
                                  : ir_shuffle(&gen->b, whole, whole, place->lane, place->lane_count);
}

static void store_memory(struct gen *gen, const struct gen_place *place, struct ir_instr *value)
{
    if (value->type.base == IR_BOOL)
        value = ir_convert(&gen->b, IR_OP_zext, ir_with_lanes(ir_int(8), value->type.lanes), value);
    ir_store(&gen->b, place->address, value, gen_mem(place));
}

void gen_store(struct gen *gen, const struct gen_place *place, struct ir_instr *value)
{
    if (place->component) {
        struct ir_instr *src[3] = {load_memory(gen, place, place->matrix), value, place->component};
        store_memory(gen, place, ir_build(&gen->b, IR_OP_mat_set, src[0]->type, src, 3));
        return;
    }
    if (!place->vector) {
        store_memory(gen, place, value);
        return;
    }
    struct gen_place whole = *place;
    whole.any_type = true;
    struct qtype scalar = qtype_of(type_scalar(place->vector));
    for (unsigned i = 0; i < place->lane_count; i++) {
        if (place->absent >> i & 1)
            continue;
        struct gen_place lane = gen_place_field(gen, whole, place->lane[i] * scalar.type->size, scalar);
        store_memory(gen, &lane, place->lane_count == 1 ? value : ir_extract(&gen->b, value, i));
    }
}

void gen_copy_record(struct gen *gen, const struct gen_place *to, const struct gen_place *from)
{
    if (to->type.type->size)
        ir_copy(&gen->b, to->address, from->address, to->type.type->size, gen_mem(to), gen_mem(from));
}

struct ir_instr *gen_temporary(struct gen *gen, const struct type *type, const char *name)
{
    struct ir_var *var = ir_var_add(gen->module, gen->function, name, IR_PRIVATE, type->size, type->align);
    var->origin = gen->b.origin;
    return ir_addr(gen->module, var);
}

// ---- variables -----------------------------------------------------------------------------------

static uint32_t variable_align(const struct decl *decl)
{
    uint32_t align = decl->type.type->align ? decl->type.type->align : 1;
    return decl->attributes.aligned > align ? decl->attributes.aligned : align;
}

static struct ir_var *constant_bytes(struct gen *gen, const char *name, const void *bytes, uint64_t size, uint32_t align)
{
    struct ir_var *var = ir_var_add(gen->module, NULL, gen_internal_name(gen, name), IR_CONSTANT, size, align);
    var->init = arena_copy(gen->arena, bytes, size);
    return var;
}

struct ir_instr *gen_string(struct gen *gen, const struct expr *expr)
{
    struct ir_var *var = constant_bytes(gen, "string", expr->string, expr->string_length, 1);
    return ir_addr(gen->module, var);
}

static struct ir_var *literal_var(struct gen *gen, const struct expr *expr)
{
    if (expr->kind == EXPR_STRING)
        return gen_string(gen, expr)->var;
    gen_unsupported(gen, expr->loc, "the address of a compound literal in a constant initializer");
    return ir_var_add(gen->module, NULL, "literal", IR_CONSTANT, 1, 1);
}

static void init_static(struct gen *gen, struct decl *decl, struct ir_var *var)
{
    uint8_t *bytes = arena_zalloc(gen->arena, var->size + 1);
    struct const_relocs relocs = {0};
    var->init = bytes;
    if (!const_eval_init(gen->ast, decl, bytes, &relocs))
        return;
    var->relocs = ARENA_ARRAY(gen->arena, struct ir_reloc, relocs.count);
    var->reloc_count = (uint32_t)relocs.count;
    for (size_t i = 0; i < relocs.count; i++) {
        struct const_reloc *reloc = &relocs.items[i];
        struct ir_var *target = reloc->decl ? gen_variable_address(gen, (struct decl *)reloc->decl)->var
                                            : literal_var(gen, reloc->string);
        var->relocs[i] = (struct ir_reloc){reloc->offset, target, reloc->addend};
    }
}

static void make_variable(struct gen *gen, struct decl *decl)
{
    stack_check();
    enum ir_space space = (enum ir_space)decl->type.space;
    struct ir_function *owner = space == IR_PRIVATE ? gen->function : NULL;
    const char *name = owner ? decl->name : gen_link_name(gen, decl);
    struct ir_var *var = ir_var_add(gen->module, owner, name, space, decl->type.type->size, variable_align(decl));
    uint32_t around = gen_at(gen, decl->loc);
    var->origin = gen->b.origin;
    gen->b.origin = around;
    gen_link_variable(gen, decl, var);
    decl->gen = ir_addr(gen->module, var);
    if (decl->init && (space == IR_CONSTANT || space == IR_GLOBAL))
        init_static(gen, decl, var);
}

struct ir_instr *gen_variable_address(struct gen *gen, struct decl *decl)
{
    if (!decl->gen)
        decl->gen = gen_link_known(gen, decl);
    if (!decl->gen)
        make_variable(gen, decl);
    return decl->gen;
}

void gen_init(struct gen *gen, const struct init *init, struct gen_place place)
{
    if (init->zero_first && place.type.type->size)
        ir_zero(&gen->b, place.address, place.type.type->size, gen_mem(&place));
    for (uint32_t i = 0; i < init->count; i++) {
        const struct init_entry *entry = &init->entries[i];
        struct gen_place subplace = gen_place_field(gen, place, entry->offset, entry->value->type);
        if (type_is_record(entry->value->type.type)) {
            struct gen_place from = gen_record(gen, entry->value);
            gen_copy_record(gen, &subplace, &from);
        } else {
            struct ir_instr *value = gen_value(gen, entry->value);
            gen_store(gen, &subplace, value);
        }
    }
}
