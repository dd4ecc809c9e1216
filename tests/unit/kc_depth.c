// SPDX-License-Identifier: Apache-2.0
// Deeply nested programs on a thread with a stack of 64 KB: depths that pumice(7) allows are built,
// deeper ones are refused with an error. With PUMICE_STACK=1 the compiler's own stack overflows
// before the limits: then all depths must be built or refused with an error.
#include "check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "pumice/kc.h"

enum { SMALL_STACK = 64 << 10, DEEPEST = 100000, ROOM = 24 << 20 };

static const struct kc_target target = {
    .spirv_version = 0x00010500, .local_size_id = true,
    .int8 = true, .int16 = true, .int64 = true, .float64 = true, .float16 = true,
    .storage8 = true, .storage16 = true, .physical_addressing = true, .images = true,
    .max_push_bytes = 128, .max_local_size = {1024, 1024, 64}, .max_local_invocations = 1024,
    .max_local_memory = 32768, .max_function_array = 1024, .subgroup_size = 8,
};

#define KERNEL "kernel void k(global int *p, int a, global float *f) { "
#define IN_KERNEL(before, open, middle, close, after) KERNEL before, open, middle, close, after " }"
#define VALUE(open, middle, close) IN_KERNEL("p[0] = ", open, middle, close, ";")

// `#` in `open` and `close` is the number of the level, `@` that of the previous one.
static const struct kind {
    const char *name, *before, *open, *middle, *close, *after;
    unsigned builds;  // must be built at this depth; 0: no requirement
    unsigned refused; // must be refused at this depth; 0: may be built
} kinds[] = {
    {"parentheses", VALUE("(", "a", ")"), 990, 1001},
    {"blocks", IN_KERNEL("", "{", "p[0] = a;", "}", ""), 990, 1001},
    {"ifs", IN_KERNEL("", "if (p[#] > a) { p[#] = #;", "p[0] = a;", "}", ""), 990, 1001},
    {"ifs with else", IN_KERNEL("", "if (p[#] > a) { p[#] = #;", "p[0] = a;", "} else { p[#] = 7; }", ""), 990, 1001},
    {"for", IN_KERNEL("", "for (int i = 0; i < a; i++) {", "p[0] += a;", "}", ""), 990, 1001},
    {"while", IN_KERNEL("", "while (p[#] < a) {", "p[0] += a;", "}", ""), 990, 1001},
    {"do", IN_KERNEL("", "do {", "p[0] += a;", "} while (p[#] < a);", ""), 990, 1001},
    {"switch", IN_KERNEL("", "switch (a) { case 1: p[1]++; default:", "p[0] += a;", "}", ""), 490, 1001},
    {"loops with breaks", IN_KERNEL("", "for (;;) { if (p[#]) break;", "", "}", ""), 490, 1001},
    {"else if", IN_KERNEL("if (a == 0) p[0] = 1;", "else if (a == #) p[#] = a;", "", "", ""), 4999, 5001},
    {"else if that returns", IN_KERNEL("if (a == 0) return;", "else if (p[#] == a) { p[1] = #; return; }", "", "", ""), 2000, 5001},
    {"? : on the right", VALUE("a == # ? p[#] :", "5", ""), 990, 1001},
    {"? : in the middle", VALUE("a ?", "1", ": 2"), 990, 1001},
    {"a sum", VALUE("p[#] +", "a", ""), 9990, 10001},
    {"a sum of floats", IN_KERNEL("f[0] =", "f[#] +", "0", "", ";"), 9990, 10001},
    {"a sum with parentheses", VALUE("p[#] + (", "a", ")"), 490, 1001},
    {"commas", IN_KERNEL("p[0] = (", "p[#]++,", "a", "", ");"), 9990, 10001},
    {"&&", VALUE("p[#] &&", "a", ""), 9990, 10001},
    {"signs", VALUE("- ", "a", ""), 990, 1001},
    {"casts", VALUE("(int)(short)", "a", ""), 490, 1001},
    {"assignments", IN_KERNEL("int x;", "x =", "a", "", "; p[0] = x;"), 990, 1001},
    {"subscripts", VALUE("p[", "a", "]"), 990, 1001},
    {"calls of built-in functions", IN_KERNEL("f[0] =", "sqrt(", "f[1]", ")", ";"), 490, 1001},
    {"sizeof", VALUE("sizeof ", "a", ""), 990, 1001},
    {"_Generic", VALUE("_Generic(a, int:", "a", ")"), 490, 1001},
    {"statement expressions", VALUE("({", "a;", "});"), 300, 1001},
    {"typeof", IN_KERNEL("", "__typeof__(", "int", ")", " x = a; p[0] = x;"), 490, 1001},
    {"swizzles", IN_KERNEL("int4 v = a; v = v", ".wzyx", "", "", "; p[0] = v.x;"), 990, 10001},
    {"compound literals", VALUE("(int){", "a", "}"), 300, 1001},
    {"pointers", IN_KERNEL("int", "*", "x", "", "; p[0] = sizeof x;"), 490, 501},
    {"arrays", IN_KERNEL("int x", "[1]", "", "", "; p[0] = sizeof x;"), 490, 501},
    {"declarators", IN_KERNEL("int", "(", "x", ")", "; x = a; p[0] = x;"), 990, 1001},
    {"parameters", "int f(", "int (*g)(", "int", ")", "); kernel void k() {}", 0, 1001},
    {"structs", "struct s0 { int x; };", "struct s# { struct s@ m; int y; };", "", "", "kernel void k() {}", 490, 501},
    {"structs in structs", "struct s {", "struct {", "int x;", "} m;", "}; kernel void k() {}", 490, 1001},
    {"unnamed unions", "struct s {", "union {", "int x;", "};", "}; kernel void k(global struct s *s) { s->x = 1; }", 400, 1001},
    {"braces", IN_KERNEL("int x[1] =", "{", "a", "}", "; p[0] = x[0];"), 0, 1001},
    {"initializers of arrays", IN_KERNEL("int x", "[1]", " = {a}; p[0] = sizeof x", "", ";"), 490, 501},
    {"an initializer's elements", "constant int x[] = {", "#,", "", "", "}; kernel void k(global int *p) { p[0] = x[p[1]]; }", 20000, 0},
    {"constant expressions", "constant int x = ", "1 +", "1", "", "; kernel void k(global int *p) { p[0] = x; }", 9990, 10001},
    {"constant ? :", "constant int x = ", "1 ?", "1", ": 2", "; kernel void k(global int *p) { p[0] = x; }", 990, 1001},
    {"strings", IN_KERNEL("constant char *s =", "\"ab\"", "", "", "; p[0] = s[a];"), 20000, 0},
    {"blocks of C", IN_KERNEL("int (^b)(int) =", "^(int x) { return", "a;", "};", ""), 0, 1001},
    {"cases", IN_KERNEL("switch (a) {", "case #: p[#] = 1; break;", "", "", "}"), 5000, 0},
    {"labels", IN_KERNEL("", "l#:", ";", "", ""), 5000, 5001},
    {"loops by goto", IN_KERNEL("l0:", "l#: p[#]++;", "", "if (p[#] > a) goto l@;", ""), 500, 0},
    {"functions", "int g0(int a) { return a * 3; }", "int g#(int a) { return g@(a) + #; }", "", "", "kernel void k() {}", 5000, 0},
    {"macro calls in arguments", "#define F(x) (x)\n" VALUE("F(", "a", ")"), 390, 1001},
    {"macros of macros", "#define m0 a\n", "#define m# m@\n", KERNEL "p[0] = m1; }", "", "", 5000, 0},
    {"#if", "", "#if 1\n", "kernel void k() {}\n", "#endif\n", "", 20000, 0},
    {"#if that is skipped", "", "#if 0\n", "?\n", "#endif\n", "kernel void k() {}\n", 20000, 0},
    {"parentheses in #if", "#if ", "(", "1", ")", "\nkernel void k() {}\n#endif\n", 490, 1001},
    {"? : in #if", "#if ", "0 ? 1 :", "1", "", "\nkernel void k() {}\n#endif\n", 240, 1001},
    {"a sum in #if", "#if ", "1 +", "1", "", "\nkernel void k() {}\n#endif\n", 20000, 0},
    {"ifs in a row", IN_KERNEL("int x = 0;", "if (p[x]) x += 3;", "", "", "p[0] = x;"), 2000, 0},
    {"returns in a row", IN_KERNEL("", "if (p[0] > 3) return; p[0]++;", "", "", ""), 2000, 0},
    {"sums that follow each other", IN_KERNEL("int x = a;", "x = x * 3 + p[x & 7];", "", "", "p[0] = x;"), 5000, 0},
    {"pointers that follow each other", IN_KERNEL("global int *q = p;", "q = a > # ? q : p + #;", "", "", "*q = 1;"), 2000, 0},
};

