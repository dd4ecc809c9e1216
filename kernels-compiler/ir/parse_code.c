// SPDX-License-Identifier: Apache-2.0
// Words -> instructions and structured nodes. Nothing is folded: the IR is exactly what the text says.
#include "ir/parse.h"
#include "util/stack.h"

// ---- instructions -------------------------------------------------------------------------------

static uint32_t op_slot(const char *text, size_t length)
{
    return hash_bytes(text, length) & (IRP_OP_SLOTS - 1);
}

void irp_init_ops(struct parse *p)
{
    if (p->m->op_slots) {
        p->ops = p->m->op_slots;
        return;
    }
    p->ops = p->m->op_slots = ARENA_ARRAY(p->m->arena, uint8_t, IRP_OP_SLOTS);
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        uint32_t slot = op_slot(ir_ops[op].name, strlen(ir_ops[op].name));
        while (p->ops[slot])
            slot = (slot + 1) & (IRP_OP_SLOTS - 1);
        p->ops[slot] = (uint8_t)(op + 1);
    }
}

_Static_assert(IR_OP_COUNT < 250, "an operation fits a slot of the table");

static enum ir_op find_op(struct parse *p, struct irp_word w)
{
    uint32_t slot = op_slot(w.text, w.length);
    for (; p->ops[slot]; slot = (slot + 1) & (IRP_OP_SLOTS - 1))
        if (irp_same(w, ir_ops[p->ops[slot] - 1].name))
            return p->ops[slot] - 1;
    irp_fail(p, "unknown operation", w.text, w.length);
    return IR_OP_unreachable;
}

static struct ir_mem mem(struct parse *p)
{
    struct ir_mem m = {.space = (uint8_t)irp_one_of(p, ir_space_names)};
    for (;;) {
        struct irp_word w = irp_peek(p);
        const char *before = p->at;
        p->at = w.text + w.length;
        if (irp_same(w, "align")) {
            m.align = irp_number(p);
        } else if (irp_same(w, "volatile")) {
            m.is_volatile = true;
        } else if (irp_same(w, "coherent")) {
            m.coherent = true;
        } else if (irp_same(w, "readonly")) {
            m.readonly = true;
        } else if (irp_same(w, "as")) {
            m.effective = (uint8_t)(irp_one_of(p, ir_effective_names) & 7);
        } else if (irp_same(w, "lane")) {
            m.lane = (uint8_t)((irp_accept(p, "counted") ? IR_LANE_COUNTED : 1 + irp_number(p)) & 15);
        } else if (irp_same(w, "scope")) {
            m.scope = (uint8_t)(irp_one_of(p, ir_scope_names) & 15);
        } else if (irp_same(w, "order")) {
            m.order = (uint8_t)irp_one_of(p, ir_order_names);
        } else {
            p->at = before;
            return m;
        }
    }
}

static struct ir_sync sync_of(struct parse *p)
{
    static const char *const fences[] = {"local", "global", "image"};
    struct ir_sync s = {0};
    irp_expect(p, "execution");
    s.execution = (uint8_t)irp_one_of(p, ir_scope_names);
    irp_expect(p, "scope");
    s.scope = (uint8_t)irp_one_of(p, ir_scope_names);
    irp_expect(p, "order");
    s.order = (uint8_t)irp_one_of(p, ir_order_names);
    for (unsigned i = 0; i < 3; i++)
        if (irp_accept(p, fences[i]))
            s.fences |= (uint8_t)(1u << i);
    return s;
}

static bool rows_or_columns(struct parse *p)
{
    bool columns = irp_accept(p, "columns");
    if (!columns)
        irp_expect(p, "rows");
    return columns;
}

static uint8_t matrix_flags(struct parse *p)
{
    uint8_t flags = 0;
    for (unsigned i = 0; ir_matrix_flag_names[i]; i++)
        if (irp_accept(p, ir_matrix_flag_names[i]))
            flags |= (uint8_t)(1u << i);
    return flags;
}

