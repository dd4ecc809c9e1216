// SPDX-License-Identifier: Apache-2.0
// Text -> IR, the inverse of print.c (see there for the form). One pass, no folding: what is
// written is what is made. A phi may name values and blocks that come later; these are filled in at
// the end of the function. The first error stops everything by moving the cursor to the end.
#include "ir/text.h"
#include "util/hash.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 1000, MAX_NUMBER = 1 << 24, OP_SLOTS = 256 };

struct late { // a phi's source or pred, by number
    struct ir_instr *phi;
    uint32_t index, value, block;
};

struct late_reloc { // a variable's relocation, to a variable that may come later
    struct ir_var *var;
    uint32_t index;
    const char *target;
};

struct parse {
    struct ir_module *m;
    struct arena *arena;
    const char *start, *at, *end;
    const char *error;
    struct ir_function *f;
    struct ir_builder b;
    unsigned depth;
    VEC(struct ir_instr *) values; // by number
    VEC(struct ir_block *) blocks;
    VEC(struct late) late;
    VEC(struct late_reloc) late_relocs;
    VEC(struct ir_function *) order; // as written
    struct map private_vars;         // name -> ir_var
    uint8_t *ops;                    // 1 + op
};

static void fail(struct parse *p, const char *message, const char *what, size_t length)
{
    if (p->error)
        return;
    unsigned line = 1;
    for (const char *c = p->start; c < p->at; c++)
        line += *c == '\n';
    p->error = arena_printf(p->arena, "line %u: %s%s%.*s%s", line, message, length ? " '" : "",
                            (int)length, what, length ? "'" : "");
    p->at = p->end;
}

// ---- words --------------------------------------------------------------------------------------

static void skip_space(struct parse *p)
{
    while (p->at < p->end) {
        char c = *p->at;
        if (c == ';') // a comment
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
            p->at++;
        else
            break;
    }
}

static bool word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

struct word {
    const char *text;
    size_t length;
};

static struct word peek(struct parse *p)
{
    skip_space(p);
    const char *c = p->at;
    while (c < p->end && word_char(*c))
        c++;
    return (struct word){p->at, (size_t)(c - p->at)};
}

static struct word next(struct parse *p)
{
    struct word w = peek(p);
    if (!w.length)
        fail(p, "a word is missing", p->at, p->at < p->end);
    p->at = p->error ? p->end : w.text + w.length;
    return w;
}

static bool same(struct word w, const char *text)
{
    return strlen(text) == w.length && !memcmp(w.text, text, w.length);
}

static bool accept(struct parse *p, const char *text)
{
    struct word w = peek(p);
    if (!same(w, text))
        return false;
    p->at += w.length;
    return true;
}

