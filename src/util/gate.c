// SPDX-License-Identifier: Apache-2.0
// One marker per thread, which no other thread writes, and one global state. See gate.h.
//
// Entering writes the thread's marker, then reads the state; closing writes the state, then reads
// all markers: at least one of the two sees the other. Threads do not share cache lines, so a call
// only costs an atomic exchange on its own line. Markers are never freed, because the ending thread
// may read them at any time; those of ended threads are reused.
#include "util/gate.h"

#include <fenv.h>
#include <stdlib.h>

#include "util/floating.h"
#include "util/thread.h"

enum { POLL_US = 200, IDLE_POLL_US = 20000, LINE = 64 };
// Closing waits for each call inside as long as one of them uses CPU time: a compilation may take
// minutes on a busy machine. Without any progress a call counts as stuck.
#define PATIENCE_NS UINT64_C(10000000000)
#define PATIENCE_MAX_NS UINT64_C(300000000000)
#define PATIENCE_INSIDE_NS UINT64_C(1000000000) // if the others may wait for a lock that this
                                                // thread holds

struct gate_visitor {
    atomic_uint inside; // number of nested calls
    atomic_bool in_use;
    struct gate_visitor *next;
    thread_clock clock; // of the thread's CPU time
    int cancel;      // the thread's cancellation state outside
    bool cancelled;  // the thread ends when it leaves
    bool has_floats; // `floats`: the thread's floating-point environment outside, if it is not the default one
    fenv_t floats;
    char rest[LINE];
};

atomic_int gate_state;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_bool has_key;
static _Atomic(struct gate_visitor *) visitors;
// shared by all threads for which no marker could be allocated
static struct gate_visitor shared_visitor = {.cancel = PTHREAD_CANCEL_DISABLE};
static unsigned fork_generation;
static atomic_bool closed;
static pthread_t ending_thread;
static thread_clock ending_clock;
static _Atomic(uint64_t) ending_cpu_ns, ending_active_at; // its CPU time; when that last changed
static uint64_t closed_at, sealed_at, ended_at;
static uint64_t closed_own; // CPU time that the process had used

// ---- the first handlers at the end --------------------------------------------------------------

static void (*_Atomic thread_end)(void);

static void run_thread_end(void *unused)
{
    void (*fn)(void) = atomic_load(&thread_end);
    (void)unused;
    if (fn)
        fn();
}

void gate_at_thread_end(void (*fn)(void))
{
    atomic_store(&thread_end, fn);
}

// ---- markers ------------------------------------------------------------------------------------

static void thread_gone(void *visitor)
{
    atomic_store(&((struct gate_visitor *)visitor)->inside, 0);
    atomic_store(&((struct gate_visitor *)visitor)->in_use, false);
}

// A forked child has only this thread; the end of its parent does not concern it.
static void begin_child(void)
{
    const struct gate_visitor *self = pthread_getspecific(key);
    fork_generation = thread_fork_generation();
    for (struct gate_visitor *v = atomic_load(&visitors); v; v = v->next)
        if (v != self)
            thread_gone(v);
    atomic_store(&shared_visitor.inside, 0);
    atomic_store(&closed, false);
    if (!gate_ended())
        atomic_store(&gate_state, GATE_OPEN);
}

static void prepare(void)
{
    fork_generation = thread_fork_generation(); // registered before the following handler, which
                                                // depends on it
    pthread_atfork(NULL, NULL, begin_child);
    atomic_store(&gate_state, GATE_OPEN);
    atomic_store(&has_key, !pthread_key_create(&key, thread_gone));
}

static struct gate_visitor *reuse_visitor(void)
{
    for (struct gate_visitor *v = atomic_load(&visitors); v; v = v->next)
        if (!atomic_load_explicit(&v->in_use, memory_order_relaxed) &&
            !atomic_exchange(&v->in_use, true))
            return v;
    return NULL;
}

static struct gate_visitor *create_visitor(void)
{
    struct gate_visitor *v = memory_aligned(LINE, (sizeof *v + LINE - 1) / LINE * LINE);
    if (!v)
        return NULL;
    atomic_init(&v->inside, 0);
    atomic_init(&v->in_use, true);
    v->cancel = PTHREAD_CANCEL_DISABLE;
    v->cancelled = false;
    v->next = atomic_load(&visitors);
    while (!atomic_compare_exchange_weak(&visitors, &v->next, v))
        ;
    return v;
}