static void image_immediates(struct parse *p, struct ir_instr *x)
{
    if (x->op == IR_OP_image_info) {
        x->image.info = (uint8_t)irp_one_of(p, ir_image_info_names);
        x->image.axis = (uint8_t)irp_number(p);
        return;
    }
    x->image.dim = (uint8_t)irp_one_of(p, ir_image_dim_names);
    x->image.texel = (uint8_t)irp_one_of(p, ir_texel_names);
    x->image.depth = irp_accept(p, "depth");
    if (irp_accept(p, "level"))
        x->image.axis = (uint8_t)irp_number(p);
}

static void immediates(struct parse *p, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_extract:
    case IR_OP_insert:
        irp_expect(p, "lane");
        x->index = irp_number(p);
        break;
    case IR_OP_shuffle:
        irp_expect(p, "lanes");
        for (unsigned i = 0; i < x->type.lanes; i++)
            x->shuffle[i] = irp_accept(p, "any") ? 255 : (uint8_t)irp_number(p);
        break;
    case IR_OP_ptr_index:
        if (irp_accept(p, "stride"))
            x->stride = (int64_t)irp_integer(p);
        irp_expect(p, "offset");
        x->offset = (int64_t)irp_integer(p);
        break;
    case IR_OP_elem_load:
    case IR_OP_elem_store:
    case IR_OP_elem_atomic:
        irp_expect(p, "of");
        x->var = irp_variable(p);
        if (x->op == IR_OP_elem_atomic)
            x->atomic_op = (uint8_t)irp_one_of(p, ir_atomic_names);
        x->mem = mem(p);
        break;
    case IR_OP_atomic:
        x->atomic_op = (uint8_t)irp_one_of(p, ir_atomic_names); // fall through
    case IR_OP_load:
    case IR_OP_store:
        x->mem = mem(p);
        break;
    case IR_OP_zero:
    case IR_OP_copy:
        irp_expect(p, "size");
        x->size = irp_integer(p);
        x->mem = mem(p);
        if (x->op == IR_OP_copy) {
            irp_expect(p, "from");
            x->mem_from = mem(p);
        }
        break;
    case IR_OP_sys:
        x->sys = (uint8_t)irp_one_of(p, ir_sys_names);
        x->dim = (uint16_t)irp_number(p);
        break;
    case IR_OP_subgroup:
        x->subgroup_op = (uint8_t)irp_one_of(p, ir_subgroup_names);
        x->group = (uint8_t)irp_one_of(p, ir_group_names);
        break;
    case IR_OP_mat_elem_load:
    case IR_OP_mat_elem_store:
        irp_expect(p, "of");
        x->var = irp_variable(p); // fall through
    case IR_OP_mat_load:
    case IR_OP_mat_store:
        x->by_columns = rows_or_columns(p);
        x->mem = mem(p);
        break;
    case IR_OP_mat_muladd:
        x->matrix_flags = matrix_flags(p);
        break;
    case IR_OP_image_info:
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
    case IR_OP_image_write:
    case IR_OP_image_store:
        image_immediates(p, x);
        break;
    case IR_OP_barrier:
    case IR_OP_fence:
        x->sync = sync_of(p);
        break;
    default:
        break;
    }
}

static bool at_value(struct parse *p)
{
    irp_skip_space(p);
    if (p->at >= p->end)
        return false;
    char c = *p->at;
    if (c == '%' || c == '@' || c == '$' || c == '<')
        return true;
    struct irp_word w = irp_peek(p);
    if (w.length < 2)
        return false;
    return irp_same(w, "undef") || irp_same(w, "bool") ||
           (c == 'p' && w.length > 4 && !memcmp(w.text, "ptr.", 4)) ||
           ((c == 'i' || c == 'f') && w.text[1] >= '0' && w.text[1] <= '9');
}

