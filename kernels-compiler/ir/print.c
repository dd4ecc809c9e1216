// SPDX-License-Identifier: Apache-2.0
// IR -> text that parse.c reads back to the same IR.
//
//   var @lut constant size 64 align 16 init "00ff..."
//   func kernel @foo(%0: ptr.global, %1: i32) -> void {
//     kernel reqd 64 1 1
//     arg "out" kind global size 8 align 8 type "float*" address global
//     var $x size 16 align 4
//     %2 = load i32 %0 global align 4
//     if %3 {
//     } else {
//     }
//   b4:                                  a block that a phi names
//     %9 = phi i32 b2: %5, b3: i32 7
//   }
//
// An instruction is `%n = op type sources immediates`. Constants and undef are written at their uses, with types.
#include "ir/text.h"
#include "util/number.h"
#include "util/stack.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const ir_linkage_names[] = {"none", "export", "definition", "import", NULL};
const char *const ir_effective_names[] = {"any", "i16", "i32", "i64", "f16", "f32", "f64", "ptr", NULL};
const char *const ir_space_names[] = {"private", "local", "global", "constant",
                                      "generic", "push",  "buffer",   NULL};
const char *const ir_atomic_names[] = {"load", "store", "xchg", "cmpxchg", "add",  "sub",
                                       "and",  "or",    "xor",  "smin",    "smax", "umin",
                                       "umax", "fadd",  "fmin", "fmax",    NULL};
const char *const ir_subgroup_names[] = {
    "elect",        "all",         "any",        "all_equal",       "ballot",  "inverse_ballot",
    "ballot_bit",   "ballot_count", "ballot_lsb", "ballot_msb",     "broadcast_first", "shuffle",
    "shuffle_xor",  "shuffle_up",  "shuffle_down", "iadd",          "fadd",    "imul",
    "fmul",         "smin",        "umin",       "fmin",            "smax",    "umax",
    "fmax",         "and",         "or",         "xor",             NULL};
const char *const ir_group_names[] = {"reduce", "inclusive", "exclusive", "clustered", NULL};
const char *const ir_scope_names[] = {"work_item", "sub_group",   "work_group",
                                      "device",    "all_devices", NULL};
const char *const ir_order_names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst", NULL};
const char *const ir_use_names[] = {"a", "b", "c", NULL};
const char *const ir_matrix_flag_names[] = {"a_signed", "b_signed", "c_signed", "result_signed", "saturating", NULL};
const char *const ir_sys_names[] = {"global_id",
                                    "global_size",
                                    "global_offset",
                                    "local_id",
                                    "local_size",
                                    "enqueued_local_size",
                                    "num_groups",
                                    "group_id",
                                    "global_linear_id",
                                    "local_linear_id",
                                    "work_dim",
                                    "printf",
                                    "enqueued",
                                    "launch",
                                    "vk_global_invocation",
                                    "vk_workgroup_id",
                                    "vk_local_invocation",
                                    "vk_local_index",
                                    "vk_num_workgroups",
                                    "vk_local_size",
                                    "vk_spec",
                                    "vk_subgroup_size",
                                    "vk_subgroup_invocation",
                                    "vk_subgroup_id",
                                    "vk_num_subgroups",
                                    "buffer",
                                    NULL};
const char *const ir_arg_kind_names[] = {"value", "global",  "constant", "local",
                                         "image", "sampler", "queue", NULL};
const char *const ir_address_names[] = {"global", "local", "constant", "private", NULL};
const char *const ir_access_names[] = {"none", "read_only", "write_only", "read_write", NULL};
const char *const ir_push_names[] = {"arg",         "buffer_number", "local_arg",   "global_base",
                                     "global_offset", "global_size", "num_groups",  "group_base",
                                     "enqueued_local", "work_dim",   "data",        "printf",
                                     "enqueued",    "launch",        "scratch",     "image_order",
                                     "image_type",  "image_size",    "items",       NULL};
