// SPDX-License-Identifier: Apache-2.0
// Calls on another stack. Windows stores the bounds of a thread's stack in the thread information
// block (used by exception handlers, longjmp() and stack probes): they are switched with the stack
// pointer, and back.
#include "platform/platform.h"

void pumice_stack_switch(void *data, void (*run)(void *), void *top, void *bottom);

#if defined(__x86_64__)
// Arguments are in rcx, rdx, r8 and r9; a callee has 32 bytes above its return address.
__asm__(".text\n"
        ".globl pumice_stack_switch\n"
        ".seh_proc pumice_stack_switch\n"
        "pumice_stack_switch:\n"
        "    pushq %rbp\n"
        "    .seh_pushreg %rbp\n"
        "    movq %rsp, %rbp\n"
        "    .seh_setframe %rbp, 0\n"
        "    .seh_endprologue\n"
        "    pushq %gs:0x08\n"
        "    pushq %gs:0x10\n"
        "    pushq %gs:0x1478\n"
        "    movq %r8, %gs:0x08\n"
        "    movq %r9, %gs:0x10\n"
        "    movq %r9, %gs:0x1478\n"
        "    leaq -32(%r8), %rsp\n"
        "    call *%rdx\n"
        "    leaq -24(%rbp), %rsp\n"
        "    popq %gs:0x1478\n"
        "    popq %gs:0x10\n"
        "    popq %gs:0x08\n"
        "    popq %rbp\n"
        "    ret\n"
        "    .seh_endproc\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".balign 4\n"
        ".globl pumice_stack_switch\n"
        ".seh_proc pumice_stack_switch\n"
        "pumice_stack_switch:\n"
        "    stp x29, x30, [sp, #-48]!\n"
        "    .seh_save_fplr_x 48\n"
        "    mov x29, sp\n"
        "    .seh_set_fp\n"
        "    .seh_endprologue\n"
        "    ldr x9, [x18, #0x08]\n"
        "    ldr x10, [x18, #0x10]\n"
        "    stp x9, x10, [sp, #16]\n"
        "    ldr x9, [x18, #0x1478]\n"
        "    str x9, [sp, #32]\n"
        "    str x2, [x18, #0x08]\n"
        "    str x3, [x18, #0x10]\n"
        "    str x3, [x18, #0x1478]\n"
        "    mov sp, x2\n"
        "    blr x1\n"
        "    mov sp, x29\n"
        "    ldp x9, x10, [sp, #16]\n"
        "    str x9, [x18, #0x08]\n"
        "    str x10, [x18, #0x10]\n"
        "    ldr x9, [sp, #32]\n"
        "    str x9, [x18, #0x1478]\n"
        "    ldp x29, x30, [sp], #48\n"
        "    ret\n"
        "    .seh_endproc\n");
#else
#error "no switch of stacks for this processor"
#endif

bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data)
{
    pumice_stack_switch(data, run, (char *)stack + size, stack);
    return true;
}
