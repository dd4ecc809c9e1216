// SPDX-License-Identifier: Apache-2.0
// IR module <-> the bytes of an object.
//
// A header (magic, version, checksum and size of the rest; target, flags), then the module in the IR's text form.
// Numbers are little-endian. The checksum detects accidental damage. Against malicious objects, reading also checks
// everything that passes assume beyond the verifier: only IR that gen could have made is accepted.
#include "link/object.h"
#include "util/hash.h"

enum { OBJECT_MAGIC = 0x4f43554d, OBJECT_VERSION = 2, HEADER_SIZE = 40 };

// ---- header -------------------------------------------------------------------------------------

struct header {
    uint64_t magic_version, checksum, size, target, flags;
};

_Static_assert(sizeof(struct header) == HEADER_SIZE, "five numbers");

static void put_u64(unsigned char *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_u64(const unsigned char *at)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static uint64_t target_hash(const struct kc_target *target)
{
    return hash_bytes64(target, sizeof *target);
}

static uint64_t magic_version(void)
{
    return OBJECT_MAGIC | (uint64_t)OBJECT_VERSION << 32;
}

// Checksum of everything after magic and checksum.
static uint64_t checksum_of(const unsigned char *bytes, size_t size)
{
    return hash_bytes64(bytes + 16, size - 16);
}

struct str object_write(const struct ir_module *m, unsigned flags)
{
    struct str out;
    char blank[HEADER_SIZE] = {0};
    str_init(&out, m->arena);
    str_addn(&out, blank, sizeof blank);
    ir_print_module(&out, m);
    unsigned char *at = (unsigned char *)out.text;
    put_u64(at, magic_version());
    put_u64(at + 16, out.length - HEADER_SIZE);
    put_u64(at + 24, target_hash(m->target));
    put_u64(at + 32, flags);
    put_u64(at + 8, checksum_of(at, out.length));
    return out;
}

static const char *check_header(const struct ir_module *m, const unsigned char *at, size_t size)
{
    if (size < HEADER_SIZE || (uint32_t)get_u64(at) != OBJECT_MAGIC)
        return "not an object file";
    if (get_u64(at) != magic_version())
        return "made by another version of the compiler";
    if (get_u64(at + 16) != size - HEADER_SIZE)
        return "the file is truncated";
    if (get_u64(at + 8) != checksum_of(at, size))
        return "damaged";
    return get_u64(at + 24) == target_hash(m->target) ? NULL : "made for another device";
}

// ---- invariants of generated IR -----------------------------------------------------------------

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

static bool var_ok(const struct ir_var *var, bool in_module)
{
    bool data = var->space == IR_CONSTANT || var->space == IR_GLOBAL;
    if (in_module ? !data && var->space != IR_LOCAL : var->space != IR_PRIVATE)
        return false;
    if (!power_of_two(var->align) || var->size > UINT32_MAX || (var->init && !data))
        return false;
    if (var->local_arg >= 0 || var->elem.base != IR_VOID || var->count || var->spec_id)
        return false;
    for (uint32_t i = 0; i < var->reloc_count; i++)
        if (!data ||
            (var->relocs[i].var->space != IR_CONSTANT && var->relocs[i].var->space != IR_GLOBAL))
            return false;
    return true;
}

static bool type_ok(const struct ir_type type)
{
    return type.base != IR_PTR || (type.space != IR_PUSH && type.lanes == 1);
}

static bool sys_ok(const struct ir_instr *x)
{
    if (x->op != IR_OP_sys)
        return true;
    if (x->sys >= IR_SYS_VK_SUBGROUP_SIZE && x->sys <= IR_SYS_VK_NUM_SUBGROUPS)
        return !x->dim;
    return x->sys < IR_SYS_VK_GLOBAL_INVOCATION && x->dim < 3;
}

static bool instr_ok(const struct ir_instr *x)
{
    if (x->op == IR_OP_mat_elem_load || x->op == IR_OP_mat_elem_store || x->op == IR_OP_elem_load || x->op == IR_OP_elem_store || x->op == IR_OP_elem_atomic ||
        !sys_ok(x))
        return false;
    bool memory = x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic ||
                  x->op == IR_OP_copy || x->op == IR_OP_zero || x->op == IR_OP_mat_load || x->op == IR_OP_mat_store;
    if (memory && (!power_of_two(x->mem.align) || x->mem.space == IR_PUSH))
        return false;
    if (x->op == IR_OP_copy && (!power_of_two(x->mem_from.align) || x->mem_from.space == IR_PUSH))
        return false;
    if (x->op == IR_OP_kernel_number && !(x->callee->kernel && ir_type_eq(x->type, ir_int(32))))
        return false;
    return type_ok(x->type);
}

static bool arg_ok(const struct kc_arg *arg, struct ir_type type)
{
    bool pointer =
        arg->kind == KC_ARG_GLOBAL || arg->kind == KC_ARG_CONSTANT || arg->kind == KC_ARG_LOCAL;
    if (!arg->name || !arg->type_name || !power_of_two(arg->align) || arg->size > 1 << 20)
        return false;
    if (pointer)
        return type.base == IR_PTR && arg->size == 8;
    if (arg->kind == KC_ARG_QUEUE)
        return ir_type_eq(type, ir_int(64)) && arg->size == 8;
    if (arg->kind == KC_ARG_IMAGE || arg->kind == KC_ARG_SAMPLER)
        return ir_type_eq(type, ir_int(32)) && arg->size == 8;
    bool record = type.base == IR_PTR && type.space == IR_PRIVATE;
    return arg->kind == KC_ARG_VALUE && !ir_is_matrix(type) &&
           (record || (type.base != IR_PTR && ir_type_bytes(type) <= arg->size));
}

static bool kernel_ok(const struct ir_function *f)
{
    const struct kc_kernel *info = &f->kernel->info;
    if (f->result.base != IR_VOID || strcmp(info->name, f->name) ||
        info->arg_count != f->param_count)
        return false;
    if (info->push_count || info->spec_count || info->push_size || info->binding_count || !f->has_body)
        return false;
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (!arg_ok(&info->args[i], f->params[i]->type))
            return false;
    return true;
}

static bool function_ok(const struct ir_function *f)
{
    bool defines = f->linkage == IR_LINK_EXPORT || f->linkage == IR_LINK_INLINE;
    if (defines ? !f->has_body : f->linkage == IR_LINK_IMPORT && f->has_body)
        return false;
    if (f->from_library || (f->kernel && !kernel_ok(f)))
        return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!type_ok(f->params[i]->type) ||
            (ir_is_handle(f, i) && !ir_type_eq(f->params[i]->type, ir_int(32))))
            return false;
    for (size_t i = 0; i < f->vars.count; i++)
        if (!var_ok(f->vars.items[i], false))
            return false;
    if (!f->has_body)
        return true;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!instr_ok(x))
                return false;
    return true;
}

static const char *check_module(const struct ir_module *m)
{
    for (size_t i = 0; i < m->vars.count; i++)
        if (!var_ok(m->vars.items[i], true))
            return arena_printf(m->arena, "invalid variable '%s'", m->vars.items[i]->name);
    for (size_t i = 0; i < m->functions.count; i++)
        if (!function_ok(m->functions.items[i]))
            return arena_printf(m->arena, "invalid function '%s'", m->functions.items[i]->name);
    return ir_verify(m);
}

const char *object_read(struct ir_module *m, const void *bytes, size_t size, unsigned *flags)
{
    const char *error = check_header(m, bytes, size);
    if (error)
        return error;
    *flags = (unsigned)get_u64((const unsigned char *)bytes + 32);
    error = ir_parse(m, (const char *)bytes + HEADER_SIZE, size - HEADER_SIZE);
    return error ? error : check_module(m);
}