static bool full_stacks; // whether a full stack was reported

static void add(char **at, const char *text, unsigned number)
{
    for (; *text; text++)
        if (*text == '#' && text[1] != 'd' && text[1] != 'i' && text[1] != 'e')
            *at += sprintf(*at, "%u", number);
        else if (*text == '@')
            *at += sprintf(*at, "%u", number - 1);
        else
            *(*at)++ = *text;
}

static char *write_source(const struct kind *kind, unsigned depth)
{
    char *text = malloc(ROOM), *at = text;
    at += sprintf(at, "%s ", kind->before);
    for (unsigned i = 1; i <= depth; i++)
        add(&at, kind->open, i);
    at += sprintf(at, "%s", kind->middle);
    for (unsigned i = depth; i > 0; i--)
        add(&at, kind->close, i);
    sprintf(at, "%s", kind->after);
    return text;
}

static void check_build(const struct kind *kind, unsigned depth, bool wanted, const char *stack)
{
    char *text = write_source(kind, depth);
    struct kc_input input = {.source = text, .length = strlen(text), .options = strcmp(kind->name, "blocks of C") ? "" : "-cl-std=CL2.0"};
    struct kc_program *program = kc_build(&input, &target);
    bool full = program && strstr(program->log, "nested too deeply: the compiler's stack");
    bool right = program && ((program->status == KC_OK) == wanted || (stack && full));
    if (!right) {
        fprintf(stderr, "%s, %u levels: status %d, %.200s\n", kind->name, depth, program ? (int)program->status : -1, program ? program->log : "");
        check_failures++;
    }
    full_stacks |= full;
    kc_program_destroy(program);
    free(text);
}

static void *check_kinds(void *stack)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct kind *kind = &kinds[i];
        if (kind->builds)
            check_build(kind, kind->builds, true, stack);
        if (kind->refused) {
            check_build(kind, kind->refused, false, stack);
            check_build(kind, DEEPEST, false, stack);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    char *stack = getenv("PUMICE_STACK");
    CHECK(!pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, SMALL_STACK));
    if (pthread_create(&thread, &attributes, check_kinds, stack))
        return 1;
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    CHECK(full_stacks == (stack != NULL));
    return check_result();
}
