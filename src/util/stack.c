// SPDX-License-Identifier: Apache-2.0
// Stacks of our own. See stack.h.
//
// A stack that has been used is kept for the next caller; there are as many as have ever been in use at once. In a child of
// fork() those that other threads of the parent were using stay in use. On processors with a switch of a few
// instructions the thread itself changes stacks; elsewhere, and under AddressSanitizer, which must know all stacks, a thread
// that lives for one call runs on it.
#include "util/stack.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "util/options.h"
#include "util/thread.h"

#if defined(__SANITIZE_ADDRESS__)
#define KNOWS_STACKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define KNOWS_STACKS 1
#endif
#endif

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__) && !defined(KNOWS_STACKS)
#define SWITCHES 1
#endif

// More is more than AddressSanitizer unwinds.
#if UINTPTR_MAX > UINT32_MAX
#define DEFAULT_SIZE ((uintptr_t)64 << 20)
#else
#define DEFAULT_SIZE ((uintptr_t)16 << 20)
#endif

enum { GUARD = 64 << 10, STAYS = 128 << 10 }; // the lowest bytes fault; the highest ones keep their memory
enum { MOST_MIB = 1024 };

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

// Before there are stacks.
static void choose_size(void)
{
    const char *wish = option_get(OPTION_STACK);
    unsigned long long mib = wish ? strtoull(wish, NULL, 0) : 0;
    uintptr_t size = 1 << 20;
    while (size >> 20 < mib && size >> 20 < MOST_MIB)
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
    pages_hint_large(space, size, false); // small builds touch a few pages
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

// ---- running on one ------------------------------------------------------------------------------

static void begin(void *data)
{
    struct stack *stack = data;
    if (!setjmp(stack->base))
        stack->run(stack->data);
}

#ifdef SWITCHES
// Calls run(data) with the stack pointer `top`. Debuggers and exceptions find the caller by the frame pointer.
void pumice_stack_switch(void *data, void (*run)(void *), void *top) __attribute__((visibility("hidden")));

#ifdef __x86_64__
__asm__(".text\n"
        ".globl pumice_stack_switch\n"
        ".hidden pumice_stack_switch\n"
        ".type pumice_stack_switch, @function\n"
        "pumice_stack_switch:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    movq %rdx, %rsp\n"
        "    call *%rsi\n"
        "    movq %rbp, %rsp\n"
        "    popq %rbp\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size pumice_stack_switch, . - pumice_stack_switch\n");
#else
__asm__(".text\n"
        ".balign 4\n"
        ".globl pumice_stack_switch\n"
        ".hidden pumice_stack_switch\n"
        ".type pumice_stack_switch, %function\n"
        "pumice_stack_switch:\n"
        "    .cfi_startproc\n"
        "    stp x29, x30, [sp, #-16]!\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset 29, -16\n"
        "    .cfi_offset 30, -8\n"
        "    mov x29, sp\n"
        "    .cfi_def_cfa 29, 16\n"
        "    mov sp, x2\n"
        "    blr x1\n"
        "    mov sp, x29\n"
        "    ldp x29, x30, [sp], #16\n"
        "    .cfi_def_cfa 31, 0\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size pumice_stack_switch, . - pumice_stack_switch\n");
#endif

static bool run_on(struct stack *stack)
{
    pumice_stack_switch(stack, begin, stack->memory + size_of_stacks());
    return true;
}
#else
static void *begin_thread(void *data)
{
    begin(data);
    return NULL;
}

static bool run_on(struct stack *stack)
{
    pthread_t thread;
    if (thread_start_on(&thread, stack->memory + GUARD, size_of_stacks() - GUARD, "pumice-build", begin_thread, stack))
        return false;
    pthread_join(thread, NULL);
    return true;
}
#endif

static enum stack_end run_taken(struct stack *stack, void (*run)(void *data), void *data)
{
    stack->run = run;
    stack->data = data;
    stack->full = false;
    enum stack_end end = !run_on(stack) ? STACK_NO_MEMORY : stack->full ? STACK_FULL : STACK_RETURNED;
    give_back(stack);
    return end;
}

// A thread that is cancelled would leave its stack behind.
enum stack_end stack_run(void (*run)(void *data), void *data)
{
    int cancellation;
    pthread_once(&size_once, choose_size);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    struct stack *stack = take();
    enum stack_end end = stack ? run_taken(stack, run, data) : STACK_NO_MEMORY;
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
