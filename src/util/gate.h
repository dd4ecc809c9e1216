// SPDX-License-Identifier: Apache-2.0
// The gate: every call of the API passes it, so that who ends the process can close it, wait until
// nobody is inside any more, and say that the world has ended.
//
// exit() runs handlers and destructors while other threads go on, and the driver's own handlers
// take the driver down. So ours, which runs before them, closes the gate: calls that come now wait
// outside, calls inside go on to their end with a working device. When the last has left, nobody
// holds a lock or is in the driver; what is under way is finished, and the gate opens on a world
// that has ended, where every device answers from memory (vulkan/ended.c).
//
// Who comes late:
//  - the thread that ends the process (destructors of static objects) goes on at once: it would
//    wait for itself;
//  - any other sleeps until the first has done nothing for GATE_PAUSE_NS. Nearly always the process
//    is gone by then, and no result that is none was acted on. If it is not, then a destructor
//    perhaps waits for this very thread: then it goes on as well, every call succeeds and does
//    nothing. An error would make wrappers throw and end the process by abort(), to sleep for ever
//    would hang it, and there is no device left to do better.
//
// Inside, nobody can cancel the thread (pthread_cancel): locks and lists stay as they should be. A call that waits may
// allow it where it says so (gate_wait, gate_cancelled), then gives up, cleans up, and the thread ends as it leaves.
//
// A call that waits for another thread to act (for a user event, for a function of the
// application's) steps out meanwhile: who ends the process need not wait for it.
#ifndef PUMICE_UTIL_GATE_H
#define PUMICE_UTIL_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

#define GATE_PAUSE_NS UINT64_C(1000000000)
#define GATE_PAUSE_MOST_NS UINT64_C(5000000000)
#define GATE_WORK_NS UINT64_C(5000000000) // that work under way gets when the process ends
#define GATE_WORK_MOST_NS UINT64_C(60000000000)

struct gate_visitor;

// Around every call; they nest.
struct gate_visitor *gate_enter(void);
// For calls of some nanoseconds that reach no cancellation point: the thread's cancellation stays as it is.
struct gate_visitor *gate_enter_quickly(void);
void gate_leave(struct gate_visitor **visitor);

// Outside for a while, with no lock that a call may need at its end; `depth` is the other's result.
unsigned gate_step_out(void);
void gate_step_in(unsigned depth);

// Whether the calling thread has been cancelled, if it can be at all: a call that gives up then. Nested calls, which
// functions of the application's make while another call is under way, cannot be cancelled.
bool gate_cancelled(void);
// Waits outside, as pthread_cond_wait() does, and lets the thread be cancelled meanwhile if `cancellable`.
void gate_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool cancellable);

// The same for as long as the process lives, where the gate has been closing for longer than work
// under way is waited for; does nothing before.
void gate_give_up(void);

// Has `fn` run on each thread that has been here when it ends or ends the process: in that case
// before all handlers of atexit(). Nothing where libc has no such list (glibc has).
void gate_at_thread_end(void (*fn)(void));

// Closes the gate; false: it was closed before. `alone`: nobody is inside any more, and no lock is
// held. Otherwise a call gave no sign of life, or the caller itself is inside one (a signal handler
// that ends the process).
bool gate_close(bool *alone);
void gate_end(void); // by who has closed it
// By the only thread that is left, wherever the others were: closes the gate and ends the world at once.
void gate_abandon(void);

// Likewise: work under way has had its time. `computes`: it is the process itself that does it, and
// on a busy machine gets less done.
bool gate_work_over(bool computes);

enum gate_state { GATE_NEW, GATE_OPEN, GATE_CLOSING, GATE_SEALED, GATE_ENDED };
extern atomic_int gate_state;

// The world has ended.
static inline bool gate_ended(void)
{
    return atomic_load_explicit(&gate_state, memory_order_acquire) == GATE_ENDED;
}

#endif
