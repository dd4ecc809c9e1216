// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules with difficult control flow are read in time and memory proportional to their
// size: reader_scale.
//
// Each shape is read with few and with many blocks. The size of the result must not grow faster
// than the module (except for a constant), nor the time much faster, including dominators and SSA
// values for variables; each barrier must exist once.
#include "cc/presets.h"
#include "passes/passes.h"
#include "reader/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FEW = 2500, MANY = 20000, WORDS = 1 << 21, WAYS = 20003, TRIES = 3 };

struct words {
    uint32_t at[WORDS], count;
    uint32_t next_id;
    uint64_t state;
};

static struct words module;

// ---- instructions --------------------------------------------------------------------------------

enum { VOID = 1, BOOL, UINT, POINTER, SIGNATURE, ONE, TWO, SEMANTICS, KERNEL, ARGUMENT, LABELS };

static void op(uint32_t opcode, uint32_t count, const uint32_t *operands)
{
    module.at[module.count++] = (count + 1) << 16 | opcode;
    for (uint32_t i = 0; i < count; i++)
        module.at[module.count++] = operands[i];
}
#define OP(opcode, ...) op(opcode, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static uint32_t roll(uint32_t sides)
{
    module.state = module.state * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)(module.state >> 33) % sides;
}

static void begin(uint32_t labels)
{
    module.count = 5;
    module.next_id = LABELS + labels;
    module.state = 7;
    OP(17, 4), OP(17, 6); // Addresses, Kernel
    OP(14, 2, 2);
    OP(15, 6, KERNEL, 'f');
    OP(19, VOID), OP(20, BOOL), OP(21, UINT, 32, 0), OP(32, POINTER, 5, UINT), OP(33, SIGNATURE, VOID, POINTER);
    OP(43, UINT, ONE, 1), OP(43, UINT, TWO, 2), OP(43, UINT, SEMANTICS, 264);
    OP(54, VOID, KERNEL, 0, SIGNATURE), OP(55, POINTER, ARGUMENT);
}

static const uint32_t *end(void)
{
    op(56, 0, NULL);
    const uint32_t header[] = {0x07230203, 0x10000, 0, module.next_id, 0};
    for (int i = 0; i < 5; i++)
        module.at[i] = header[i];
    return module.at;
}

// A block that increments a counter and selects one of `ways` by it; 0: returns.
static void block(uint32_t number, const uint32_t *to, uint32_t ways)
{
    uint32_t loaded = module.next_id++, sum = module.next_id++, less = module.next_id++, operands[2 * WAYS + 2] = {loaded};
    OP(248, LABELS + number);
    OP(61, UINT, loaded, ARGUMENT), OP(128, UINT, sum, loaded, ONE), OP(62, ARGUMENT, sum);
    if (!ways) {
        op(253, 0, NULL);
    } else if (ways == 1) {
        OP(249, LABELS + to[0]);
    } else if (ways == 2) {
        OP(176, BOOL, less, loaded, TWO), OP(250, less, LABELS + to[0], LABELS + to[1]);
    } else {
        operands[1] = LABELS + to[ways - 1];
        for (uint32_t i = 0; i + 1 < ways; i++) {
            operands[2 + 2 * i] = i;
            operands[3 + 2 * i] = LABELS + to[i];
        }
        op(251, 2 * ways, operands);
    }
}
#define BLOCK(number, ...) block(number, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

// ---- shapes with about n blocks
// ------------------------------------------------------------------

static void chain(uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        BLOCK(i, i + 1);
}

static void early_ends(uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        BLOCK(i, i + 1, n - 1);
}

static void diamonds(uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i += 3) {
        BLOCK(i, i + 1, i + 2), BLOCK(i + 1, i + 3), BLOCK(i + 2, i + 3);
    }
}

static void skips(uint32_t n) // each may skip the next one
{
    for (uint32_t i = 0; i + 1 < n; i++)
        BLOCK(i, i + 1, i + 2 < n ? i + 2 : n - 1);
}