static struct ir_instr *phi(struct parse *p, struct ir_type t)
{
    VEC(struct late) list = {0};
    do {
        struct late one = {.index = (uint32_t)list.count, .value = UINT32_MAX};
        struct irp_word w = irp_peek(p);
        if (!w.length || *w.text != 'b') {
            irp_fail(p, "expected a block", w.text, w.length);
            break;
        }
        p->at++;
        one.block = irp_table_number(p);
        irp_expect_char(p, ':');
        irp_skip_space(p);
        if (p->at < p->end && *p->at == '%') {
            p->at++;
            one.value = irp_table_number(p);
        } else {
            one.phi = irp_value(p); // temporarily holds the value
        }
        vec_push(p->arena, &list, one);
    } while (irp_accept_char(p, ','));
    if (p->b.block->last && p->b.block->last->op != IR_OP_phi)
        irp_fail(p, "phis come first in their block", "", 0);
    if (p->error)
        return NULL;
    struct ir_instr *x = ir_phi(&p->b, t, (uint32_t)list.count);
    for (size_t i = 0; i < list.count; i++) {
        x->src[i] = list.items[i].phi;
        list.items[i].phi = x;
        vec_push(p->arena, &p->late, list.items[i]);
    }
    return x;
}

static struct ir_function *parse_kernel(struct parse *p)
{
    struct ir_type types[256];
    uint32_t count = 0;
    irp_expect_char(p, '@');
    const char *name = irp_name(p);
    irp_expect_char(p, '(');
    while (!p->error && !irp_accept_char(p, ')')) {
        if (count)
            irp_expect_char(p, ',');
        types[count] = irp_type(p);
        count += count < 255;
    }
    return p->error ? NULL : ir_function_get(p->m, name, ir_void(), types, count);
}

static struct ir_instr *simple(struct parse *p, enum ir_op op, struct ir_type t)
{
    struct ir_instr *src[16], **all = src;
    uint32_t count = 0, room = 16;
    struct ir_function *callee = NULL;
    const char *called = NULL;
    if (op == IR_OP_call) {
        irp_expect_char(p, '@');
        called = irp_name(p);
        irp_expect_char(p, '(');
    }
    if (op == IR_OP_kernel_number)
        callee = parse_kernel(p);
    if (op != IR_OP_kernel_number && at_value(p)) {
        do {
            if (count == room) {
                struct ir_instr **grown = ARENA_ARRAY(p->arena, struct ir_instr *, room * 2);
                memcpy(grown, all, count * sizeof *all);
                all = grown;
                room *= 2;
            }
            all[count++] = irp_value(p);
        } while (irp_accept_char(p, ','));
    }
    if (called)
        irp_expect_char(p, ')');
    if (p->error)
        return NULL;
    if (called) {
        struct ir_type *types = ARENA_ARRAY(p->arena, struct ir_type, count + 1);
        for (uint32_t i = 0; i < count; i++)
            types[i] = all[i]->type;
        callee = ir_function_get(p->m, called, t, types, count);
    }
    struct ir_instr *x = ir_instr_create(p->m, op, t, all, count);
    if (callee)
        x->callee = callee;
    immediates(p, x);
    if (!p->error)
        ir_block_insert(p->b.block, x, NULL);
    return x;
}

static bool suffix(struct irp_word *w, const char *text)
{
    size_t length = strlen(text);
    bool found = w->length > length && !memcmp(w->text + w->length - length, text, length);
    w->length -= found ? length : 0;
    return found;
}

static void instruction(struct parse *p, bool has_result)
{
    uint32_t n = 0;
    if (has_result) {
        n = irp_table_number(p);
        irp_expect_char(p, '=');
    }
    struct irp_word w = irp_next(p);
    uint8_t flags = suffix(&w, ".loose") ? IR_LOOSE : 0; // in reverse order of printing
    flags |= suffix(&w, ".nowrap") ? IR_NO_WRAP : 0;
    flags |= suffix(&w, ".fast") ? IR_FAST : 0;
    enum ir_op op = find_op(p, w);
    struct ir_type t = has_result ? irp_type(p) : ir_void();
    struct ir_instr *x = NULL;
    if (p->error)
        return;
    if (op == IR_OP_const || op == IR_OP_undef || op == IR_OP_param || op == IR_OP_addr) {
        irp_fail(p, "these stand where they are used:", w.text, w.length);
    } else if (op == IR_OP_phi) {
        x = phi(p, t);
    } else {
        x = simple(p, op, t);
    }
    if (p->error || !x)
        return;
    x->flags = flags;
    if (has_result)
        irp_set_value(p, n, x);
}

// ---- structure ----------------------------------------------------------------------------------