static bool accept_char(struct parse *p, char c)
{
    skip_space(p);
    if (p->at >= p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static void expect_char(struct parse *p, char c)
{
    if (!accept_char(p, c))
        fail(p, "expected", &c, 1);
}

static void expect(struct parse *p, const char *text)
{
    if (!accept(p, text))
        fail(p, "expected", text, strlen(text));
}

static unsigned one_of(struct parse *p, const char *const *names)
{
    struct word w = next(p);
    for (unsigned i = 0; names[i]; i++)
        if (same(w, names[i]))
            return i;
    fail(p, "unknown word", w.text, w.length);
    return 0;
}

static uint64_t integer(struct parse *p)
{
    skip_space(p);
    bool negative = accept_char(p, '-');
    struct word w = peek(p);
    uint64_t value = 0, base = w.length > 2 && w.text[0] == '0' && w.text[1] == 'x' ? 16 : 10;
    if (!w.length)
        fail(p, "a number is missing", "", 0);
    for (size_t i = base == 16 ? 2 : 0; i < w.length; i++) {
        char c = w.text[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                : 99;
        if (digit >= base) {
            fail(p, "not a number", w.text, w.length);
            return 0;
        }
        value = value * base + digit;
    }
    p->at = p->error ? p->end : w.text + w.length;
    return negative ? 0 - value : value;
}

static uint32_t number(struct parse *p)
{
    return (uint32_t)integer(p);
}

static uint32_t table_number(struct parse *p) // an index into values or blocks
{
    uint64_t n = integer(p);
    if (n >= MAX_NUMBER)
        fail(p, "the number is too large", "", 0);
    return p->error ? 0 : (uint32_t)n;
}

static const char *name(struct parse *p)
{
    struct word w = next(p);
    return intern_string(p->m->intern, w.text, w.length);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static const char *quoted(struct parse *p)
{
    struct str out;
    str_init(&out, p->arena);
    str_add(&out, "");
    expect_char(p, '"');
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\\' && p->end - p->at > 2 && hex_digit(p->at[1]) >= 0 &&
            hex_digit(p->at[2]) >= 0) {
            str_addc(&out, (char)(hex_digit(p->at[1]) << 4 | hex_digit(p->at[2])));
            p->at += 3;
        } else {
            str_addc(&out, *p->at++);
        }
    }
    expect_char(p, '"');
    return out.text;
}

// ---- types and values ---------------------------------------------------------------------------

static struct ir_type scalar_type(struct parse *p)
{
    static const struct {
        const char *name;
        struct ir_type type;
    } types[] = {
        {"i32", {IR_INT, 32, 1, 0}},  {"f32", {IR_FLOAT, 32, 1, 0}}, {"i64", {IR_INT, 64, 1, 0}},
        {"bool", {IR_BOOL, 1, 1, 0}}, {"f64", {IR_FLOAT, 64, 1, 0}}, {"i8", {IR_INT, 8, 1, 0}},
        {"i16", {IR_INT, 16, 1, 0}},  {"f16", {IR_FLOAT, 16, 1, 0}}, {"void", {IR_VOID, 0, 0, 0}},
    };
    struct word w = next(p);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (same(w, types[i].name))
            return types[i].type;
    if (w.length > 4 && !memcmp(w.text, "ptr.", 4))
        for (unsigned i = 0; ir_space_names[i]; i++)
            if (same((struct word){w.text + 4, w.length - 4}, ir_space_names[i]))
                return ir_ptr(i);
    fail(p, "unknown type", w.text, w.length);
    return ir_int(32);
}

static struct ir_type type(struct parse *p)
{
    if (!accept_char(p, '<'))
        return scalar_type(p);
    uint32_t lanes = number(p);
    expect(p, "x");
    struct ir_type t = scalar_type(p);
    expect_char(p, '>');
    if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
        fail(p, "no vector has that many lanes", "", 0);
    return ir_with_lanes(t, p->error ? 1 : lanes);
}

static uint64_t lane_value(struct parse *p, struct ir_type t)
{
    char text[64], *stop;
    skip_space(p);
    if (t.base == IR_BOOL)
        return accept(p, "true") ? 1 : accept(p, "false") ? 0 : integer(p);
    if (t.base != IR_FLOAT)
        return integer(p);
    if (accept_char(p, '#')) {
        uint64_t bits = 0;
        while (p->at < p->end && hex_digit(*p->at) >= 0)
            bits = bits << 4 | (uint64_t)hex_digit(*p->at++);
        return bits;
    }
    size_t length = 0;
    while (p->at + length < p->end && length + 1 < sizeof text &&
           (word_char(p->at[length]) || p->at[length] == '-' || p->at[length] == '+'))
        length++;
    memcpy(text, p->at, length);
    text[length] = 0;
    double value = strtod(text, &stop);
    if (stop == text || *stop)
        fail(p, "not a number", text, length);
    p->at = p->error ? p->end : p->at + length;
    return ir_float_bits(t.bits, value);
}

static struct ir_instr *constant(struct parse *p)
{
    uint64_t lanes[16] = {0};
    struct ir_type t = type(p);
    if (!t.lanes)
        fail(p, "no value is of type 'void'", "", 0);
    if (t.lanes <= 1) {
        lanes[0] = lane_value(p, t);
    } else {
        expect_char(p, '(');
        for (unsigned i = 0; i < t.lanes; i++) {
            if (i)
                expect_char(p, ',');
            lanes[i] = lane_value(p, t);
        }
        expect_char(p, ')');
    }
    return p->error || !t.lanes ? NULL : ir_const(p->m, t, lanes);
}

static struct ir_instr *undefined(struct parse *p)
{
    struct ir_type t = type(p);
    if (!t.lanes)
        fail(p, "no value is of type 'void'", "", 0);
    return ir_undef(p->m, t);
}

static struct ir_var *variable(struct parse *p)
{
    struct map *map = accept_char(p, '@') ? &p->m->vars_by_name : &p->private_vars;
    if (map == &p->private_vars)
        expect_char(p, '$');
    const char *n = name(p);
    struct ir_var *var = map_get(map, n);
    if (!var)
        fail(p, "unknown variable", n, strlen(n));
    return var;
}

static struct ir_instr *value(struct parse *p)
{
    skip_space(p);
    char c = p->at < p->end ? *p->at : 0;
    if (c == '%') {
        p->at++;
        uint32_t n = table_number(p);
        if (n < p->values.count && p->values.items[n])
            return p->values.items[n];
        char text[16];
        fail(p, "used before it is made: value", text,
             (size_t)snprintf(text, sizeof text, "%u", n));
        return NULL;
    }
    if (c == '@' || c == '$') {
        struct ir_var *var = variable(p);
        return var ? ir_addr(p->m, var) : NULL;
    }
    if (accept(p, "undef"))
        return undefined(p);
    return constant(p);
}

static void set_value(struct parse *p, uint32_t n, struct ir_instr *x)
{
    while (p->values.count <= n)
        vec_push(p->arena, &p->values, NULL);
    if (p->values.items[n])
        fail(p, "a value of that number exists already", "", 0);
    else
        p->values.items[n] = x;
    x->id = n;
}

// ---- instructions -------------------------------------------------------------------------------

static uint32_t op_slot(const char *text, size_t length)
{
    return hash_bytes(text, length) & (OP_SLOTS - 1);
}

static void init_ops(struct parse *p)
{
    if (p->m->op_slots) {
        p->ops = p->m->op_slots;
        return;
    }
    p->ops = p->m->op_slots = ARENA_ARRAY(p->m->arena, uint8_t, OP_SLOTS);
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        uint32_t slot = op_slot(ir_ops[op].name, strlen(ir_ops[op].name));
        while (p->ops[slot])
            slot = (slot + 1) & (OP_SLOTS - 1);
        p->ops[slot] = (uint8_t)(op + 1);
    }
}

_Static_assert(IR_OP_COUNT < 250, "an operation fits a slot of the table");

static enum ir_op find_op(struct parse *p, struct word w)
{
    uint32_t slot = op_slot(w.text, w.length);
    for (; p->ops[slot]; slot = (slot + 1) & (OP_SLOTS - 1))
        if (same(w, ir_ops[p->ops[slot] - 1].name))
            return p->ops[slot] - 1;
    fail(p, "unknown operation", w.text, w.length);
    return IR_OP_unreachable;
}

static struct ir_mem mem(struct parse *p)
{
    struct ir_mem m = {.space = (uint8_t)one_of(p, ir_space_names)};
    for (;;) {
        struct word w = peek(p);
        const char *before = p->at;
        p->at = w.text + w.length;
        if (same(w, "align")) {
            m.align = number(p);
        } else if (same(w, "volatile")) {
            m.is_volatile = true;
        } else if (same(w, "coherent")) {
            m.coherent = true;
        } else if (same(w, "scope")) {
            m.scope = (uint8_t)one_of(p, ir_scope_names);
        } else if (same(w, "order")) {
            m.order = (uint8_t)one_of(p, ir_order_names);
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
    expect(p, "execution");
    s.execution = (uint8_t)one_of(p, ir_scope_names);
    expect(p, "scope");
    s.scope = (uint8_t)one_of(p, ir_scope_names);
    expect(p, "order");
    s.order = (uint8_t)one_of(p, ir_order_names);
    for (unsigned i = 0; i < 3; i++)
        if (accept(p, fences[i]))
            s.fences |= (uint8_t)(1u << i);
    return s;
}

static void immediates(struct parse *p, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_extract:
    case IR_OP_insert:
        expect(p, "lane");
        x->index = number(p);
        break;
    case IR_OP_shuffle:
        expect(p, "lanes");
        for (unsigned i = 0; i < x->type.lanes; i++)
            x->shuffle[i] = accept(p, "any") ? 255 : (uint8_t)number(p);
        break;
    case IR_OP_ptr_index:
        if (accept(p, "stride"))
            x->stride = (int64_t)integer(p);
        expect(p, "offset");
        x->offset = (int64_t)integer(p);
        break;
    case IR_OP_elem_load:
    case IR_OP_elem_store:
    case IR_OP_elem_atomic:
        expect(p, "of");
        x->var = variable(p);
        if (x->op == IR_OP_elem_atomic)
            x->atomic_op = (uint8_t)one_of(p, ir_atomic_names);
        x->mem = mem(p);
        break;
    case IR_OP_atomic:
        x->atomic_op = (uint8_t)one_of(p, ir_atomic_names); // fall through
    case IR_OP_load:
    case IR_OP_store:
        x->mem = mem(p);
        break;
    case IR_OP_zero:
    case IR_OP_copy:
        expect(p, "size");
        x->size = integer(p);
        x->mem = mem(p);
        if (x->op == IR_OP_copy) {
            expect(p, "from");
            x->mem_from = mem(p);
        }
        break;
    case IR_OP_sys:
        x->sys = (uint8_t)one_of(p, ir_sys_names);
        x->dim = (uint8_t)number(p);
        break;
    case IR_OP_subgroup:
        x->subgroup_op = (uint8_t)one_of(p, ir_subgroup_names);
        x->group = (uint8_t)one_of(p, ir_group_names);
        break;
    case IR_OP_image_info:
        x->image.info = (uint8_t)one_of(p, ir_image_info_names);
        x->image.axis = (uint8_t)number(p);
        break;
    case IR_OP_image_read:
    case IR_OP_image_sample:
    case IR_OP_image_write:
        x->image.dim = (uint8_t)one_of(p, ir_image_dim_names);
        x->image.texel = (uint8_t)one_of(p, ir_texel_names);
        x->image.depth = accept(p, "depth");
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
    skip_space(p);
    if (p->at >= p->end)
        return false;
    char c = *p->at;
    if (c == '%' || c == '@' || c == '$' || c == '<')
        return true;
    struct word w = peek(p);
    if (w.length < 2)
        return false;
    return same(w, "undef") || same(w, "bool") ||
           (c == 'p' && w.length > 4 && !memcmp(w.text, "ptr.", 4)) ||
           ((c == 'i' || c == 'f') && w.text[1] >= '0' && w.text[1] <= '9');
}

static struct ir_instr *phi(struct parse *p, struct ir_type t)
{
    VEC(struct late) list = {0};
    do {
        struct late one = {.index = (uint32_t)list.count, .value = UINT32_MAX};
        struct word w = peek(p);
        if (!w.length || *w.text != 'b') {
            fail(p, "expected a block", w.text, w.length);
            break;
        }
        p->at++;
        one.block = table_number(p);
        expect_char(p, ':');
        skip_space(p);
        if (p->at < p->end && *p->at == '%') {
            p->at++;
            one.value = table_number(p);
        } else {
            one.phi = value(p); // carried here for a moment
        }
        vec_push(p->arena, &list, one);
    } while (accept_char(p, ','));
    if (p->b.block->last && p->b.block->last->op != IR_OP_phi)
        fail(p, "phis come first in their block", "", 0);
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

static struct ir_instr *simple(struct parse *p, enum ir_op op, struct ir_type t)
{
    struct ir_instr *src[16], **all = src;
    uint32_t count = 0, room = 16;
    struct ir_function *callee = NULL;
    const char *called = NULL;
    if (op == IR_OP_call) {
        expect_char(p, '@');
        called = name(p);
        expect_char(p, '(');
    }
    if (at_value(p)) {
        do {
            if (count == room) {
                struct ir_instr **grown = ARENA_ARRAY(p->arena, struct ir_instr *, room * 2);
                memcpy(grown, all, count * sizeof *all);
                all = grown;
                room *= 2;
            }
            all[count++] = value(p);
        } while (accept_char(p, ','));
    }
    if (called)
        expect_char(p, ')');
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

static void instruction(struct parse *p, bool has_result)
{
    uint32_t n = 0;
    if (has_result) {
        n = table_number(p);
        expect_char(p, '=');
    }
    struct word w = next(p);
    bool fast = w.length > 5 && !memcmp(w.text + w.length - 5, ".fast", 5);
    w.length -= fast ? 5 : 0;
    enum ir_op op = find_op(p, w);
    struct ir_type t = has_result ? type(p) : ir_void();
    struct ir_instr *x = NULL;
    if (p->error)
        return;
    if (op == IR_OP_const || op == IR_OP_undef || op == IR_OP_param || op == IR_OP_addr) {
        fail(p, "these stand where they are used:", w.text, w.length);
    } else if (op == IR_OP_phi) {
        x = phi(p, t);
    } else {
        x = simple(p, op, t);
    }
    if (p->error || !x)
        return;
    x->flags = fast ? IR_FAST : 0;
    if (has_result)
        set_value(p, n, x);
}

// ---- structure ----------------------------------------------------------------------------------

static void list(struct parse *p, struct ir_list *l);

static void inner(struct parse *p, struct ir_list *l)
{
    expect_char(p, '{');
    if (p->depth++ > MAX_DEPTH)
        fail(p, "nested too deeply", "", 0);
    list(p, l);
    p->depth--;
    expect_char(p, '}');
}

static void parse_if(struct parse *p)
{
    struct ir_if *node = ir_add_if(&p->b, value(p));
    inner(p, &node->then_list);
    if (accept(p, "else"))
        inner(p, &node->else_list);
    p->b.block = ir_as_block(node->node.next);
}

static void parse_loop(struct parse *p)
{
    int32_t unroll = accept(p, "unroll") ? (int32_t)integer(p) : 0;
    struct ir_loop *node = ir_add_loop(&p->b);
    node->unroll = unroll;
    inner(p, &node->body);
    expect(p, "continue");
    inner(p, &node->cont);
    if (accept(p, "while"))
        node->cond = value(p);
    p->b.block = ir_as_block(node->node.next);
}

static void case_values(struct parse *p, struct ir_case *c, struct ir_type t)
{
    VEC(uint64_t) values = {0};
    expect(p, "case");
    do {
        if (accept(p, "default"))
            c->is_default = true;
        else
            vec_push(p->arena, &values, integer(p) & ir_mask(t.bits));
    } while (accept_char(p, ','));
    expect_char(p, ':');
    c->values = values.items;
    c->value_count = (uint32_t)values.count;
}

static void parse_switch(struct parse *p)
{
    VEC(struct ir_case) cases = {0};
    struct ir_instr *v = value(p);
    expect_char(p, '{');
    struct ir_switch *node = ir_add_switch(&p->b, v, 0);
    while (!p->error && !accept_char(p, '}')) {
        struct ir_case c = {0};
        case_values(p, &c, v->type);
        ir_list_init(p->m, &c.list, &node->node);
        inner(p, &c.list);
        vec_push(p->arena, &cases, c);
    }
    node->cases = cases.items;
    node->case_count = (uint32_t)cases.count;
    for (size_t i = 0; i < cases.count; i++) // the array may have moved: lists are named by address
        for (struct ir_node *n = cases.items[i].list.first; n; n = n->next)
            n->list = &cases.items[i].list;
    if (!cases.count)
        fail(p, "a switch without cases", "", 0);
    p->b.block = ir_as_block(node->node.next);
}

static bool label(struct parse *p)
{
    struct word w = peek(p);
    if (w.length < 2 || w.text[0] != 'b' || w.text[1] < '0' || w.text[1] > '9' ||
        w.text + w.length >= p->end || w.text[w.length] != ':')
        return false;
    p->at++;
    uint32_t n = table_number(p);
    expect_char(p, ':');
    while (p->blocks.count <= n)
        vec_push(p->arena, &p->blocks, NULL);
    if (p->blocks.items[n])
        fail(p, "a block of that number exists already", "", 0);
    p->blocks.items[n] = p->b.block;
    return true;
}

static void statement(struct parse *p)
{
    struct word w = peek(p);
    if (w.length > 6 || (*w.text != 'i' && *w.text != 'l' && *w.text != 's' && *w.text != 'b'))
        instruction(p, false);
    else if (accept(p, "if"))
        parse_if(p);
    else if (accept(p, "loop"))
        parse_loop(p);
    else if (accept(p, "switch"))
        parse_switch(p);
    else if (!label(p))
        instruction(p, false);
}

static void list(struct parse *p, struct ir_list *l)
{
    p->b.block = ir_list_last(l);
    p->b.before = NULL;
    while (!p->error) {
        skip_space(p);
        if (p->at >= p->end) {
            fail(p, "the text ends within a function", "", 0);
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

// ---- variables, kernels, functions --------------------------------------------------------------

static void init_bytes(struct parse *p, struct ir_var *var)
{
    expect_char(p, '"');
    if ((uint64_t)(p->end - p->at) / 2 < var->size) {
        fail(p, "too few bytes for the variable's size", "", 0);
        return;
    }
    uint8_t *bytes = arena_alloc(p->m->arena, (size_t)var->size + 1);
    for (uint64_t i = 0; i < var->size; i++, p->at += 2) {
        int high = hex_digit(p->at[0]), low = hex_digit(p->at[1]);
        if (high < 0 || low < 0) {
            fail(p, "bad bytes", "", 0);
            return;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    expect_char(p, '"');
    var->init = bytes;
}

static void add_reloc(struct parse *p, struct ir_var *var)
{
    uint32_t count = var->reloc_count;
    if (!(count & (count - 1))) { // full: room doubles
        struct ir_reloc *grown = ARENA_ARRAY(p->m->arena, struct ir_reloc, count ? count * 2 : 1);
        if (count)
            memcpy(grown, var->relocs, count * sizeof *grown);
        var->relocs = grown;
    }
    struct ir_reloc *r = &var->relocs[var->reloc_count++];
    r->offset = integer(p);
    expect_char(p, '@');
    vec_push(p->arena, &p->late_relocs, ((struct late_reloc){var, count, name(p)}));
    r->addend = (int64_t)integer(p);
    if (var->size < 8 || r->offset > var->size - 8)
        fail(p, "a relocation outside of its variable", "", 0);
}

static void finish_relocs(struct parse *p)
{
    for (size_t i = 0; i < p->late_relocs.count && !p->error; i++) {
        struct late_reloc *late = &p->late_relocs.items[i];
        struct ir_var *var = map_get(&p->m->vars_by_name, late->target);
        if (!var)
            fail(p, "unknown variable", late->target, strlen(late->target));
        late->var->relocs[late->index].var = var;
    }
}

// "export", "import" or "definition" and the type in C's terms.
static uint8_t linkage(struct parse *p, const char **c_type)
{
    for (unsigned i = IR_LINK_EXPORT; ir_linkage_names[i]; i++) {
        if (!accept(p, ir_linkage_names[i]))
            continue;
        *c_type = quoted(p);
        return (uint8_t)i;
    }
    return IR_LINK_NONE;
}

static void parse_var(struct parse *p, struct ir_function *f)
{
    enum ir_space space = IR_PRIVATE;
    const char *c_type = NULL;
    uint8_t link = f ? IR_LINK_NONE : linkage(p, &c_type);
    expect_char(p, f ? '$' : '@');
    const char *n = name(p);
    struct map *map = f ? &p->private_vars : &p->m->vars_by_name;
    if (!f)
        space = one_of(p, ir_space_names);
    expect(p, "size");
    uint64_t size = integer(p);
    expect(p, "align");
    uint32_t align = number(p);
    if (map_get(map, n))
        fail(p, "a variable of that name exists already:", n, strlen(n));
    struct ir_var *var = ir_var_add(p->m, f, n, space, size, align);
    var->linkage = link;
    var->c_type = c_type;
    if (f)
        map_set(p->arena, map, n, var);
    while (!p->error) {
        if (accept(p, "local_arg"))
            var->local_arg = (int32_t)integer(p);
        else if (accept(p, "elem"))
            var->elem = type(p);
        else if (accept(p, "count"))
            var->count = integer(p);
        else if (accept(p, "spec"))
            var->spec_id = number(p);
        else if (accept(p, "init"))
            init_bytes(p, var);
        else if (accept(p, "reloc"))
            add_reloc(p, var);
        else
            break;
    }
}

static void three(struct parse *p, uint32_t sizes[3])
{
    for (unsigned i = 0; i < 3; i++)
        sizes[i] = number(p);
}

static bool kernel_number(struct parse *p, struct kc_kernel *info)
{
#define NUMBER(field)                                                                              \
    if (accept(p, #field)) {                                                                       \
        info->field = number(p);                                                                   \
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
        if (accept(p, "name"))
            info->name = quoted(p);
        else if (accept(p, "attributes"))
            info->attributes = quoted(p);
        else if (accept(p, "reqd"))
            three(p, info->reqd_local_size);
        else if (accept(p, "hint"))
            three(p, info->local_size_hint);
        else if (accept(p, "vec_type_hint"))
            kernel->vec_type_hint = number(p);
        else if (!kernel_number(p, info))
            return;
    }
}

static struct kc_arg parse_arg(struct parse *p)
{
    struct kc_arg arg = {.name = quoted(p)};
    for (;;) {
        if (accept(p, "kind"))
            arg.kind = one_of(p, ir_arg_kind_names);
        else if (accept(p, "size"))
            arg.size = number(p);
        else if (accept(p, "align"))
            arg.align = number(p);
        else if (accept(p, "type"))
            arg.type_name = quoted(p);
        else if (accept(p, "address"))
            arg.address = one_of(p, ir_address_names);
        else if (accept(p, "access"))
            arg.access = one_of(p, ir_access_names);
        else if (accept(p, "qualifiers"))
            arg.type_qualifiers = number(p);
        else
            return arg;
    }
}

static struct kc_push parse_push(struct parse *p)
{
    struct kc_push push = {.kind = one_of(p, ir_push_names)};
    expect(p, "dim");
    push.dim = number(p);
    expect(p, "arg");
    push.arg = number(p);
    expect(p, "offset");
    push.offset = number(p);
    expect(p, "size");
    push.size = number(p);
    return push;
}

static struct kc_spec parse_spec(struct parse *p)
{
    struct kc_spec spec = {.kind = one_of(p, ir_spec_names)};
    expect(p, "id");
    spec.id = number(p);
    expect(p, "dim");
    spec.dim = number(p);
    expect(p, "arg");
    spec.arg = number(p);
    expect(p, "unit");
    spec.unit = number(p);
    return spec;
}

static struct kc_binding parse_binding(struct parse *p)
{
    struct kc_binding binding = {.kind = one_of(p, ir_binding_names)};
    expect(p, "arg");
    binding.arg = number(p);
    binding.dim = one_of(p, ir_image_dim_names);
    binding.texel = one_of(p, ir_texel_names);
    binding.depth = accept(p, "depth");
    return binding;
}

// The lines before the first instruction.
static void declarations(struct parse *p, struct ir_function *f)
{
    VEC(struct kc_arg) args = {0};
    VEC(struct kc_push) pushes = {0};
    VEC(struct kc_spec) specs = {0};
    VEC(struct kc_binding) bindings = {0};
    while (!p->error) {
        if (accept(p, "var"))
            parse_var(p, f);
        else if (f->kernel && accept(p, "kernel"))
            parse_kernel(p, f->kernel);
        else if (f->kernel && accept(p, "arg"))
            vec_push(p->m->arena, &args, parse_arg(p));
        else if (f->kernel && accept(p, "push"))
            vec_push(p->m->arena, &pushes, parse_push(p));
        else if (f->kernel && accept(p, "spec"))
            vec_push(p->m->arena, &specs, parse_spec(p));
        else if (f->kernel && accept(p, "binding"))
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
            fail(p, "a phi names a value or block that is not there, in function", p->f->name,
                 strlen(p->f->name));
    }
}

static struct ir_function *head(struct parse *p)
{
    const char *c_type = NULL;
    uint8_t link = linkage(p, &c_type);
    bool kernel = accept(p, "kernel"), always = accept(p, "inline"), never = accept(p, "noinline");
    bool library = accept(p, "library");
    VEC(struct ir_type) params = {0};
    expect_char(p, '@');
    const char *n = name(p);
    expect_char(p, '(');
    while (!p->error && !accept_char(p, ')')) {
        if (params.count)
            expect_char(p, ',');
        expect_char(p, '%');
        if (table_number(p) != params.count)
            fail(p, "parameters are numbered from 0", "", 0);
        expect_char(p, ':');
        vec_push(p->arena, &params, type(p));
    }
    expect_char(p, '-');
    expect_char(p, '>');
    struct ir_type result = type(p);
    struct ir_function *f = ir_function_get(p->m, n, result, params.items, (uint32_t)params.count);
    f->always_inline = always;
    f->no_inline = never;
    f->from_library = library;
    f->linkage = link;
    f->c_type = c_type;
    if (kernel && !f->kernel)
        f->kernel = ARENA_NEW(p->m->arena, struct ir_kernel);
    bool agrees = f->param_count == params.count && ir_type_eq(f->result, result);
    for (uint32_t i = 0; agrees && i < f->param_count; i++)
        agrees = ir_type_eq(f->params[i]->type, params.items[i]);
    if (!agrees)
        fail(p, "another type than before has", n, strlen(n));
    return f;
}

static void parse_function(struct parse *p)
{
    struct ir_function *f = p->f = head(p);
    vec_push(p->arena, &p->order, f);
    if (!accept_char(p, '{') || p->error)
        return;
    if (f->has_body) {
        fail(p, "defined twice:", f->name, strlen(f->name));
        return;
    }
    ir_function_define(f);
    p->values.count = p->blocks.count = p->late.count = 0;
    p->private_vars = (struct map){0};
    p->b = ir_at_end(f);
    for (uint32_t i = 0; i < f->param_count; i++)
        set_value(p, i, f->params[i]);
    declarations(p, f);
    list(p, &f->body);
    expect_char(p, '}');
    finish_phis(p);
}

// Functions met in a call first are listed where they are written.
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
    init_ops(p);
    for (size_t i = 0; i < m->vars.count; i++)
        map_set(p->arena, &p->m->vars_by_name, m->vars.items[i]->name, m->vars.items[i]);
    while (!p->error) {
        skip_space(p);
        if (p->at >= p->end)
            break;
        if (accept(p, "var"))
            parse_var(p, NULL);
        else if (accept(p, "func"))
            parse_function(p);
        else
            fail(p, "expected 'var' or 'func'", "", 0);
    }
    finish_relocs(p);
    if (!p->error && m->functions.count > before)
        restore_order(p, before);
    return p->error;
}
