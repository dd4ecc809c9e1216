// SPDX-License-Identifier: Apache-2.0
// printf for programs other than our runtime -> a record of words in the printf buffer (see KC_PRINTF_RECORD_MAX):
// the number of the call, which IR_PRINTED's variable gets when the program is complete, then its arguments.
//
// Arguments are promoted as in C (to double if supported); vectors are not. String literals are passed as numbers
// too.
#include "gen/gen_internal.h"

enum { WORDS_MAX = 16 * 2 }; // of an argument

// The variable with the number of the call or of a string in it.
static struct ir_var *printed_var(struct gen *gen, const char *text, const uint8_t *sizes, uint32_t count)
{
    struct str out;
    str_init(&out, gen->arena);
    str_addn(&out, (const char[4]){0}, 4);
    str_addc(&out, (char)count);
    str_addn(&out, (const char *)sizes, count);
    str_add(&out, text);
    struct ir_var *var = ir_var_add(gen->module, NULL, IR_PRINTED, IR_CONSTANT, out.length + 1, 4);
    var->init = arena_copy(gen->arena, out.text, out.length + 1);
    return var;
}

static struct ir_instr *number_of(struct gen *gen, struct ir_var *var)
{
    return ir_load(&gen->b, ir_int(32), ir_addr(gen->module, var), (struct ir_mem){.space = IR_CONSTANT, .align = 4});
}

// ---- arguments -----------------------------------------------------------------------------------

struct argument {
    const char *text; // NULL: a value
    struct ir_instr *value;
    uint32_t bytes;
};

static struct ir_type promoted(const struct gen *gen, struct ir_type type)
{
    bool wider = type.base == IR_FLOAT && type.lanes == 1 && type.bits < 64;
    if (type.base == IR_BOOL)
        return ir_with_lanes(ir_int(32), type.lanes);
    return wider ? ir_float(gen->target->float64 ? 64 : 32) : type;
}

static struct argument argument_of(struct gen *gen, struct expr *expr)
{
    struct expr *text = expr->type.type->kind == TYPE_POINTER ? sema_printed_text(gen->ast, expr) : NULL;
    if (text)
        return (struct argument){.text = text->string, .bytes = 4};
    struct ir_instr *x = gen_value(gen, expr);
    struct ir_type type = promoted(gen, x->type);
    if (x->type.base == IR_PTR)
        x = ir_convert(&gen->b, IR_OP_ptr_to_int, type = ir_int(kc_pointer_bytes(gen->target) * 8), x);
    else if (x->type.base == IR_BOOL)
        x = ir_convert(&gen->b, IR_OP_zext, type, x);
    else if (!ir_type_eq(type, x->type))
        x = ir_convert(&gen->b, IR_OP_f2f, type, x);
    return (struct argument){.value = x, .bytes = (ir_type_bytes(type) + 3) & ~3u};
}

// Splits a value into words, lowest first.
static uint32_t words_of(struct gen *gen, struct ir_instr *value, struct ir_instr *words[WORDS_MAX])
{
    struct ir_builder *b = &gen->b;
    struct ir_type type = value->type;
    uint32_t count = (ir_type_bytes(type) + 3) / 4, per_word = type.bits < 32 ? 32u / type.bits : 1;
    struct ir_instr *bits = gen_as(gen, value, ir_with_lanes(ir_int(type.bits), type.lanes));
    for (uint32_t i = 0; i < type.lanes; i++) {
        struct ir_instr *lane = ir_extract(b, bits, i);
        if (type.bits == 64) {
            struct ir_instr *pair = ir_convert(b, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), lane);
            words[2 * i] = ir_extract(b, pair, 0);
            words[2 * i + 1] = ir_extract(b, pair, 1);
            continue;
        }
        lane = type.bits < 32 ? ir_convert(b, IR_OP_zext, ir_int(32), lane) : lane;
        lane = ir_op2(b, IR_OP_shl, lane, ir_const_int(gen->module, ir_int(32), i % per_word * type.bits));
        words[i / per_word] = i % per_word ? ir_op2(b, IR_OP_or, words[i / per_word], lane) : lane;
    }
    return count;
}

struct call {
    struct argument *args;
    struct ir_var *number, **texts; // numbers of the call and of its string arguments
    uint32_t count, words;
};