static __attribute__((noinline)) struct gate_visitor *first_visit(void)
{
    pthread_once(&once, prepare);
    struct gate_visitor *v = has_key ? reuse_visitor() : NULL;
    if (!v && has_key)
        v = create_visitor();
    if (!v || pthread_setspecific(key, v)) {
        if (v)
            thread_gone(v);
        return &shared_visitor;
    }
    thread_at_end(run_thread_end);
    v->has_floats = false; // its last thread may have ended inside
    v->clock = thread_clock_self();
    return v;
}

static inline struct gate_visitor *own(void)
{
    bool ready = atomic_load_explicit(&has_key, memory_order_acquire);
    struct gate_visitor *v = ready ? pthread_getspecific(key) : NULL;
    return v ? v : first_visit();
}

// ---- entering and leaving -----------------------------------------------------------------------

static bool is_closed(enum gate_state from)
{
    return atomic_load(&gate_state) >= (int)from && fork_generation == thread_fork_generation() &&
           !pthread_equal(pthread_self(), ending_thread);
}

// Whether the ending thread uses CPU time, or has recently.
static bool ending_thread_is_active(void)
{
    uint64_t now = thread_now_ns(), used = thread_clock_ns(ending_clock);
    if (atomic_exchange(&ending_cpu_ns, used) != used)
        atomic_store(&ending_active_at, now);
    return now < atomic_load(&ending_active_at) + GATE_PAUSE_NS &&
           now < ended_at + GATE_PAUSE_MAX_NS;
}

static void sleep_until_end(void)
{
    while (!gate_ended() || ending_thread_is_active())
        thread_sleep_us(gate_ended() ? IDLE_POLL_US : POLL_US);
}

static void block_late_call(struct gate_visitor *v)
{
    if (v == &shared_visitor)
        atomic_fetch_sub(&v->inside, 1);
    else
        atomic_store(&v->inside, 0);
    sleep_until_end();
    atomic_fetch_add(&v->inside, 1);
}

static inline void take_floats(struct gate_visitor *v)
{
    if (floating_is_default() || v == &shared_visitor) // which cannot store it
        return;
    fegetenv(&v->floats);
    fesetenv(FE_DFL_ENV);
    v->has_floats = true;
}

static inline void give_floats(struct gate_visitor *v)
{
    if (!v->has_floats)
        return;
    fesetenv(&v->floats);
    v->has_floats = false;
}

// `cancel`: the thread's cancellation state outside.
static inline struct gate_visitor *enter(struct gate_visitor *v, int cancel)
{
    unsigned inside = atomic_load_explicit(&v->inside, memory_order_relaxed);
    if (v == &shared_visitor) {
        atomic_fetch_add(&v->inside, 1);
    } else if (inside) {
        atomic_store_explicit(&v->inside, inside + 1, memory_order_relaxed);
        return v;
    } else {
        v->cancel = cancel;
        atomic_exchange(&v->inside, 1);
    }
    if (atomic_load(&gate_state) != GATE_OPEN && is_closed(GATE_CLOSING))
        block_late_call(v);
    return v;
}

struct gate_visitor *gate_enter(void)
{
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    struct gate_visitor *v = own();
    if (v == &shared_visitor)
        pthread_setcancelstate(cancel, NULL); // it cannot be stored
    enter(v, cancel);
    if (!v->has_floats)
        take_floats(v);
    return v;
}

struct gate_visitor *gate_enter_quickly(void)
{
    return enter(own(), PTHREAD_CANCEL_DISABLE);
}

void gate_leave(struct gate_visitor **visitor)
{
    struct gate_visitor *v = *visitor;
    if (v == &shared_visitor) {
        atomic_fetch_sub(&v->inside, 1);
        return;
    }
    unsigned inside = atomic_load_explicit(&v->inside, memory_order_relaxed);
    atomic_store_explicit(&v->inside, inside - 1, memory_order_release);
    if (inside > 1)
        return;
    give_floats(v);
    if (v->cancelled) {
        v->cancelled = false;
        thread_end_cancelled();
    }
    if (v->cancel == PTHREAD_CANCEL_ENABLE)
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
}

// The state of a visit is encoded in one number.
unsigned gate_step_out(void)
{
    struct gate_visitor *v = own();
    unsigned depth = atomic_load_explicit(&v->inside, memory_order_relaxed);
    if (v == &shared_visitor || !depth)
        return 0;
    atomic_store_explicit(&v->inside, 0, memory_order_release);
    give_floats(v);
    return depth * 2 + (v->cancel == PTHREAD_CANCEL_ENABLE);
}