const char *const ir_spec_names[] = {"local_size", "local_arg", "local_items", "local_total", "image_format", "sampler", "guard", NULL};

_Static_assert(sizeof ir_push_names / sizeof *ir_push_names == KC_PUSH_ITEMS + 2,
               "a name for each kind of push values");
_Static_assert(sizeof ir_sys_names / sizeof *ir_sys_names == IR_SYS_COUNT + 1,
               "a name for each system value");
_Static_assert(sizeof ir_atomic_names / sizeof *ir_atomic_names == IR_ATOMIC_COUNT + 1,
               "and each atomic operation");
_Static_assert(sizeof ir_subgroup_names / sizeof *ir_subgroup_names == IR_SUBGROUP_COUNT + 1,
               "and each sub-group operation");

const char *const ir_image_dim_names[] = {"1d", "1d_array", "2d", "2d_array", "3d", "buffer", NULL};
const char *const ir_texel_names[] = {"float", "int", "uint", NULL};
const char *const ir_image_info_names[] = {"order", "type", "size", "filter", "by_uint", "mapped", "srgb", "borders", NULL};
const char *const ir_binding_names[] = {"sampled",        "storage",  "uniform_texels",
                                        "storage_texels", "samplers", "buffer", "cluster", "data", "printf", "scratch", "push",
                                        "pods",           "pods_uniform", "uniform", "sampler", NULL};

struct print {
    struct str *out;
    unsigned depth;
};

// ---- operands -----------------------------------------------------------------------------------

// What occurs often is printed without str_printf(): the runtime serializes most programs. Literals are copied inline,
// by their constant lengths.
__attribute__((always_inline)) static inline void add_literal(struct str *out, const char *text, size_t length)
{
    if (out->length + length < out->capacity) {
        memcpy(out->text + out->length, text, length + 1);
        out->length += length;
    } else {
        str_addn(out, text, length);
    }
}

static void add_number(struct str *out, uint64_t number)
{
    enum { MOST = 3 }; // digits of most numbers
    if (number >= 1000 || out->length + MOST >= out->capacity) {
        str_addu(out, "", number);
        return;
    }
    const unsigned small = (unsigned)number;
    char *at = out->text + out->length;
    if (small >= 100)
        *at++ = (char)('0' + small / 100);
    if (small >= 10)
        *at++ = (char)('0' + small / 10 % 10);
    *at++ = (char)('0' + small % 10);
    *at = 0;
    out->length = (size_t)(at - out->text);
}

#define ADD(out, literal) add_literal(out, literal, sizeof literal - 1)
#define ADD_NUMBER(out, literal, number) (ADD(out, literal), add_number(out, number))
#define ADD_WORD(out, literal, word) (ADD(out, literal), str_add(out, word))

static void print_word(struct str *out, const char *before, const char *word)
{
    str_add(out, before);
    str_add(out, word);
}

