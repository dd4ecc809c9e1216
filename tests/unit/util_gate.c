// SPDX-License-Identifier: Apache-2.0
// The gate: closing it waits for calls that are inside; later calls wait for the end of the
// process.
#include "util/gate.h"

#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "util/thread.h"

enum { MS = 1000, INSIDE_MS = 200 };

static atomic_int ready, left, came, nested;
static atomic_bool opened;

static void *stay(void *unused)
{
    struct gate_visitor *visitor = gate_enter();
    atomic_fetch_add(&ready, 1);
    usleep(INSIDE_MS * MS / 2);
    struct gate_visitor *inner = gate_enter(); // does not wait, because it is inside already
    atomic_store(&nested, 1);
    gate_leave(&inner);
    usleep(INSIDE_MS * MS / 2);
    atomic_store(&left, 1);
    gate_leave(&visitor);
    return unused;
}

// Stays inside the gate until after the end.
static void *step_out(void *unused)
{
    struct gate_visitor *visitor = gate_enter();
    unsigned depth = gate_step_out();
    atomic_fetch_add(&ready, 1);
    while (!atomic_load(&opened))
        usleep(MS);
    gate_step_in(depth);
    atomic_fetch_add(&came, 1);
    gate_leave(&visitor);
    return unused;
}

static void *enter_late(void *unused)
{
    atomic_fetch_add(&ready, 1);
    while (!atomic_load(&opened))
        usleep(MS);
    struct gate_visitor *visitor = gate_enter();
    CHECK(gate_ended());
    atomic_fetch_add(&came, 1);
    gate_leave(&visitor);
    return unused;
}

static void close_and_end(void)
{
    bool idle = false, again;
    CHECK(gate_close(&idle));
    CHECK(idle);
    CHECK(atomic_load(&nested) && atomic_load(&left));
    CHECK(!gate_close(&again));
    atomic_store(&opened, true);
    usleep(50 * MS);
    CHECK(!atomic_load(&came));
    gate_end();
}

int main(void)
{
    void *(*const runs[])(void *) = {stay, step_out, enter_late};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, runs[i], NULL);
    while (atomic_load(&ready) < 3)
        usleep(MS);
    uint64_t begin = thread_now_ns();
    close_and_end();
    uint64_t end = thread_now_ns();
    struct gate_visitor *visitor = gate_enter();
    bool early = !atomic_load(&came); // it may continue before the others, unless it was not
                                      // scheduled
    CHECK(early || thread_now_ns() - begin >= GATE_PAUSE_NS);
    gate_leave(&visitor);
    for (int i = 0; i < 3; i++) // as a destructor may do
        pthread_join(threads[i], NULL);
    CHECK(atomic_load(&came) == 2);
    CHECK(thread_now_ns() - end >= GATE_PAUSE_NS); // but not immediately
    return check_result();
}