// A call from before the closing may continue until the gate is sealed.
void gate_step_in(unsigned depth)
{
    struct gate_visitor *v = own();
    if (!depth)
        return;
    v->cancel = depth % 2 ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
    atomic_exchange(&v->inside, depth / 2);
    take_floats(v);
    if (!is_closed(GATE_SEALED))
        return;
    atomic_store(&v->inside, 0);
    sleep_until_end();
    atomic_store(&v->inside, depth / 2);
}

bool gate_cancelled(void)
{
    struct gate_visitor *v = own();
    if (v->cancel == PTHREAD_CANCEL_ENABLE && !v->cancelled)
        v->cancelled = thread_wait_cancelled(NULL, NULL);
    return v->cancelled;
}

void gate_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool cancellable)
{
    struct gate_visitor *v = own();
    bool can = cancellable && v->cancel == PTHREAD_CANCEL_ENABLE && !v->cancelled;
    unsigned depth = gate_step_out();
    if (can)
        v->cancelled = thread_wait_cancelled(cond, mutex);
    else
        pthread_cond_wait(cond, mutex);
    pthread_mutex_unlock(mutex);
    gate_step_in(depth);
    pthread_mutex_lock(mutex);
}

void gate_give_up(void)
{
    if (!is_closed(GATE_CLOSING) || thread_now_ns() < closed_at + GATE_WORK_NS)
        return;
    unsigned depth = gate_step_out();
    sleep_until_end();
    gate_step_in(depth);
}

// ---- the end ------------------------------------------------------------------------------------

// Whether another thread is inside; `life` changes when one of those uses CPU time or leaves.
static bool look_inside(const struct gate_visitor *self, uint64_t *progress)
{
    bool any = atomic_load(&shared_visitor.inside) != 0;
    *progress = 0;
    for (struct gate_visitor *v = atomic_load(&visitors); v; v = v->next) {
        if (v == self || !atomic_load(&v->inside))
            continue;
        any = true;
        *progress += thread_clock_ns(v->clock);
    }
    return any;
}

static bool wait_until_empty(const struct gate_visitor *self, uint64_t patience)
{
    uint64_t progress_at = thread_now_ns(), before = 0, progress;
    for (;; thread_sleep_us(POLL_US)) {
        uint64_t now = thread_now_ns();
        if (!look_inside(self, &progress)) {
            atomic_store(&gate_state, GATE_SEALED); // from now on no thread may step in again
            if (!look_inside(self, &progress))
                return true;
            atomic_store(&gate_state, GATE_CLOSING);
        }
        if (progress != before)
            progress_at = now;
        before = progress;
        if (now - progress_at > patience || now - closed_at > PATIENCE_MAX_NS)
            break;
    }
    atomic_store(&gate_state, GATE_SEALED);
    return false;
}

bool gate_close(bool *idle)
{
    const struct gate_visitor *self = own();
    if (atomic_exchange(&closed, true))
        return false;
    bool inside = atomic_load(&self->inside) != 0;
    ending_thread = pthread_self();
    closed_at = thread_now_ns();
    closed_own = thread_clock_ns(thread_clock_process());
    ending_clock = thread_clock_self();
    atomic_store(&gate_state, GATE_CLOSING);
    *idle = wait_until_empty(self, inside ? PATIENCE_INSIDE_NS : PATIENCE_NS) && !inside;
    sealed_at = thread_now_ns();
    return true;
}

// The device always gets some time, however long it took to empty the gate.
bool gate_work_over(bool computes)
{
    uint64_t now = thread_now_ns(), since = now - closed_at;
    if (now - sealed_at < GATE_WORK_NS / 5)
        return false;
    uint64_t own = thread_clock_ns(thread_clock_process()) - closed_own;
    return computes ? own > GATE_WORK_NS || since > GATE_WORK_MAX_NS : since > GATE_WORK_NS;
}

void gate_end(void)
{
    ended_at = thread_now_ns();
    atomic_store(&ending_active_at, ended_at);
    atomic_store(&gate_state, GATE_ENDED);
}

void gate_abandon(void)
{
    atomic_store(&closed, true);
    ending_thread = pthread_self();
    ending_clock = thread_clock_self();
    gate_end();
}
