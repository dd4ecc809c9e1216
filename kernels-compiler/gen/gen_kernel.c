// SPDX-License-Identifier: Apache-2.0
// What the runtime needs to know about a kernel and what its source says: arguments and attributes.
#include "gen/gen_internal.h"

static const enum kc_address_qualifier address_of_space[] = {[SPACE_PRIVATE] = KC_ADDRESS_PRIVATE,
                                                             [SPACE_LOCAL] = KC_ADDRESS_LOCAL,
                                                             [SPACE_GLOBAL] = KC_ADDRESS_GLOBAL,
                                                             [SPACE_CONSTANT] = KC_ADDRESS_CONSTANT,
                                                             [SPACE_GENERIC] = KC_ADDRESS_GLOBAL};

static const enum kc_arg_kind kind_of_space[] = {[SPACE_LOCAL] = KC_ARG_LOCAL,
                                                 [SPACE_GLOBAL] = KC_ARG_GLOBAL,
                                                 [SPACE_CONSTANT] = KC_ARG_CONSTANT};

static uint32_t type_qualifiers(struct qtype pointee, struct qtype pointer)
{
    return (pointee.quals & QUAL_CONST || pointee.space == SPACE_CONSTANT ? KC_TYPE_CONST : 0) |
           (pointee.quals & QUAL_VOLATILE ? KC_TYPE_VOLATILE : 0) |
           (pointer.quals & QUAL_RESTRICT ? KC_TYPE_RESTRICT : 0);
}

static struct kc_arg describe_arg(struct gen *gen, const struct decl *param)
{
    struct qtype type = param->type;
    struct str name;
    str_init(&name, gen->arena);
    type_print_arg(&name, type, param->typedef_name);
    struct kc_arg arg = {.name = param->name ? param->name : "",
                         .type_name = name.text,
                         .address = KC_ADDRESS_PRIVATE,
                         .size = type.type->kind == TYPE_POINTER ? 8 : (uint32_t)type.type->size, // 8: a cl_mem
                         .align = type.type->align};
    if (type.type->kind == TYPE_POINTER) {
        struct qtype pointee = type.type->elem;
        arg.kind = kind_of_space[pointee.space];
        arg.address = address_of_space[pointee.space];
        arg.type_qualifiers = type_qualifiers(pointee, type);
        if (arg.kind == KC_ARG_LOCAL) {
            arg.align = pointee.type->align ? pointee.type->align : 1;
            arg.elem_size = (uint32_t)pointee.type->size;
        }
    } else if (type_is_opaque(type.type, OPAQUE_PIPE)) { // a buffer whose format the library defines
        arg.kind = KC_ARG_GLOBAL;
        arg.address = KC_ADDRESS_GLOBAL;
        arg.type_qualifiers = KC_TYPE_PIPE;
        arg.access = (enum kc_access_qualifier)type.access;
        arg.elem_size = (uint32_t)type.type->elem.type->size;
        arg.size = 8;
    } else if (type_is_enqueue(type.type)) {
        arg.kind = KC_ARG_QUEUE;
    } else if (type.type->kind == TYPE_OPAQUE) {
        arg.kind = type.type->opaque == OPAQUE_SAMPLER ? KC_ARG_SAMPLER : KC_ARG_IMAGE;
        arg.access = (enum kc_access_qualifier)type.access;
        arg.address = arg.kind == KC_ARG_IMAGE ? KC_ADDRESS_GLOBAL : KC_ADDRESS_PRIVATE;
        arg.dim = gen_image(type.type, 0).dim;
    }
    return arg;
}

static void sizes_attribute(struct str *out, const char *name, const uint32_t size[3])
{
    str_printf(out, "%s%s(%u,%u,%u)", out->length ? " " : "", name, size[0], size[1], size[2]);
}

static const char *describe_attributes(struct gen *gen, const struct attributes *attributes)
{
    struct str out;
    str_init(&out, gen->arena);
    str_add(&out, "");
    if (attributes->has_reqd)
        sizes_attribute(&out, "reqd_work_group_size", attributes->reqd_work_group_size);
    if (attributes->has_hint)
        sizes_attribute(&out, "work_group_size_hint", attributes->work_group_size_hint);
    if (attributes->has_vec_type_hint) {
        str_add(&out, out.length ? " vec_type_hint(" : "vec_type_hint(");
        type_print_arg(&out, attributes->vec_type_hint, NULL);
        str_add(&out, ")");
    }
    return out.text;
}

// One of the device's sub-group sizes, or 0. Under a mapping any size is accepted: it depends on the device.
static uint32_t required_sub_group_size(struct gen *gen, const struct decl *decl)
{
    uint32_t wanted = decl->attributes.sub_group_size, size = gen->target->subgroup_size;
    bool has = kc_has_sub_groups_of(gen->target, wanted) || wanted == size;
    if (wanted && !has && !gen->target->mapping.on && gen->target->subgroups)
        diag_error(gen->diag, decl->loc, "kernel '%s' requires a sub-group size of %u, the device's is %u", decl->name, wanted, size);
    return has ? wanted : 0;
}

void gen_kernel_info(struct gen *gen, struct ir_function *function, struct decl *decl)
{
    struct ir_kernel *kernel = ARENA_NEW(gen->arena, struct ir_kernel);
    struct kc_arg *args = ARENA_ARRAY(gen->arena, struct kc_arg, decl->param_count);
    for (uint32_t i = 0; i < decl->param_count; i++)
        args[i] = describe_arg(gen, decl->params[i]);
    kernel->origin = diag_place(gen->diag, decl->loc);
    kernel->info = (struct kc_kernel){.name = decl->name,
                                      .attributes = describe_attributes(gen, &decl->attributes),
                                      .args = args,
                                      .arg_count = decl->param_count};
    if (decl->attributes.has_reqd) {
        memcpy(kernel->info.reqd_local_size, decl->attributes.reqd_work_group_size, sizeof kernel->info.reqd_local_size);
        kernel->info.partial_groups = !gen->options->uniform_groups;
    }
    if (decl->attributes.has_hint)
        memcpy(kernel->info.local_size_hint, decl->attributes.work_group_size_hint, sizeof kernel->info.local_size_hint);
    kernel->info.reqd_sub_group_size = required_sub_group_size(gen, decl);
    function->kernel = kernel;
}