static void print_signed(struct str *out, const char *before, int64_t x)
{
    str_add(out, before);
    str_addu(out, x < 0 ? "-" : "", x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

// Numbers of 8, 16, 32 and 64 bits.
static void print_number_type(struct str *out, struct ir_type type)
{
    static const char *const names[2][4] = {{"i8", "i16", "i32", "i64"}, {"f8", "f16", "f32", "f64"}};
    str_add(out, names[type.base == IR_FLOAT][__builtin_ctz(type.bits / 8u)]);
}

static void print_scalar_type(struct str *out, struct ir_type type)
{
    static const char *const names[] = {"void", "bool", "i", "f", "ptr.", "bf16", "e4m3", "e5m2"};
    if (ir_is_matrix(type)) {
        str_printf(out, "mat.%s", names[type.base]);
        if (!ir_is_small_float(type))
            str_printf(out, "%u", type.bits);
        str_printf(out, ".%ux%u.%s", type.rows, type.columns, ir_use_names[type.space]);
        return;
    }
    if (type.base == IR_FLOAT || (type.base == IR_INT && type.bits >= 8))
        print_number_type(out, type);
    else if (type.base == IR_INT)
        str_addu(out, "i", type.bits);
    else
        str_add(out, names[type.base]);
    if (type.base == IR_PTR)
        str_add(out, ir_space_names[type.space]);
}

void ir_print_type(struct str *out, struct ir_type type)
{
    if (type.lanes > 1)
        ADD_NUMBER(out, "<", type.lanes), ADD(out, " x ");
    print_scalar_type(out, type);
    if (type.lanes > 1)
        ADD(out, ">");
}

static void print_lane(struct str *out, struct ir_type type, uint64_t bits)
{
    if (type.base == IR_BOOL) {
        str_add(out, bits ? "true" : "false");
    } else if (type.base == IR_FLOAT) {
        double value = ir_float_value(type.bits, bits);
        char text[NUMBER_TEXT];
        uint64_t wide;
        memcpy(&wide, &value, sizeof wide);
        number_write(wide, text);
        if (isfinite(value))
            str_add(out, text);
        else
            str_printf(out, "#%" PRIx64, bits);
    } else if (type.base == IR_INT && type.bits >= 8) {
        const unsigned unused = 64 - type.bits;
        print_signed(out, "", (int64_t)(bits << unused) >> unused);
    } else {
        str_addu(out, "", bits);
    }
}

static void print_const(struct str *out, const struct ir_instr *x)
{
    ir_print_type(out, x->type);
    if (x->type.lanes == 1) {
        ADD(out, " ");
        print_lane(out, x->type, x->lanes[0]);
        return;
    }
    for (unsigned i = 0; i < x->type.lanes; i++) {
        str_add(out, i ? ", " : "(");
        print_lane(out, x->type, x->lanes[i]);
    }
    ADD(out, ")");
}

static void print_var_name(struct str *out, const struct ir_var *var)
{
    print_word(out, var->in_module ? "@" : "$", var->name);
}

static void print_value(struct str *out, const struct ir_instr *x)
{
    if (!x)
        ADD(out, "null");
    else if (ir_is_const(x))
        print_const(out, x);
    else if (x->op == IR_OP_addr)
        print_var_name(out, x->var);
    else if (x->op == IR_OP_undef)
        ADD(out, "undef "), ir_print_type(out, x->type);
    else
        ADD_NUMBER(out, "%", x->id);
}

// ---- immediates ---------------------------------------------------------------------------------

static void print_mem(struct str *out, const struct ir_mem *mem, bool atomic)
{
    ADD_WORD(out, " ", ir_space_names[mem->space]);
    if (mem->align)
        ADD_NUMBER(out, " align ", mem->align);
    if (mem->is_volatile)
        ADD(out, " volatile");
    if (mem->coherent)
        ADD(out, " coherent");
    if (mem->readonly)
        ADD(out, " readonly");
    if (mem->effective)
        ADD_WORD(out, " as ", ir_effective_names[mem->effective]);
    if (mem->lane == IR_LANE_COUNTED)
        ADD(out, " lane counted");
    else if (mem->lane)
        str_printf(out, " lane %u", mem->lane - 1u);
    if (atomic)
        ADD_WORD(out, " scope ", ir_scope_names[mem->scope]), ADD_WORD(out, " order ", ir_order_names[mem->order]);
}

static void print_sync(struct str *out, const struct ir_sync *sync)
{
    static const char *const fences[] = {"local", "global", "image"};
    ADD_WORD(out, " execution ", ir_scope_names[sync->execution]);
    ADD_WORD(out, " scope ", ir_scope_names[sync->scope]);
    ADD_WORD(out, " order ", ir_order_names[sync->order]);
    for (unsigned i = 0; i < 3; i++)
        if (sync->fences & 1u << i)
            ADD_WORD(out, " ", fences[i]);
}

static void print_image(struct str *out, const struct ir_image *image)
{
    str_printf(out, " %s %s%s", ir_image_dim_names[image->dim], ir_texel_names[image->texel],
               image->depth ? " depth" : "");
    if (image->axis)
        str_printf(out, " level %u", image->axis);
}

static void print_shuffle(struct str *out, const struct ir_instr *x)
{
    ADD(out, " lanes");
    for (unsigned i = 0; i < x->type.lanes; i++) {
        if (x->shuffle[i] == 255)
            ADD(out, " any");
        else
            str_printf(out, " %u", x->shuffle[i]);
    }
}

static void print_immediates(struct str *out, const struct ir_instr *x)
{
    bool atomic = x->op == IR_OP_atomic || x->op == IR_OP_elem_atomic;
    switch (x->op) {
    case IR_OP_extract:
    case IR_OP_insert:
        ADD_NUMBER(out, " lane ", x->index);
        break;
    case IR_OP_shuffle:
        print_shuffle(out, x);
        break;
    case IR_OP_ptr_index:
        if (x->src_count > 1)
            print_signed(out, " stride ", x->stride);
        print_signed(out, " offset ", x->offset);
        break;
    case IR_OP_elem_load:
    case IR_OP_elem_store:
    case IR_OP_elem_atomic:
        ADD(out, " of ");
        print_var_name(out, x->var);
        if (atomic)
            str_printf(out, " %s", ir_atomic_names[x->atomic_op]);
        print_mem(out, &x->mem, atomic);
        break;
    case IR_OP_atomic:
        str_printf(out, " %s", ir_atomic_names[x->atomic_op]);
        print_mem(out, &x->mem, true);
        break;
    case IR_OP_load:
    case IR_OP_store:
        print_mem(out, &x->mem, false);
        break;
    case IR_OP_zero:
        str_printf(out, " size %" PRIu64, x->size);
        print_mem(out, &x->mem, false);
        break;
    case IR_OP_copy:
        str_printf(out, " size %" PRIu64, x->size);
        print_mem(out, &x->mem, false);
        ADD(out, " from");
        print_mem(out, &x->mem_from, false);
        break;
    case IR_OP_sys:
        ADD_WORD(out, " ", ir_sys_names[x->sys]);
        ADD_NUMBER(out, " ", x->dim);
        break;
    case IR_OP_subgroup:
        str_printf(out, " %s %s", ir_subgroup_names[x->subgroup_op], ir_group_names[x->group]);
        break;
    case IR_OP_mat_elem_load:
    case IR_OP_mat_elem_store:
        ADD(out, " of ");
        print_var_name(out, x->var); // fall through
    case IR_OP_mat_load:
    case IR_OP_mat_store:
        str_add(out, x->by_columns ? " columns" : " rows");
        print_mem(out, &x->mem, false);
        break;
    case IR_OP_mat_muladd:
        for (unsigned i = 0; ir_matrix_flag_names[i]; i++)
            if (x->matrix_flags >> i & 1)
                str_printf(out, " %s", ir_matrix_flag_names[i]);
        break;
    case IR_OP_image_info:
        str_printf(out, " %s %u", ir_image_info_names[x->image.info], x->image.axis);
        break;
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
    case IR_OP_image_write:
    case IR_OP_image_store:
        print_image(out, &x->image);
        break;
    case IR_OP_barrier:
    case IR_OP_fence:
        print_sync(out, &x->sync);
        break;
    default:
        break;
    }
}

static void print_signature(struct str *out, const struct ir_function *f)
{
    str_printf(out, " @%s(", f->name);
    for (uint32_t i = 0; i < f->param_count; i++) {
        str_add(out, i ? ", " : "");
        ir_print_type(out, f->params[i]->type);
    }
    ADD(out, ")");
}

void ir_print_instr(struct str *out, const struct ir_instr *x)
{
    if (x->type.base != IR_VOID)
        ADD_NUMBER(out, "%", x->id), ADD(out, " = ");
    str_add(out, ir_ops[x->op].name);
    if (x->flags & IR_FAST)
        ADD(out, ".fast");
    if (x->flags & IR_NO_WRAP)
        ADD(out, ".nowrap");
    if (x->flags & IR_LOOSE)
        ADD(out, ".loose");
    if (x->type.base != IR_VOID) {
        ADD(out, " ");
        ir_print_type(out, x->type);
    }
    if (x->op == IR_OP_call)
        ADD_WORD(out, " @", x->callee->name), ADD(out, "(");
    if (x->op == IR_OP_kernel_number)
        print_signature(out, x->callee);
    for (uint32_t i = 0; i < x->src_count; i++) {
        str_add(out, i ? ", " : x->op == IR_OP_call ? "" : " ");
        if (x->op == IR_OP_phi)
            ADD_NUMBER(out, "b", x->preds[i]->index), ADD(out, ": ");
        print_value(out, x->src[i]);
    }
    if (x->op == IR_OP_call)
        ADD(out, ")");
    print_immediates(out, x);
}

// ---- structure ----------------------------------------------------------------------------------

static void indent(struct print *p)
{
    static const char spaces[] = "                                                                                ";
    const size_t width = 2 * (size_t)p->depth;
    str_addn(p->out, spaces, width < sizeof spaces - 1 ? width : sizeof spaces - 1);
}

static void print_list(struct print *p, const struct ir_list *list);

static void print_block(struct print *p, const struct ir_block *block)
{
    if (block->named)
        ADD_NUMBER(p->out, "b", block->index), ADD(p->out, ":\n");
    for (const struct ir_instr *x = block->first; x; x = x->next) {
        indent(p);
        ir_print_instr(p->out, x);
        ADD(p->out, "\n");
    }
}

static void print_inner(struct print *p, const struct ir_list *list, const char *then)
{
    ADD(p->out, " {\n");
    p->depth++;
    print_list(p, list);
    p->depth--;
    indent(p);
    str_add(p->out, then);
}

static void print_if(struct print *p, const struct ir_if *node)
{
    ADD(p->out, "if ");
    print_value(p->out, node->cond);
    bool no_else = node->else_list.first == node->else_list.last &&
                   !ir_list_first(&node->else_list)->first &&
                   !ir_list_first(&node->else_list)->named;
    print_inner(p, &node->then_list, no_else ? "}\n" : "} else");
    if (!no_else)
        print_inner(p, &node->else_list, "}\n");
}

static void print_loop(struct print *p, const struct ir_loop *node)
{
    ADD(p->out, "loop");
    if (node->unroll != IR_UNROLL_DEFAULT)
        str_printf(p->out, " unroll %d", node->unroll);
    print_inner(p, &node->body, "} continue");
    print_inner(p, &node->cont, "}");
    if (node->cond) {
        ADD(p->out, " while ");
        print_value(p->out, node->cond);
    }
    ADD(p->out, "\n");
}

static void print_switch(struct print *p, const struct ir_switch *node)
{
    ADD(p->out, "switch ");
    print_value(p->out, node->value);
    ADD(p->out, " {\n");
    for (uint32_t i = 0; i < node->case_count; i++) {
        const struct ir_case *c = &node->cases[i];
        indent(p);
        ADD(p->out, "case");
        for (uint32_t k = 0; k < c->value_count; k++) {
            str_add(p->out, k ? ", " : " ");
            print_lane(p->out, node->value->type, c->values[k]);
        }
        if (c->is_default)
            str_add(p->out, c->value_count ? ", default" : " default");
        ADD(p->out, ":");
        print_inner(p, &c->list, "}\n");
    }
    indent(p);
    ADD(p->out, "}\n");
}

static void print_list(struct print *p, const struct ir_list *list)
{
    stack_check();
    for (const struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind != IR_BLOCK)
            indent(p);
        switch (node->kind) {
        case IR_IF:
            print_if(p, (const struct ir_if *)node);
            break;
        case IR_LOOP:
            print_loop(p, (const struct ir_loop *)node);
            break;
        case IR_SWITCH:
            print_switch(p, (const struct ir_switch *)node);
            break;
        default:
            print_block(p, (const struct ir_block *)node);
        }
    }
}

// ---- variables, kernels, functions --------------------------------------------------------------

static size_t plain_length(const char *text)
{
    size_t length = 0;
    while ((unsigned char)text[length] >= ' ' && text[length] != '"' && text[length] != '\\')
        length++;
    return length;
}

static void print_quoted(struct str *out, const char *text)
{
    ADD(out, "\"");
    while (text && *text) {
        const size_t plain = plain_length(text);
        str_addn(out, text, plain);
        text += plain;
        if (*text)
            str_printf(out, "\\%02x", (unsigned char)*text++);
    }
    ADD(out, "\"");
}

static void print_linkage(struct str *out, unsigned linkage, const char *c_type)
{
    if (linkage == IR_LINK_NONE)
        return;
    str_printf(out, "%s ", ir_linkage_names[linkage]);
    print_quoted(out, c_type);
    ADD(out, " ");
}

static void print_var(struct str *out, const struct ir_var *var)
{
    static const char digits[] = "0123456789abcdef";
    ADD(out, "var ");
    print_linkage(out, var->linkage, var->c_type);
    print_var_name(out, var);
    if (var->in_module)
        ADD_WORD(out, " ", ir_space_names[var->space]);
    ADD_NUMBER(out, " size ", var->size);
    ADD_NUMBER(out, " align ", var->align);
    if (var->local_arg >= 0)
        str_printf(out, " local_arg %d", var->local_arg);
    if (var->elem.base != IR_VOID) {
        ADD(out, " elem ");
        ir_print_type(out, var->elem);
        str_printf(out, " count %" PRIu64, var->count);
    }
    if (var->spec_id)
        str_printf(out, " spec %u", var->spec_id);
    if (var->space == IR_BUFFER || (var->space == IR_PUSH && var->binding))
        str_printf(out, " binding %u", var->binding);
    if (var->init) {
        ADD(out, " init \"");
        for (uint64_t i = 0; i < var->size; i++) {
            str_addc(out, digits[var->init[i] >> 4]);
            str_addc(out, digits[var->init[i] & 15]);
        }
        ADD(out, "\"");
    }
    for (uint32_t i = 0; i < var->reloc_count; i++)
        str_printf(out, " reloc %" PRIu64 " @%s %" PRId64, var->relocs[i].offset,
                   var->relocs[i].var->name, var->relocs[i].addend);
    ADD(out, "\n");
}

static void print_sizes(struct str *out, const char *name, const uint32_t sizes[3])
{
    if (sizes[0])
        str_printf(out, " %s %u %u %u", name, sizes[0], sizes[1], sizes[2]);
}

static void print_arg(struct str *out, const struct kc_arg *arg)
{
    ADD(out, "  arg ");
    print_quoted(out, arg->name);
    ADD_WORD(out, " kind ", ir_arg_kind_names[arg->kind]);
    ADD_NUMBER(out, " size ", arg->size);
    ADD_NUMBER(out, " align ", arg->align);
    if (arg->elem_size)
        ADD_NUMBER(out, " elem ", arg->elem_size);
    if (arg->type_name)
        ADD(out, " type "), print_quoted(out, arg->type_name);
    ADD_WORD(out, " address ", ir_address_names[arg->address]);
    ADD_WORD(out, " access ", ir_access_names[arg->access]);
    ADD_NUMBER(out, " qualifiers ", arg->type_qualifiers);
    print_word(out, arg->clustered ? " clustered" : "", arg->written ? " written" : "");
    str_add(out, arg->aligned ? " aligned" : "");
    if (arg->disjoint)
        str_printf(out, " disjoint %llu", (unsigned long long)arg->disjoint);
    if (arg->kind == KC_ARG_IMAGE && arg->dim != KC_DIM_2D)
        str_printf(out, " dim %s", ir_image_dim_names[arg->dim]);
    ADD(out, "\n");
}

static void print_binding(struct str *out, const struct kc_binding *binding)
{
    if (binding->kind >= KC_BINDING_BUFFER) {
        str_printf(out, "  binding %s arg %u\n", ir_binding_names[binding->kind], binding->arg);
        return;
    }
    const struct ir_image image = {
        .dim = (uint8_t)binding->dim, .texel = (uint8_t)binding->texel, .depth = binding->depth, .axis = binding->level};
    str_printf(out, "  binding %s arg %u", ir_binding_names[binding->kind], binding->arg);
    print_image(out, &image);
    ADD(out, "\n");
}

static void print_kernel(struct str *out, const struct ir_kernel *kernel)
{
    const struct kc_kernel *info = &kernel->info;
    ADD(out, "  kernel");
    if (info->name)
        ADD(out, " name "), print_quoted(out, info->name);
    if (info->attributes)
        ADD(out, " attributes "), print_quoted(out, info->attributes);
    print_sizes(out, "reqd", info->reqd_local_size);
    print_sizes(out, "hint", info->local_size_hint);
#define NUMBER(field)                                                                              \
    if (info->field)                                                                               \
        ADD_NUMBER(out, " " #field " ", info->field);
    IR_KERNEL_NUMBERS
#undef NUMBER
    if (kernel->vec_type_hint)
        str_printf(out, " vec_type_hint %u", kernel->vec_type_hint);
    ADD(out, "\n");
    for (uint32_t i = 0; i < info->arg_count; i++)
        print_arg(out, &info->args[i]);
    for (uint32_t i = 0; i < info->push_count; i++)
        str_printf(out, "  push %s dim %u arg %u offset %u size %u\n",
                   ir_push_names[info->push[i].kind], info->push[i].dim, info->push[i].arg,
                   info->push[i].offset, info->push[i].size);
    for (uint32_t i = 0; i < info->spec_count; i++)
        str_printf(out, "  spec %s id %u dim %u arg %u unit %u\n",
                   ir_spec_names[info->specs[i].kind], info->specs[i].id, info->specs[i].dim,
                   info->specs[i].arg, info->specs[i].unit);
    for (uint32_t i = 0; i < info->binding_count; i++)
        print_binding(out, &info->bindings[i]);
}

static void print_head(struct str *out, const struct ir_function *f)
{
    static const char *const words[] = {"kernel ", "inline ", "noinline ", "library "};
    bool set[] = {f->kernel != NULL, f->always_inline, f->no_inline, f->from_library};
    ADD(out, "func ");
    print_linkage(out, f->linkage, f->c_type);
    for (unsigned i = 0; i < 4; i++)
        if (set[i])
            str_add(out, words[i]);
    ADD_WORD(out, "@", f->name);
    ADD(out, "(");
    for (uint32_t i = 0; i < f->param_count; i++) {
        str_addu(out, i ? ", %" : "%", i);
        ADD(out, ": ");
        ir_print_type(out, f->params[i]->type);
        str_add(out, ir_is_handle(f, i) ? " handle" : "");
    }
    ADD(out, ") -> ");
    ir_print_type(out, f->result);
}

static void name_blocks(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        b->named = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x && x->op == IR_OP_phi; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                x->preds[i]->named = true;
}

void ir_print_function(struct str *out, const struct ir_function *f)
{
    print_head(out, f);
    if (!f->has_body) {
        ADD(out, "\n");
        return;
    }
    ir_number((struct ir_function *)f); // ids are scratch data
    name_blocks(f);
    ADD(out, " {\n");
    if (f->kernel)
        print_kernel(out, f->kernel);
    for (size_t i = 0; i < f->vars.count; i++) {
        ADD(out, "  ");
        print_var(out, f->vars.items[i]);
    }
    struct print p = {out, 1};
    print_list(&p, &f->body);
    ADD(out, "}\n");
}

void ir_print_module(struct str *out, const struct ir_module *m)
{
    for (size_t i = 0; i < m->vars.count; i++)
        print_var(out, m->vars.items[i]);
    for (size_t i = 0; i < m->functions.count; i++) {
        if (i || m->vars.count)
            ADD(out, "\n");
        ir_print_function(out, m->functions.items[i]);
    }
}
