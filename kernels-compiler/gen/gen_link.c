// SPDX-License-Identifier: Apache-2.0
// Linkage for separate compilation: which functions and variables other units may use, and the types that units must
// agree on.
//
// A type is compared as text: the declarator, then the fields of each struct that is passed or stored by value, so
// that different structs of one name in two units conflict. The text omits array lengths, because an extern
// declaration may lack one; the linker compares sizes. Names with internal linkage get a suffix that no identifier
// contains, so that they cannot collide with external names.
#include "gen/gen_internal.h"
#include "util/stack.h"

const char *gen_internal_name(struct gen *gen, const char *name)
{
    return gen->options->separate ? arena_printf(gen->arena, "%s.i", name) : name;
}

static bool is_external(const struct decl *decl)
{
    return decl->storage == STORAGE_EXTERN || (decl->file_scope && decl->storage != STORAGE_STATIC);
}

// ---- types as text ------------------------------------------------------------------------------

static void add_records(struct gen *gen, struct str *out, struct map *seen, const struct type *type)
{
    stack_check();
    while (type->kind == TYPE_ARRAY)
        type = type->elem.type;
    if (!type_is_record(type) || map_get(seen, type))
        return;
    const struct record *record = type->record;
    map_set(gen->arena, seen, type, seen);
    str_add(out, ", ");
    type_print(out, qtype_of((struct type *)type));
    str_add(out, " {");
    for (uint32_t i = 0; i < record->field_count; i++) {
        str_printf(out, "%s%llu: ", i ? ", " : "", (unsigned long long)record->fields[i].offset);
        type_print(out, record->fields[i].type);
    }
    str_add(out, "}");
    for (uint32_t i = 0; i < record->field_count; i++)
        add_records(gen, out, seen, record->fields[i].type.type);
}

static const char *variable_type(struct gen *gen, const struct decl *decl)
{
    static const char *const spaces[] = {"", "__local ", "__global ", "__constant ", ""};
    struct qtype type = decl->type;
    bool array = type.type->kind == TYPE_ARRAY;
    struct map seen = {0};
    struct str out;
    str_init(&out, gen->arena);
    str_add(&out, spaces[decl->type.space]);
    if (array)
        type = type.type->elem;
    if (decl->type.space == SPACE_CONSTANT)
        type.quals &= (uint8_t)~QUAL_CONST;
    type_print(&out, type);
    if (array)
        str_add(&out, " []");
    add_records(gen, &out, &seen, type.type);
    return out.text;
}

static const char *function_type(struct gen *gen, const struct decl *decl)
{
    const struct type *type = decl->type.type;
    struct map seen = {0};
    struct str out;
    str_init(&out, gen->arena);
    type_print(&out, decl->type);
    add_records(gen, &out, &seen, type->elem.type);
    for (uint64_t i = 0; i < type->count; i++)
        add_records(gen, &out, &seen, type->params[i].type);
    return out.text;
}

// ---- linkage ------------------------------------------------------------------------------------

void gen_link_function(struct gen *gen, const struct decl *decl, struct ir_function *function)
{
    if (!gen->options->separate || decl->storage == STORAGE_STATIC)
        return;
    bool is_weak = decl->is_inline && decl->storage != STORAGE_EXTERN;
    function->linkage = !decl->defined ? IR_LINK_IMPORT
                        : is_weak    ? IR_LINK_INLINE
                                       : IR_LINK_EXPORT;
    function->c_type = function_type(gen, decl);
}

const char *gen_link_name(struct gen *gen, const struct decl *decl)
{
    return is_external(decl) ? decl->name : gen_internal_name(gen, decl->name);
}

// The address of an external variable that already exists under this name: an extern declaration in a function has a
// decl of its own. Definitions are made first.
struct ir_instr *gen_link_known(struct gen *gen, const struct decl *decl)
{
    if (!gen->options->separate || !is_external(decl))
        return NULL;
    struct ir_var *var =
        map_get(&gen->module->vars_by_name, intern_cstring(gen->module->intern, decl->name));
    return var ? ir_addr(gen->module, var) : NULL;
}

void gen_link_variable(struct gen *gen, const struct decl *decl, struct ir_var *var)
{
    if (!gen->options->separate || !is_external(decl))
        return;
    var->linkage = decl->defined ? IR_LINK_EXPORT : IR_LINK_IMPORT;
    var->c_type = variable_type(gen, decl);
}

// Exported variables are generated even if this unit does not use them.
void gen_link_exports(struct gen *gen, const struct unit *unit)
{
    if (!gen->options->separate)
        return;
    for (size_t i = 0; i < unit->variables.count; i++)
        if (is_external(unit->variables.items[i]) && !gen_is_constant_sampler(unit->variables.items[i]))
            gen_variable_address(gen, unit->variables.items[i]);
}
