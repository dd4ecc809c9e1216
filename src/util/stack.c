// SPDX-License-Identifier: Apache-2.0
// Stacks of a chosen size. See stack.h.
//
// A used stack is kept for the next caller; there are as many as were ever in use at once. In a
// forked child, stacks that other threads of the parent used stay in use.
#include "util/stack.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "util/options.h"
#include "util/thread.h"

// AddressSanitizer cannot unwind larger ones.
#if UINTPTR_MAX > UINT32_MAX
#define DEFAULT_SIZE ((uintptr_t)64 << 20)
#else
#define DEFAULT_SIZE ((uintptr_t)16 << 20)
#endif

enum { GUARD = 64 << 10, STAYS = 128 << 10 }; // the lowest bytes fault; the highest ones keep their
                                              // memory
enum { MAX_MIB = 1024 };

struct stack {
    struct stack *older;
    char *memory; // stack_size bytes
    atomic_bool in_use;
    bool full;
    jmp_buf base;
    void (*run)(void *data);
    void *data;
};

static _Atomic(struct stack *) newest; // the list only grows
static pthread_once_t size_once = PTHREAD_ONCE_INIT;
atomic_uintptr_t stack_size = DEFAULT_SIZE;

// ---- memory --------------------------------------------------------------------------------------

// Called before the first stack is created.
static void choose_size(void)
{
    const char *wish = option_get(OPTION_STACK);
    unsigned long long mib = wish ? strtoull(wish, NULL, 0) : 0;
    uintptr_t size = 1 << 20;
    while (size >> 20 < mib && size >> 20 < MAX_MIB)
        size *= 2;
    if (mib)
        atomic_store(&stack_size, size);
}

static uintptr_t size_of_stacks(void) { return atomic_load_explicit(&stack_size, memory_order_relaxed); }

static char *map_aligned(uintptr_t size)
{
    char *space = pages_map(size, size);
    if (!space)
        return NULL;
    pages_hint_large(space, size, false); // small builds use only a few pages
    if (pages_forbid(space, GUARD))
        return space;
    pages_unmap(space, size);
    return NULL;
}

static struct stack *create(void)
{
    struct stack *stack = calloc(1, sizeof *stack);
    if (!stack)
        return NULL;
    stack->memory = map_aligned(size_of_stacks());
    if (!stack->memory) {
        free(stack);
        return NULL;
    }
    atomic_init(&stack->in_use, true);
    stack->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &stack->older, stack))
        ;
    return stack;
}

static struct stack *take(void)
{
    for (struct stack *stack = atomic_load(&newest); stack; stack = stack->older)
        if (!atomic_load_explicit(&stack->in_use, memory_order_relaxed) && !atomic_exchange(&stack->in_use, true))
            return stack;
    return create();
}

static void give_back(struct stack *stack)
{
    pages_forget(stack->memory + GUARD, size_of_stacks() - GUARD - STAYS);
    atomic_store(&stack->in_use, false);
}

// ---- running on a stack -------------------------------------------------------------------------

static void begin(void *data)
{
    struct stack *stack = data;
    if (!setjmp(stack->base))
        stack->run(stack->data);
}

static bool run_on(struct stack *stack)
{
    return stack_call(stack->memory + GUARD, size_of_stacks() - GUARD, begin, stack);
}

static enum stack_end run_on_stack(struct stack *stack, void (*run)(void *data), void *data)
{
    stack->run = run;
    stack->data = data;
    stack->full = false;
    enum stack_end end = !run_on(stack) ? STACK_NO_MEMORY : stack->full ? STACK_FULL : STACK_RETURNED;
    give_back(stack);
    return end;
}

// A cancelled thread would leak its stack.
enum stack_end stack_run(void (*run)(void *data), void *data)
{
    int cancellation;
    pthread_once(&size_once, choose_size);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    struct stack *stack = take();
    enum stack_end end = stack ? run_on_stack(stack, run, data) : STACK_NO_MEMORY;
    pthread_setcancelstate(cancellation, NULL);
    return end;
}

void stack_check_full(uintptr_t frame)
{
    uintptr_t memory = frame & ~(size_of_stacks() - 1);
    struct stack *stack = atomic_load(&newest);
    while (stack && (uintptr_t)stack->memory != memory)
        stack = stack->older;
    if (!stack)
        return;
    stack->full = true;
    longjmp(stack->base, 1);
}
