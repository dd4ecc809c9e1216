// SPDX-License-Identifier: Apache-2.0
// Text -> IR, the inverse of print.c (which describes the form), in one pass. A phi may name values and blocks that
// come later; these are filled in at the end of the function. This file: variables, kernels, functions, the module.
#include "ir/parse.h"

// ---- variables, kernels, functions --------------------------------------------------------------

static void init_bytes(struct parse *p, struct ir_var *var)
{
    irp_expect_char(p, '"');
    if ((uint64_t)(p->end - p->at) / 2 < var->size) {
        irp_fail(p, "too few bytes for the variable's size", "", 0);
        return;
    }
    uint8_t *bytes = arena_alloc(p->m->arena, (size_t)var->size + 1);
    for (uint64_t i = 0; i < var->size; i++, p->at += 2) {
        int high = irp_hex_digit(p->at[0]), low = irp_hex_digit(p->at[1]);
        if (high < 0 || low < 0) {
            irp_fail(p, "bad bytes", "", 0);
            return;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    irp_expect_char(p, '"');
    var->init = bytes;
}

static void add_reloc(struct parse *p, struct ir_var *var)
{
    uint32_t count = var->reloc_count;
    if (!(count & (count - 1))) { // full: double the capacity
        struct ir_reloc *grown = ARENA_ARRAY(p->m->arena, struct ir_reloc, count ? count * 2 : 1);
        if (count)
            memcpy(grown, var->relocs, count * sizeof *grown);
        var->relocs = grown;
    }
    struct ir_reloc *r = &var->relocs[var->reloc_count++];
    r->offset = irp_integer(p);
    irp_expect_char(p, '@');
    vec_push(p->arena, &p->late_relocs, ((struct late_reloc){var, count, irp_name(p)}));
    r->addend = (int64_t)irp_integer(p);
    uint32_t bytes = kc_pointer_bytes(p->m->target);
    if (var->size < bytes || r->offset > var->size - bytes)
        irp_fail(p, "a relocation outside of its variable", "", 0);
}

static void finish_relocs(struct parse *p)
{
    for (size_t i = 0; i < p->late_relocs.count && !p->error; i++) {
        struct late_reloc *late = &p->late_relocs.items[i];
        struct ir_var *var = map_get(&p->m->vars_by_name, late->target);
        if (!var)
            irp_fail(p, "unknown variable", late->target, strlen(late->target));
        late->var->relocs[late->index].var = var;
    }
}

// "export", "import" or "definition", and the type in C syntax.
static uint8_t linkage(struct parse *p, const char **c_type)
{
    for (unsigned i = IR_LINK_EXPORT; ir_linkage_names[i]; i++) {
        if (!irp_accept(p, ir_linkage_names[i]))
            continue;
        *c_type = irp_quoted(p);
        return (uint8_t)i;
    }
    return IR_LINK_NONE;
}

static void parse_var(struct parse *p, struct ir_function *f)
{
    enum ir_space space = IR_PRIVATE;
    const char *c_type = NULL;
    uint8_t link = f ? IR_LINK_NONE : linkage(p, &c_type);
    irp_expect_char(p, f ? '$' : '@');
    const char *n = irp_name(p);
    struct map *map = f ? &p->private_vars : &p->m->vars_by_name;
    if (!f)
        space = irp_one_of(p, ir_space_names);
    irp_expect(p, "size");
    uint64_t size = irp_integer(p);
    irp_expect(p, "align");
    uint32_t align = irp_number(p);
    if (map_get(map, n))
        irp_fail(p, "a variable of that name exists already:", n, strlen(n));
    struct ir_var *var = ir_var_add(p->m, f, n, space, size, align);
    var->linkage = link;
    var->c_type = c_type;
    if (f)
        map_set(p->arena, map, n, var);
    while (!p->error) {
        if (irp_accept(p, "local_arg"))
            var->local_arg = (int32_t)irp_integer(p);
        else if (irp_accept(p, "elem"))
            var->elem = irp_type(p);
        else if (irp_accept(p, "count"))
            var->count = irp_integer(p);
        else if (irp_accept(p, "spec"))
            var->spec_id = irp_number(p);
        else if (irp_accept(p, "binding"))
            var->binding = irp_number(p);
        else if (irp_accept(p, "init"))
            init_bytes(p, var);
        else if (irp_accept(p, "reloc"))
            add_reloc(p, var);
        else
            break;
    }
}

static void three(struct parse *p, uint32_t sizes[3])
{
    for (unsigned i = 0; i < 3; i++)
        sizes[i] = irp_number(p);
}

static bool kernel_number(struct parse *p, struct kc_kernel *info)
{
#define NUMBER(field)                                                                              \
    if (irp_accept(p, #field)) {                                                                   \
        info->field = irp_number(p);                                                               \
        return true;                                                                               \
    }
    IR_KERNEL_NUMBERS
#undef NUMBER
    return false;
}

static void parse_kernel(struct parse *p, struct ir_kernel *kernel)
{
    struct kc_kernel *info = &kernel->info;
    for (;;) {
        if (irp_accept(p, "name"))
            info->name = irp_quoted(p);
        else if (irp_accept(p, "attributes"))
            info->attributes = irp_quoted(p);
        else if (irp_accept(p, "reqd"))
            three(p, info->reqd_local_size);
        else if (irp_accept(p, "hint"))
            three(p, info->local_size_hint);
        else if (irp_accept(p, "vec_type_hint"))
            kernel->vec_type_hint = irp_number(p);
        else if (!kernel_number(p, info))
            return;
    }
}

static struct kc_arg parse_arg(struct parse *p)
{
    struct kc_arg arg = {.name = irp_quoted(p), .dim = KC_DIM_2D};
    for (;;) {
        if (irp_accept(p, "kind"))
            arg.kind = irp_one_of(p, ir_arg_kind_names);
        else if (irp_accept(p, "size"))
            arg.size = irp_number(p);
        else if (irp_accept(p, "align"))
            arg.align = irp_number(p);
        else if (irp_accept(p, "elem"))
            arg.elem_size = irp_number(p);
        else if (irp_accept(p, "type"))
            arg.type_name = irp_quoted(p);
        else if (irp_accept(p, "address"))
            arg.address = irp_one_of(p, ir_address_names);
        else if (irp_accept(p, "access"))
            arg.access = irp_one_of(p, ir_access_names);
        else if (irp_accept(p, "qualifiers"))
            arg.type_qualifiers = irp_number(p);
        else if (irp_accept(p, "clustered"))
            arg.clustered = true;
        else if (irp_accept(p, "written"))
            arg.written = true;
        else if (irp_accept(p, "aligned"))
            arg.aligned = true;
        else if (irp_accept(p, "disjoint"))
            arg.disjoint = irp_integer(p);
        else if (irp_accept(p, "dim"))
            arg.dim = (uint8_t)irp_one_of(p, ir_image_dim_names);
        else
            return arg;
    }
}

static struct kc_push parse_push(struct parse *p)
{
    struct kc_push push = {.kind = irp_one_of(p, ir_push_names)};
    irp_expect(p, "dim");
    push.dim = irp_number(p);
    irp_expect(p, "arg");
    push.arg = irp_number(p);
    irp_expect(p, "offset");
    push.offset = irp_number(p);
    irp_expect(p, "size");
    push.size = irp_number(p);
    return push;
}

static struct kc_spec parse_spec(struct parse *p)
{
    struct kc_spec spec = {.kind = irp_one_of(p, ir_spec_names)};
    irp_expect(p, "id");
    spec.id = irp_number(p);
    irp_expect(p, "dim");
    spec.dim = irp_number(p);
    irp_expect(p, "arg");
    spec.arg = irp_number(p);
    irp_expect(p, "unit");
    spec.unit = irp_number(p);
    return spec;
}

static struct kc_binding parse_binding(struct parse *p)
{
    struct kc_binding binding = {.kind = irp_one_of(p, ir_binding_names)};
    irp_expect(p, "arg");
    binding.arg = irp_number(p);
    if (binding.kind >= KC_BINDING_BUFFER)
        return binding;
    binding.dim = irp_one_of(p, ir_image_dim_names);
    binding.texel = irp_one_of(p, ir_texel_names);
    binding.depth = irp_accept(p, "depth");
    if (irp_accept(p, "level"))
        binding.level = (uint8_t)irp_number(p);
    return binding;
}

// Parses the lines before the first instruction.
static void declarations(struct parse *p, struct ir_function *f)
{
    VEC(struct kc_arg) args = {0};
    VEC(struct kc_push) pushes = {0};
    VEC(struct kc_spec) specs = {0};
    VEC(struct kc_binding) bindings = {0};
    while (!p->error) {
        if (irp_accept(p, "var"))
            parse_var(p, f);
        else if (f->kernel && irp_accept(p, "kernel"))
            parse_kernel(p, f->kernel);
        else if (f->kernel && irp_accept(p, "arg"))
            vec_push(p->m->arena, &args, parse_arg(p));
        else if (f->kernel && irp_accept(p, "push"))
            vec_push(p->m->arena, &pushes, parse_push(p));
        else if (f->kernel && irp_accept(p, "spec"))
            vec_push(p->m->arena, &specs, parse_spec(p));
        else if (f->kernel && irp_accept(p, "binding"))
            vec_push(p->m->arena, &bindings, parse_binding(p));
        else
            break;
    }
    if (!f->kernel)
        return;
    struct kc_kernel *info = &f->kernel->info;
    info->args = args.items;
    info->arg_count = (uint32_t)args.count;
    info->push = pushes.items;
    info->push_count = (uint32_t)pushes.count;
    info->specs = specs.items;
    info->spec_count = (uint32_t)specs.count;
    info->bindings = bindings.items;
    info->binding_count = (uint32_t)bindings.count;
    for (uint32_t i = 0; i < info->binding_count; i++)
        bindings.items[i].binding = i;
    if (!info->name)
        info->name = f->name;
}

static void finish_phis(struct parse *p)
{
    for (size_t i = 0; i < p->late.count && !p->error; i++) {
        struct late *late = &p->late.items[i];
        struct ir_block *pred = late->block < p->blocks.count ? p->blocks.items[late->block] : NULL;
        if (late->value != UINT32_MAX)
            late->phi->src[late->index] =
                late->value < p->values.count ? p->values.items[late->value] : NULL;
        late->phi->preds[late->index] = pred;
        if (!pred || !late->phi->src[late->index])
            irp_fail(p, "a phi names a value or block that is not there, in function", p->f->name,
                     strlen(p->f->name));
    }
}

static struct ir_function *head(struct parse *p)
{
    const char *c_type = NULL;
    uint8_t link = linkage(p, &c_type);
    bool kernel = irp_accept(p, "kernel"), always = irp_accept(p, "inline"),
         never = irp_accept(p, "noinline");
    bool library = irp_accept(p, "library");
    VEC(struct ir_type) params = {0};
    VEC(uint32_t) handles = {0};
    irp_expect_char(p, '@');
    const char *n = irp_name(p);
    irp_expect_char(p, '(');
    while (!p->error && !irp_accept_char(p, ')')) {
        if (params.count)
            irp_expect_char(p, ',');
        irp_expect_char(p, '%');
        if (irp_table_number(p) != params.count)
            irp_fail(p, "parameters are numbered from 0", "", 0);
        irp_expect_char(p, ':');
        vec_push(p->arena, &params, irp_type(p));
        if (irp_accept(p, "handle"))
            vec_push(p->arena, &handles, (uint32_t)params.count - 1);
    }
    irp_expect_char(p, '-');
    irp_expect_char(p, '>');
    struct ir_type result = irp_type(p);
    struct ir_function *f = ir_function_get(p->m, n, result, params.items, (uint32_t)params.count);
    f->always_inline = always;
    f->no_inline = never;
    f->from_library = library;
    for (size_t i = 0; i < handles.count; i++)
        if (handles.items[i] < f->param_count)
            ir_mark_handle(f, handles.items[i]);
    f->linkage = link;
    f->c_type = c_type;
    if (kernel && !f->kernel)
        f->kernel = ARENA_NEW(p->m->arena, struct ir_kernel);
    bool agrees = f->param_count == params.count && ir_type_eq(f->result, result);
    for (uint32_t i = 0; agrees && i < f->param_count; i++)
        agrees = ir_type_eq(f->params[i]->type, params.items[i]);
    if (!agrees)
        irp_fail(p, "another type than before has", n, strlen(n));
    return f;
}

static void parse_function(struct parse *p)
{
    struct ir_function *f = p->f = head(p);
    vec_push(p->arena, &p->order, f);
    if (!irp_accept_char(p, '{') || p->error)
        return;
    if (f->has_body) {
        irp_fail(p, "defined twice:", f->name, strlen(f->name));
        return;
    }
    ir_function_define(f);
    p->values.count = p->blocks.count = p->late.count = 0;
    p->private_vars = (struct map){0};
    p->b = ir_at_end(f);
    for (uint32_t i = 0; i < f->param_count; i++)
        irp_set_value(p, i, f->params[i]);
    declarations(p, f);
    irp_list(p, &f->body);
    irp_expect_char(p, '}');
    finish_phis(p);
}

// Puts functions into the order of the text; a function that is called before its text was added at the call.
static void restore_order(struct parse *p, size_t before)
{
    struct ir_module *m = p->m;
    struct map known = {0};
    size_t at = before;
    struct ir_function **old =
        arena_copy(p->arena, m->functions.items, m->functions.count * sizeof *old);
    size_t count = m->functions.count;
    for (size_t i = 0; i < before; i++)
        map_set(p->arena, &known, old[i], old[i]);
    for (size_t i = 0; i < p->order.count; i++)
        if (!map_get(&known, p->order.items[i])) {
            map_set(p->arena, &known, p->order.items[i], p->order.items[i]);
            m->functions.items[at++] = p->order.items[i];
        }
    for (size_t i = before; i < count; i++)
        if (!map_get(&known, old[i]))
            m->functions.items[at++] = old[i];
}

const char *ir_parse(struct ir_module *m, const char *text, size_t length)
{
    struct parse *p = ARENA_NEW(m->arena, struct parse);
    *p = (struct parse){.m = m, .arena = m->arena, .start = text, .at = text, .end = text + length};
    size_t before = m->functions.count;
    irp_init_ops(p);
    for (size_t i = 0; i < m->vars.count; i++)
        map_set(p->arena, &p->m->vars_by_name, m->vars.items[i]->name, m->vars.items[i]);
    while (!p->error) {
        irp_skip_space(p);
        if (p->at >= p->end)
            break;
        if (irp_accept(p, "var"))
            parse_var(p, NULL);
        else if (irp_accept(p, "func"))
            parse_function(p);
        else
            irp_fail(p, "expected 'var' or 'func'", "", 0);
    }
    finish_relocs(p);
    if (!p->error && m->functions.count > before)
        restore_order(p, before);
    return p->error;
}