static struct call read_call(struct gen *gen, const struct expr *expr)
{
    struct call call = {.count = expr->arg_count - 1, .words = 1};
    uint8_t *sizes = ARENA_ARRAY(gen->arena, uint8_t, expr->arg_count);
    call.args = ARENA_ARRAY(gen->arena, struct argument, expr->arg_count);
    call.texts = ARENA_ARRAY(gen->arena, struct ir_var *, expr->arg_count);
    for (uint32_t i = 0; i < call.count; i++) {
        call.args[i] = argument_of(gen, expr->args[i + 1]);
        sizes[i] = (uint8_t)call.args[i].bytes;
        call.words += call.args[i].bytes / 4;
    }
    call.number = printed_var(gen, expr->args[0]->string, sizes, call.count);
    for (uint32_t i = 0; i < call.count; i++)
        call.texts[i] = call.args[i].text ? printed_var(gen, call.args[i].text, NULL, 0) : NULL;
    return call;
}

// ---- the record ----------------------------------------------------------------------------------

static struct ir_instr *i32(struct gen *gen, uint32_t value) { return ir_const_int(gen->module, ir_int(32), value); }

static void store_word(struct gen *gen, struct ir_instr *record, uint32_t word, struct ir_instr *value)
{
    ir_store(&gen->b, ir_ptr_index(&gen->b, record, NULL, 0, 4 * (int64_t)word), value, (struct ir_mem){.space = IR_GLOBAL, .align = 4});
}

// Reserves `words` words if the buffer is not full. Code continues inside the condition `room`.
static struct ir_instr *reserve(struct gen *gen, struct ir_instr *buffer, uint32_t words, struct ir_if **room)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem shared = {.space = IR_GLOBAL, .scope = IR_SCOPE_DEVICE, .order = IR_ORDER_RELAXED, .coherent = true, .align = 4};
    struct ir_instr *used = ir_atomic(b, IR_ATOMIC_LOAD, ir_int(32), buffer, NULL, NULL, shared);
    *room = ir_add_if(b, ir_op2(b, IR_OP_ult, used, i32(gen, gen->target->mapping.printf_bytes / 4)));
    ir_place_end(b, &(*room)->then_list);
    return ir_atomic(b, IR_ATOMIC_ADD, ir_int(32), buffer, i32(gen, words), NULL, shared);
}

// Continues code inside a condition: the first word and the `words` words at `at` fit into the buffer.
static void begin_if_fits(struct gen *gen, struct ir_instr *at, uint32_t words)
{
    uint32_t size = gen->target->mapping.printf_bytes / 4;
    struct ir_instr *end = i32(gen, size > words ? size - words : 0);
    struct ir_if *fits = ir_add_if(&gen->b, ir_op2(&gen->b, IR_OP_ult, at, end));
    ir_place_end(&gen->b, &fits->then_list);
}

static void store_arguments(struct gen *gen, struct ir_instr *record, const struct call *call)
{
    struct ir_instr *words[WORDS_MAX];
    for (uint32_t i = 0, at = 1; i < call->count; i++) {
        uint32_t length = 1;
        if (call->texts[i])
            words[0] = number_of(gen, call->texts[i]);
        else
            length = words_of(gen, call->args[i].value, words);
        for (uint32_t k = 0; k < length; k++)
            store_word(gen, record, at++, words[k]);
    }
}

struct ir_instr *gen_printed(struct gen *gen, const struct expr *expr)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem own = {.space = IR_PRIVATE, .align = 4};
    struct ir_if *room;
    if (!gen->target->mapping.printf)
        diag_error(gen->diag, expr->loc, "'printf' requires a buffer that the program binds; use -enable-printf");
    struct call call = read_call(gen, expr);
    struct ir_instr *result = gen_temporary(gen, expr->type.type, "printed");
    struct ir_instr *buffer =
        ir_convert(b, IR_OP_int_to_ptr, ir_ptr(kc_pointer_bytes(gen->target), IR_GLOBAL), ir_sys(b, IR_SYS_PRINTF, 0));
    ir_store(b, result, i32(gen, UINT32_MAX), own);
    struct ir_instr *at = reserve(gen, buffer, call.words, &room);
    begin_if_fits(gen, at, 1);
    struct ir_instr *record = ir_ptr_index(b, buffer, ir_convert(b, IR_OP_zext, ir_int(64), at), 4, 4);
    store_word(gen, record, 0, number_of(gen, call.number));
    begin_if_fits(gen, at, call.words);
    store_arguments(gen, record, &call);
    ir_store(b, result, i32(gen, 0), own);
    ir_place_after(b, &room->node);
    return ir_load(b, ir_int(32), result, own);
}