static void nested_ifs(uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        if (i < n / 2)
            BLOCK(i, i + 1, n - 1 - i);
        else
            BLOCK(i, i + 1);
}

static void loops(uint32_t n) // in sequence
{
    BLOCK(0, 1);
    for (uint32_t i = 1; i + 1 < n; i++)
        BLOCK(i, i, i + 1);
}

static void nested_loops(uint32_t n) // at most 500 deep, in sequence
{
    uint32_t deep = 500;
    BLOCK(0, 1);
    for (uint32_t i = 1; i + 1 < n; i++) {
        uint32_t first = (i - 1) / (2 * deep) * 2 * deep + 1, k = i - first;
        if (k < deep || first + 2 * deep >= n)
            BLOCK(i, i + 1);
        else
            BLOCK(i, first + 2 * deep - 1 - k, i + 1);
    }
}

static void exits(uint32_t n) // of one loop, each to a different block
{
    uint32_t half = (n - 2) / 2;
    BLOCK(0, 1);
    for (uint32_t i = 1; i <= half; i++)
        BLOCK(i, i < half ? i + 1 : 1, half + i);
    for (uint32_t i = half + 1; i + 1 < n; i++)
        BLOCK(i, n - 1);
}

static void barrier_loop(uint32_t n) // like exits, with a barrier before the back edge
{
    uint32_t half = (n - 2) / 2;
    exits(n);
    for (uint32_t at = 5; at < module.count; at += module.at[at] >> 16)
        if (module.at[at] == (2u << 16 | 248) && module.at[at + 1] == LABELS + half) {
            uint32_t rest = module.count - at - 2;
            for (uint32_t i = 0; i < rest; i++)
                module.at[module.count + 3 - i] = module.at[module.count - 1 - i];
            uint32_t all = module.count + 4;
            module.count = at + 2;
            OP(224, TWO, TWO, SEMANTICS);
            module.count = all;
            return;
        }
}

static void switch_through(uint32_t n)
{
    static uint32_t to[WAYS];
    for (uint32_t i = 0; i + 1 < n; i++)
        to[i] = i + 1;
    block(0, to, n - 1);
    for (uint32_t i = 1; i + 1 < n; i++)
        BLOCK(i, i + 1);
}

static void switch_of_loops(uint32_t n)
{
    static uint32_t to[WAYS];
    for (uint32_t i = 0; i + 1 < n; i++)
        to[i] = i + 1;
    block(0, to, n - 1);
    for (uint32_t i = 1; i + 1 < n; i++)
        BLOCK(i, i, n - 1);
}

static void interpreter(uint32_t n) // a loop around a switch with cases that jump to each other
{
    static uint32_t to[WAYS];
    BLOCK(0, 1);
    for (uint32_t i = 2; i < n; i++)
        to[i - 2] = i;
    block(1, to, n - 2);
    for (uint32_t i = 2; i + 1 < n; i++)
        BLOCK(i, 1, 2 + roll(n - 2));
}

static void two_ways_in(uint32_t n) // loops with two entries
{
    for (uint32_t i = 0; i + 1 < n; i += 3) {
        BLOCK(i, i + 1, i + 2), BLOCK(i + 1, i + 2, i + 3), BLOCK(i + 2, i + 1, i + 3);
    }
}

static void tangle(uint32_t n) // forward, or anywhere
{
    BLOCK(0, 1);
    for (uint32_t i = 1; i + 1 < n; i++)
        BLOCK(i, i + 1, 1 + roll(n - 1));
}

static void near_tangle(uint32_t n)
{
    BLOCK(0, 1);
    for (uint32_t i = 1; i + 1 < n; i++) {
        uint32_t to = i + roll(20) > 10 ? i + roll(20) - 10 : 1;
        BLOCK(i, i + 1, to < 1 ? 1 : to < n ? to : n - 1);
    }
}

