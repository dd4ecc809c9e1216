// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions without source: the generated code, and errors.
#include "check.h"
#include "gen/given.h"

struct bench {
    struct arena arena;
    struct intern intern;
    struct diag diag;
    struct kc_target target;
    struct ir_module *module;
    struct gen *gen;
    struct ir_function *function;
    struct ir_builder b;
    struct qtype result;
};

static const struct ir_type params[] = {
    {IR_INT, 32, 1, 0, 0, 0}, {IR_INT, 32, 1, 0, 0, 0}, {IR_FLOAT, 32, 4, 0, 0, 0}, {IR_PTR, 64, 1, IR_GLOBAL, 0, 0}, {IR_INT, 8, 2, 0, 0, 0},
};
enum { INT_X, INT_Y, FLOAT4, POINTER, CHAR2, PARAMS };

static void begin(struct bench *t)
{
    struct gen_options options = {0};
    memset(t, 0, sizeof *t);
    arena_init(&t->arena, 0, NULL);
    intern_init(&t->intern, &t->arena);
    diag_init(&t->diag, &t->arena, NULL);
    t->target = (struct kc_target){.int8 = true, .int16 = true, .int64 = true, .extensions = KC_EXTENSIONS_ALL, .images = true};
    t->module = ir_module_create(&t->arena, &t->intern, &t->target);
    t->gen = gen_given_begin(&t->arena, &t->arena, &t->intern, &t->diag, &t->target, &options, t->module);
    t->function = ir_function_get(t->module, "f", ir_void(), params, PARAMS);
    ir_function_define(t->function);
    t->b = ir_at_end(t->function);
}

static struct gen_given given(struct bench *t, unsigned param, bool is_signed)
{
    struct ir_instr *x = t->function->params[param];
    struct type *type = x->type.base == IR_PTR
                            ? type_pointer(gen_given_types(t->gen), (struct qtype){.type = type_basic(gen_given_types(t->gen), TYPE_INT),
                                                                                   .space = x->type.space})
                            : gen_given_type(t->gen, x->type, is_signed);
    return (struct gen_given){.value = x, .type = qtype_of(type)};
}

// Generates one call in a separate function; returns it as text, or the log if it only causes
// errors.
static const char *call(struct bench *t, const char *name, const struct gen_given *args, uint32_t count)
{
    gen_given_call(t->gen, &t->b, name, args, count, (struct loc){0}, &t->result);
    if (t->diag.errors)
        return t->diag.log.text;
    ir_jump(&t->b, IR_OP_return, NULL);
    const char *wrong = ir_verify(t->module);
    if (wrong)
        return wrong;
    struct str text;
    str_init(&text, &t->arena);
    ir_print_function(&text, t->function);
    return text.text;
}

static unsigned times(const char *text, const char *word)
{
    unsigned count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static void expect(const char *name, const unsigned *which, uint32_t count, bool is_signed, const char *word, unsigned often)
{
    struct bench t;
    struct gen_given args[4];
    begin(&t);
    for (uint32_t i = 0; i < count; i++)
        args[i] = given(&t, which[i], is_signed);
    const char *text = call(&t, name, args, count);
    if (times(text, word) != often) {
        fprintf(stderr, "%s: '%s' should stand %u times in:\n%s\n", name, word, often, text);
        check_failures++;
    }
    arena_finish(&t.arena);
}

static void test_signs(void)
{
    static const unsigned two[] = {INT_X, INT_Y};
    expect("max", two, 2, true, " smax ", 1);
    expect("max", two, 2, false, " umax ", 1);
    expect("mul_hi", two, 2, false, " umulhi ", 1);
    static const unsigned bytes[] = {CHAR2};
    expect("convert_int2", bytes, 1, true, " sext ", 1);
    expect("convert_int2", bytes, 1, false, " zext ", 1);
}

static void test_library(void)
{
    static const unsigned four[] = {FLOAT4};
    expect("sin", four, 1, true, " call ", 4);
    expect("sin", four, 1, true, "sin.f", 4);
    expect("length", four, 1, true, "length.v4f", 1);
}

static void test_memory(void)
{
    static const unsigned atomic[] = {POINTER, INT_X};
    expect("atomic_add", atomic, 2, true, " atomic ", 1);
    static const unsigned stored[] = {INT_X, POINTER};
    expect("vload4", stored, 2, true, " load ", 1);
    static const unsigned none[] = {INT_X};
    expect("barrier", none, 1, false, "barrier", 1);
}

static void test_printf(void)
{
    struct bench t;
    begin(&t);
    struct gen_given args[] = {{.string = "%d %v4hlf\n"}, given(&t, INT_X, true), given(&t, FLOAT4, true)};
    CHECK(times(call(&t, "printf", args, 3), " store ") >= 6);
    CHECK(t.diag.warnings == 0);
    CHECK(t.result.type->kind == TYPE_INT);
    arena_finish(&t.arena);
}

static void test_results(void)
{
    struct bench t;
    begin(&t);
    struct gen_given args[] = {given(&t, INT_X, true)};
    call(&t, "abs", args, 1);
    CHECK(t.result.type->kind == TYPE_UINT);
    arena_finish(&t.arena);
}

static void test_errors(void)
{
    static const unsigned one[] = {INT_X}, four[] = {FLOAT4};
    expect("no_such", one, 1, true, "error: ", 1);
    expect("upsample", four, 1, true, "error: ", 1);
    expect("max", one, 1, true, "no matching function for call to 'max'", 1);
    expect("get_image_num_samples", one, 1, true, "does not support", 1);
}

int main(void)
{
    test_signs();
    test_library();
    test_memory();
    test_printf();
    test_results();
    test_errors();
    return check_result();
}
