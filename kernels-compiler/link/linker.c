// SPDX-License-Identifier: Apache-2.0
// The linker: selects one definition for each name, then moves everything into one module.
//
// Functions and variables with internal linkage get the unit's number as a suffix, so that those of different units
// never collide. Each external name is resolved to a definition, else an inline definition, else a declaration; uses
// of the others are redirected to it. Declarations without linkage are built-in library functions, which are linked
// later.
#include "link/linker.h"

struct symbol {
    struct ir_function *function; // a function, or
    struct ir_var *var;
    size_t unit; // unit of the selected definition
};

struct linker {
    struct ir_module *into;
    struct ir_module *const *units;
    size_t count;
    struct diag *diag;
    struct map symbols;  // name -> struct symbol
    struct map builtins; // name -> function
};

static const char *intern_printed(struct linker *l, const char *text)
{
    return intern_cstring(l->into->intern, text);
}

// ---- names --------------------------------------------------------------------------------------

// The name of an overloadable function contains its types, like a built-in function's: a prefix distinguishes them.
static const char *external_name(struct linker *l, const char *name)
{
    if (!strchr(name, '.') || !strncmp(name, "u.", 2))
        return name;
    return intern_printed(l, arena_printf(l->into->arena, "u.%s", name));
}

static const char *internal_name(struct linker *l, const char *name, size_t unit)
{
    return intern_printed(l, arena_printf(l->into->arena, "%s.u%zu", name, unit));
}

// The name in the source.
static const char *source_name(struct linker *l, const char *name)
{
    if (!strncmp(name, "u.", 2))
        name += 2;
    return arena_strndup(l->into->arena, name, strcspn(name, "."));
}

static void rename_unit(struct linker *l, size_t index)
{
    struct ir_module *m = l->units[index];
    for (size_t i = 0; i < m->vars.count; i++)
        if (m->vars.items[i]->linkage == IR_LINK_NONE)
            m->vars.items[i]->name = internal_name(l, m->vars.items[i]->name, index);
    for (size_t i = 0; i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (f->linkage != IR_LINK_NONE)
            f->name = external_name(l, f->name);
        else if (f->has_body)
            f->name = internal_name(l, f->name, index);
        if (f->kernel && f->linkage == IR_LINK_NONE)
            f->kernel->info.name = f->name;
    }
}

// ---- resolution ---------------------------------------------------------------------------------

static bool same_signature(const struct ir_function *a, const struct ir_function *b)
{
    bool same = a->param_count == b->param_count && ir_type_eq(a->result, b->result);
    for (uint32_t i = 0; same && i < a->param_count; i++)
        same = ir_type_eq(a->params[i]->type, b->params[i]->type);
    return same;
}

// Compares types as written in the sources; SPIR-V modules have none for internal types, which match anything.
static bool types_agree(const char *a, const char *b)
{
    return !*a || !*b || !strcmp(a, b);
}

static const char *function_type(struct linker *l, const struct ir_function *f)
{
    struct str text;
    if (*f->c_type)
        return f->c_type;
    str_init(&text, l->into->arena);
    ir_print_type(&text, f->result);
    for (uint32_t i = 0; i < f->param_count; i++) {
        str_add(&text, i ? ", " : "(");
        ir_print_type(&text, f->params[i]->type);
    }
    str_add(&text, f->param_count ? ")" : "()");
    return text.text;
}

static void report_types(struct linker *l, const char *name, size_t a, const char *a_type, size_t b,
                         const char *b_type)
{
    diag_error(l->diag, (struct loc){0},
               "'%s' has type '%s' in program %zu, but '%s' in program %zu", source_name(l, name), a_type,
               a, b_type, b);
}

static struct symbol *symbol_of(struct linker *l, const char *name, bool function, size_t unit)
{
    struct symbol *symbol = map_get(&l->symbols, name);
    if (!symbol) {
        symbol = ARENA_NEW(l->into->arena, struct symbol);
        symbol->unit = unit;
        map_set(l->into->arena, &l->symbols, name, symbol);
    } else if (function != (symbol->function != NULL)) {
        diag_error(l->diag, (struct loc){0},
                   "'%s' is a function in one of the programs %zu and %zu, and a variable in the other",
                   source_name(l, name), symbol->unit, unit);
        return NULL;
    }
    return symbol;
}