static void straight(uint32_t n) // 5 n instructions in a block
{
    OP(248, LABELS);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t loaded = module.next_id++, sum = module.next_id++, product = module.next_id++, bits = module.next_id++;
        OP(61, UINT, loaded, ARGUMENT), OP(128, UINT, sum, loaded, ONE), OP(132, UINT, product, sum, sum);
        OP(199, UINT, bits, product, TWO), OP(62, ARGUMENT, bits);
    }
    OP(249, LABELS + n - 1);
}

static const struct shape {
    const char *name;
    void (*make)(uint32_t n); // creates all blocks but the last, n - 1
} shapes[] = {
    {"chain", chain}, {"early ends", early_ends}, {"diamonds", diamonds}, {"skips", skips}, {"nested ifs", nested_ifs},
    {"loops", loops}, {"nested loops", nested_loops}, {"exits", exits}, {"barrier in a loop", barrier_loop},
    {"switch falling through", switch_through}, {"switch of loops", switch_of_loops}, {"interpreter", interpreter},
    {"two ways in", two_ways_in}, {"tangle", tangle}, {"near tangle", near_tangle}, {"straight", straight},
};

// ---- measuring -----------------------------------------------------------------------------------

struct cost {
    double seconds;
    size_t code; // instructions, and three for each block
    unsigned barriers;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void count(struct cost *cost, struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b)) {
            cost->code += 3;
            for (struct ir_instr *x = b->first; x; x = x->next) {
                cost->code++;
                cost->barriers += x->op == IR_OP_barrier;
            }
        }
}

static struct cost once(const struct shape *shape, uint32_t n)
{
    struct arena arena, work;
    struct intern intern;
    struct diag diag;
    struct kc_target target;
    struct gen_options options = {.optimize = true};
    struct cost cost = {0};
    jmp_buf unwound;
    n = (n - 1) / 3 * 3 + 1;
    begin(n);
    shape->make(n);
    block(n - 1, NULL, 0);
    const uint32_t *il = end();
    if (!preset_find("full", &target))
        abort();
    arena_init(&arena, 0, &unwound);
    arena_init(&work, 0, &unwound);
    if (setjmp(unwound)) {
        printf("%s: %s\n", shape->name, diag.log.text ? diag.log.text : "no memory");
        exit(1);
    }
    diag_init(&diag, &arena, &unwound);
    intern_init(&intern, &arena);
    struct reader_input in = {.arena = &arena, .work = &work, .intern = &intern, .diag = &diag, .target = &target,
                              .options = &options, .il = il, .size = (size_t)module.count * 4};
    double start = now();
    struct ir_module *m = reader_read(&in);
    struct pass_context context = {.module = m, .scratch = &work, .target = &target};
    for (size_t i = 0; i < m->functions.count; i++) {
        ir_dominance(m->functions.items[i]);
        opt_mem2reg(&context, m->functions.items[i]); // of the variables that tell where a loop was
                                                      // left
    }
    cost.seconds = now() - start;
    count(&cost, m);
    arena_finish(&work);
    arena_finish(&arena);
    return cost;
}

// Other processes may be running: slow measurements are repeated.
static bool is_fine(const struct shape *shape, bool last)
{
    const double times = (double)MANY / FEW;
    struct cost few = once(shape, FEW), many = once(shape, MANY);
    double growth = (double)many.code / (double)few.code, slower = many.seconds / few.seconds;
    bool barriers = many.barriers == (shape->make == barrier_loop);
    // A part that is quadratic would make it `times` times `times`.
    bool fine = growth < times * 1.2 && many.code < 45.0 * MANY && slower < times * 5 && barriers;
    if (fine || last)
        printf("%-24s %6.1f instructions a block, %4.2f of that with an eighth; %7.2f ms, %5.1f times%s\n", shape->name,
               (double)many.code / MANY, growth / times, many.seconds * 1e3, slower, fine ? "" : "  FAIL");
    return fine;
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        bool fine = false;
        for (int left = TRIES; left > 0 && !fine; left--)
            fine = is_fine(&shapes[i], left == 1);
        failed |= !fine;
    }
    return failed;
}
