// SPDX-License-Identifier: Apache-2.0
// The gate: every API call passes through it, so that the thread that ends the process can close
// it, wait until no other thread is inside, and mark the process as ended.
//
// exit() runs handlers and destructors while other threads still run, and the driver's own handlers
// shut the driver down. So our handler, which runs earlier, closes the gate: new calls wait
// outside, calls inside run to their end with a working device. When the last one has left, no
// thread holds a lock or is in the driver. Then work in progress is finished, and the gate opens in
// the ended state, in which all device functions do nothing (vulkan/ended.c).
//
// Calls after closing:
// - In the thread that ends the process (destructors of static objects) they continue at once,
//   because it would wait for itself.
// - Any other thread sleeps until the ending thread has been idle for GATE_PAUSE_NS. Almost always
//   the process has ended by then. If not, a destructor may be waiting for this thread: then it
//   continues too, and every call succeeds and does nothing. An error would make C++ wrappers throw
//   and abort the process; sleeping forever would hang it.
//
// Inside, cancellation of the thread (pthread_cancel) is disabled, so that locks and lists stay
// consistent. A call that waits may allow it (gate_wait, gate_cancelled): it then gives up and
// cleans up, and the thread ends when it leaves.
//
// Inside, the floating-point environment is the default one: drivers, compilers and their threads, which inherit it,
// rely on that, and programs enable traps (Fortran's -ffpe-trap) or flush denormals.
//
// A call that waits for another thread (for a user event, or for a function of the application)
// steps out meanwhile, so the end of the process does not wait for it.
#ifndef PUMICE_UTIL_GATE_H
#define PUMICE_UTIL_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

#define GATE_PAUSE_NS UINT64_C(1000000000)
#define GATE_PAUSE_MAX_NS UINT64_C(5000000000)
#define GATE_WORK_NS UINT64_C(5000000000) // time for work in progress when the process ends
#define GATE_WORK_MAX_NS UINT64_C(60000000000)

struct gate_visitor;

// Around every API call; calls may nest.
struct gate_visitor *gate_enter(void);
// For very short calls without cancellation points: does not change the thread's cancellation
// state.
struct gate_visitor *gate_enter_quickly(void);
void gate_leave(struct gate_visitor **visitor);

// Steps outside temporarily, without holding locks that a call may need; pass the result as
// `depth`.
unsigned gate_step_out(void);
void gate_step_in(unsigned depth);

// Whether the calling thread has been cancelled, so the call must give up. Nested calls, made by
// functions of the application during another call, cannot be cancelled.
bool gate_cancelled(void);
// Waits outside, like pthread_cond_wait(); if `cancellable`, the thread can be cancelled meanwhile.
void gate_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool cancellable);

// Steps out for as long as the process lives, if the gate has been closing for longer than the time
// for work in progress; otherwise does nothing.
void gate_give_up(void);

// Calls `fn` on each thread that has passed the gate, when the thread or the process ends; in the
// latter case before all atexit() handlers. No effect if libc does not support that (glibc does).
void gate_at_thread_end(void (*fn)(void));

// Closes the gate; false: it was already closed. `idle`: no other thread is inside or holds a lock.
// Otherwise a call seems stuck, or the caller itself is inside one (a signal handler that ends the
// process).
bool gate_close(bool *idle);
void gate_end(void); // by the thread that has closed it
// For the only thread left, when the others were terminated anywhere: closes the gate and enters
// the ended state at once.
void gate_abandon(void);

// For the same thread: whether the time for work in progress is over. `computes`: this process does
// the work itself, and needs more time on a busy machine.
bool gate_work_over(bool computes);

enum gate_state { GATE_NEW, GATE_OPEN, GATE_CLOSING, GATE_SEALED, GATE_ENDED };
extern atomic_int gate_state;

// Whether the gate is in the ended state.
static inline bool gate_ended(void)
{
    return atomic_load_explicit(&gate_state, memory_order_acquire) == GATE_ENDED;
}

#endif