// Returns whether the new definition takes precedence.
static bool takes_precedence(struct linker *l, const char *name, struct symbol *symbol, unsigned old,
                             unsigned fresh, size_t unit)
{
    static const uint8_t ranks[] = {
        [IR_LINK_EXPORT] = 2, [IR_LINK_INLINE] = 1, [IR_LINK_IMPORT] = 0};
    if (old == IR_LINK_EXPORT && fresh == IR_LINK_EXPORT)
        diag_error(l->diag, (struct loc){0}, "'%s' is defined in programs %zu and %zu",
                   source_name(l, name), symbol->unit, unit);
    return ranks[fresh] > ranks[old];
}

static void enter_function(struct linker *l, struct ir_function *f, size_t unit)
{
    struct symbol *symbol = symbol_of(l, f->name, true, unit);
    if (!symbol)
        return;
    struct ir_function *old = symbol->function;
    if (old && (!types_agree(old->c_type, f->c_type) || !same_signature(old, f))) {
        report_types(l, f->name, symbol->unit, function_type(l, old), unit, function_type(l, f));
    } else if (!old || takes_precedence(l, f->name, symbol, old->linkage, f->linkage, unit)) {
        symbol->function = f;
        symbol->unit = unit;
    }
}

static const char *sized_type(struct linker *l, const struct ir_var *var)
{
    const char *type = *var->c_type ? var->c_type : "memory";
    return var->size ? arena_printf(l->into->arena, "%s of %llu bytes", type,
                                    (unsigned long long)var->size)
                     : type;
}

static void enter_var(struct linker *l, struct ir_var *var, size_t unit)
{
    struct symbol *symbol = symbol_of(l, var->name, false, unit);
    if (!symbol)
        return;
    struct ir_var *old = symbol->var;
    bool sizes_agree = !old || old->size == var->size ||
                       (old->linkage == IR_LINK_IMPORT && !old->size) ||
                       (var->linkage == IR_LINK_IMPORT && !var->size);
    if (old && (!types_agree(old->c_type, var->c_type) || old->space != var->space || !sizes_agree)) {
        report_types(l, var->name, symbol->unit, sized_type(l, old), unit, sized_type(l, var));
        return;
    }
    uint32_t align = old && old->align > var->align ? old->align : var->align;
    if (!old || takes_precedence(l, var->name, symbol, old->linkage, var->linkage, unit) ||
        (!old->size && var->size)) {
        symbol->var = var;
        symbol->unit = unit;
    }
    symbol->var->align = align;
}

static void enter_builtin(struct linker *l, struct ir_function *f)
{
    struct ir_function *old = map_get(&l->builtins, f->name);
    if (!old)
        map_set(l->into->arena, &l->builtins, f->name, f);
    else if (!same_signature(old, f))
        diag_error(l->diag, (struct loc){0}, "builtin function '%s' is called with two different types",
                   source_name(l, f->name));
}

static void enter_unit(struct linker *l, size_t index)
{
    struct ir_module *m = l->units[index];
    for (size_t i = 0; i < m->vars.count; i++)
        if (m->vars.items[i]->linkage != IR_LINK_NONE)
            enter_var(l, m->vars.items[i], index + 1);
    for (size_t i = 0; i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (f->linkage != IR_LINK_NONE)
            enter_function(l, f, index + 1);
        else if (!f->has_body)
            enter_builtin(l, f);
    }
}

static struct ir_var *chosen_var(const struct linker *l, struct ir_var *var)
{
    return var->linkage == IR_LINK_NONE ? var
                                        : ((struct symbol *)map_get(&l->symbols, var->name))->var;
}

static struct ir_function *chosen_function(const struct linker *l, struct ir_function *f)
{
    if (f->linkage != IR_LINK_NONE)
        return ((struct symbol *)map_get(&l->symbols, f->name))->function;
    return f->has_body ? f : map_get(&l->builtins, f->name);
}

static void report_undefined(struct linker *l)
{
    for (size_t unit = 0; unit < l->count; unit++) {
        struct ir_module *m = l->units[unit];
        for (size_t i = 0; i < m->vars.count; i++)
            if (m->vars.items[i]->linkage == IR_LINK_IMPORT &&
                chosen_var(l, m->vars.items[i]) == m->vars.items[i])
                diag_error(l->diag, (struct loc){0}, "undefined reference to '%s' in program %zu",
                           source_name(l, m->vars.items[i]->name), unit + 1);
        for (size_t i = 0; i < m->functions.count; i++)
            if (m->functions.items[i]->linkage == IR_LINK_IMPORT &&
                chosen_function(l, m->functions.items[i]) == m->functions.items[i])
                diag_error(l->diag, (struct loc){0}, "undefined reference to '%s' in program %zu",
                           source_name(l, m->functions.items[i]->name), unit + 1);
    }
}