static void inner(struct parse *p, struct ir_list *l)
{
    irp_expect_char(p, '{');
    if (p->depth++ > IRP_MAX_DEPTH)
        irp_fail(p, "nested too deeply", "", 0);
    irp_list(p, l);
    p->depth--;
    irp_expect_char(p, '}');
}

static void parse_if(struct parse *p)
{
    struct ir_if *node = ir_add_if(&p->b, irp_value(p));
    inner(p, &node->then_list);
    if (irp_accept(p, "else"))
        inner(p, &node->else_list);
    p->b.block = ir_as_block(node->node.next);
}

static void parse_loop(struct parse *p)
{
    int32_t unroll = irp_accept(p, "unroll") ? (int32_t)irp_integer(p) : 0;
    struct ir_loop *node = ir_add_loop(&p->b);
    node->unroll = unroll;
    inner(p, &node->body);
    irp_expect(p, "continue");
    inner(p, &node->cont);
    if (irp_accept(p, "while"))
        node->cond = irp_value(p);
    p->b.block = ir_as_block(node->node.next);
}

static void case_values(struct parse *p, struct ir_case *c, struct ir_type t)
{
    VEC(uint64_t) values = {0};
    irp_expect(p, "case");
    do {
        if (irp_accept(p, "default"))
            c->is_default = true;
        else
            vec_push(p->arena, &values, irp_integer(p) & ir_mask(t.bits));
    } while (irp_accept_char(p, ','));
    irp_expect_char(p, ':');
    c->values = values.items;
    c->value_count = (uint32_t)values.count;
}

static void parse_switch(struct parse *p)
{
    VEC(struct ir_case) cases = {0};
    struct ir_instr *v = irp_value(p);
    irp_expect_char(p, '{');
    struct ir_switch *node = ir_add_switch(&p->b, v, 0);
    while (!p->error && !irp_accept_char(p, '}')) {
        struct ir_case c = {0};
        case_values(p, &c, v->type);
        ir_list_init(p->m, &c.list, &node->node);
        inner(p, &c.list);
        vec_push(p->arena, &cases, c);
    }
    node->cases = cases.items;
    node->case_count = (uint32_t)cases.count;
    for (size_t i = 0; i < cases.count; i++) // the array may have moved: update the lists' addresses
        for (struct ir_node *n = cases.items[i].list.first; n; n = n->next)
            n->list = &cases.items[i].list;
    if (!cases.count)
        irp_fail(p, "a switch without cases", "", 0);
    p->b.block = ir_as_block(node->node.next);
}

static bool label(struct parse *p)
{
    struct irp_word w = irp_peek(p);
    if (w.length < 2 || w.text[0] != 'b' || w.text[1] < '0' || w.text[1] > '9' ||
        w.text + w.length >= p->end || w.text[w.length] != ':')
        return false;
    p->at++;
    uint32_t n = irp_table_number(p);
    irp_expect_char(p, ':');
    while (p->blocks.count <= n)
        vec_push(p->arena, &p->blocks, NULL);
    if (p->blocks.items[n])
        irp_fail(p, "a block of that number exists already", "", 0);
    p->blocks.items[n] = p->b.block;
    return true;
}

static void statement(struct parse *p)
{
    struct irp_word w = irp_peek(p);
    if (w.length > 6 || (*w.text != 'i' && *w.text != 'l' && *w.text != 's' && *w.text != 'b'))
        instruction(p, false);
    else if (irp_accept(p, "if"))
        parse_if(p);
    else if (irp_accept(p, "loop"))
        parse_loop(p);
    else if (irp_accept(p, "switch"))
        parse_switch(p);
    else if (!label(p))
        instruction(p, false);
}

void irp_list(struct parse *p, struct ir_list *l)
{
    stack_check();
    p->b.block = ir_list_last(l);
    p->b.before = NULL;
    while (!p->error) {
        irp_skip_space(p);
        if (p->at >= p->end) {
            irp_fail(p, "the text ends within a function", "", 0);
        } else if (*p->at == '}') {
            return;
        } else if (*p->at == '%') {
            p->at++;
            instruction(p, true);
        } else {
            statement(p);
        }
    }
}
