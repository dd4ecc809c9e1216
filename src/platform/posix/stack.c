// SPDX-License-Identifier: Apache-2.0
// Calls on another stack. On CPUs with a switch of a few instructions, the thread itself changes
// stacks; AddressSanitizer is informed of it. Elsewhere a thread for one call runs on the stack.
#define _GNU_SOURCE
#include "platform/platform.h"

#if defined(__SANITIZE_ADDRESS__)
#define CHECKS_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKS_ADDRESSES 1
#elif __has_feature(memory_sanitizer)
#define KNOWS_STACKS 1
#endif
#endif

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__) && !defined(KNOWS_STACKS) && !defined(__APPLE__)
#define SWITCHES 1
#endif
#if defined(SWITCHES) && defined(CHECKS_ADDRESSES)
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef SWITCHES
// Calls run(data) with the stack pointer `top`. Debuggers and exceptions find the caller through
// the frame pointer.
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

#ifdef CHECKS_ADDRESSES
struct call {
    void (*run)(void *data);
    void *data;
    const void *caller; // its stack
    size_t caller_size;
};

static void begin(void *data)
{
    struct call *call = data;
    __sanitizer_finish_switch_fiber(NULL, &call->caller, &call->caller_size);
    call->run(call->data);
    __sanitizer_start_switch_fiber(NULL, call->caller, call->caller_size);
}

bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data)
{
    struct call call = {.run = run, .data = data};
    void *frames;
    __sanitizer_start_switch_fiber(&frames, stack, size);
    pumice_stack_switch(&call, begin, (char *)stack + size);
    __sanitizer_finish_switch_fiber(frames, NULL, NULL);
    return true;
}
#else
bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data)
{
    pumice_stack_switch(data, run, (char *)stack + size);
    return true;
}
#endif
#else
struct call {
    void (*run)(void *data);
    void *data;
};

static void *begin(void *data)
{
    const struct call *call = data;
    call->run(call->data);
    return NULL;
}

bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data)
{
    struct call call = {run, data};
    pthread_t thread;
    if (thread_start_on(&thread, stack, size, "pumice-build", begin, &call))
        return false;
    pthread_join(thread, NULL);
    return true;
}
#endif