// ---- moving -------------------------------------------------------------------------------------

static void move_vars(struct linker *l, struct ir_module *m)
{
    for (size_t i = 0; i < m->vars.count; i++) {
        struct ir_var *var = m->vars.items[i], *chosen = chosen_var(l, var);
        for (uint32_t k = 0; k < var->reloc_count; k++)
            var->relocs[k].var = chosen_var(l, var->relocs[k].var);
        if (chosen != var) {
            if (var->address)
                var->address->var = chosen;
            continue;
        }
        vec_push(l->into->arena, &l->into->vars, var);
        map_set(l->into->arena, &l->into->vars_by_name, var->name, var);
        map_set(l->into->arena, &l->into->var_names, var->name, (void *)1);
    }
}

static void move_functions(struct linker *l, struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (chosen_function(l, f) != f)
            continue;
        if (map_get(&l->into->functions_by_name, f->name))
            diag_error(l->diag, (struct loc){0}, "'%s' is defined twice", f->name);
        f->module = l->into;
        vec_push(l->into->arena, &l->into->functions, f);
        map_set(l->into->arena, &l->into->functions_by_name, f->name, f);
        for (struct ir_block *b = f->has_body ? ir_first_block(f) : NULL; b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_call || x->op == IR_OP_kernel_number)
                    x->callee = chosen_function(l, x->callee);
    }
}

// ---- recursion ----------------------------------------------------------------------------------

struct visit {
    struct ir_function *function;
    struct ir_block *block; // where to continue
    struct ir_instr *at;
};

static struct ir_function *next_callee(struct visit *v)
{
    while (v->block) {
        while (v->at) {
            struct ir_instr *x = v->at;
            v->at = x->next;
            if (x->op == IR_OP_call)
                return x->callee;
        }
        v->block = ir_next_block(v->block);
        v->at = v->block ? v->block->first : NULL;
    }
    return NULL;
}

static struct visit visit_of(struct ir_function *f)
{
    struct ir_block *block = f->has_body ? ir_first_block(f) : NULL;
    return (struct visit){f, block, block ? block->first : NULL};
}

enum { UNSEEN, ACTIVE, DONE }; // ir_function.id

// Depth-first search over calls with an explicit stack. Cycles within a unit were found before, so only those across
// units are found here.
static void check_recursion(struct linker *l)
{
    struct ir_module *m = l->into;
    VEC(struct visit) path = {0};
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = UNSEEN;
    for (size_t i = 0; i < m->functions.count; i++) {
        if (m->functions.items[i]->id != UNSEEN)
            continue;
        m->functions.items[i]->id = ACTIVE;
        vec_push(m->arena, &path, visit_of(m->functions.items[i]));
        while (path.count) {
            struct visit *top = &path.items[path.count - 1];
            struct ir_function *callee = next_callee(top);
            if (!callee) {
                top->function->id = DONE;
                path.count--;
            } else if (callee->id == ACTIVE) {
                diag_error(l->diag, (struct loc){0},
                           "recursion is not supported in OpenCL C: '%s' calls '%s'",
                           source_name(l, top->function->name), source_name(l, callee->name));
            } else if (callee->id == UNSEEN) {
                callee->id = ACTIVE;
                vec_push(m->arena, &path, visit_of(callee));
            }
        }
    }
}

void link_units(struct ir_module *into, struct ir_module *const *units, size_t count, bool library,
                struct diag *diag)
{
    struct linker l = {.into = into, .units = units, .count = count, .diag = diag};
    for (size_t i = 0; i < count; i++)
        rename_unit(&l, i);
    for (size_t i = 0; i < count; i++)
        enter_unit(&l, i);
    if (diag->errors)
        return;
    if (!library)
        report_undefined(&l);
    if (diag->errors)
        return;
    for (size_t i = 0; i < count; i++)
        move_vars(&l, units[i]);
    for (size_t i = 0; i < count; i++)
        move_functions(&l, units[i]);
    check_recursion(&l);
}
