// SPDX-License-Identifier: Apache-2.0
// When a wait polls: around each of the durations that recent batches had.
#include "command/patience.h"

#include <stdbool.h>

#include "check.h"

enum { START = 1000000000 };

static bool polls_at(const struct patience *p, uint64_t ns)
{
    for (unsigned i = 0; i < p->count; i++)
        if (START + ns >= p->spans[i].from && START + ns <= p->spans[i].until)
            return true;
    return false;
}

static struct patience after_kinds(const uint64_t *kinds, const uint64_t *ns, unsigned count, uint64_t kind, uint64_t batches)
{
    struct durations recent = {.count = 0};
    for (unsigned i = 0; i < count; i++)
        durations_add(&recent, kinds ? kinds[i] : 0, ns[i]);
    struct patience p = patience_after(&recent, kind, START, batches);
    for (unsigned i = 0; i < p.count; i++) {
        CHECK(p.spans[i].from <= p.spans[i].until);
        CHECK(!i || p.spans[i - 1].until < p.spans[i].from);
    }
    return p;
}

static struct patience after(const uint64_t *ns, unsigned count, uint64_t batches) { return after_kinds(NULL, ns, count, 0, batches); }

int main(void)
{
    // Nothing is known: a short poll.
    struct patience p = after(NULL, 0, 1);
    CHECK(p.count == 1 && polls_at(&p, 0) && !polls_at(&p, 60000));

    // Long and short in turn: around both, and asleep in between.
    p = after((const uint64_t[]){1000000, 10000, 1010000, 11000}, 4, 1);
    CHECK(p.count == 2 && polls_at(&p, 10500) && polls_at(&p, 1005000) && !polls_at(&p, 400000) && !polls_at(&p, 3000000));

    // Three kinds, apart or not; only the last eight durations count.
    p = after((const uint64_t[]){9000000, 100000, 200000, 2000000, 100000, 200000, 2000000, 100000, 200000}, 9, 1);
    CHECK(p.count == 2 && polls_at(&p, 100000) && polls_at(&p, 200000) && polls_at(&p, 2000000) && !polls_at(&p, 9000000));

    // Long ones of all kinds: at most 20 ms in all, the newest for certain.
    p = after((const uint64_t[]){100000000, 200000000, 300000000, 400000000, 500000000}, 5, 1);
    CHECK(polls_at(&p, 500000000) && !polls_at(&p, 100000000) && p.count == 1);
    p = after((const uint64_t[]){300000000, 10000, 310000000, 10000}, 4, 1);
    CHECK(p.count == 2 && polls_at(&p, 10000) && polls_at(&p, 310000000));

    // Several batches at once: their average.
    p = after((const uint64_t[]){100000, 300000}, 2, 10);
    CHECK(p.count == 1 && polls_at(&p, 2000000) && !polls_at(&p, 1000000));

    // One that is longer than the eight before it, but as long as the last one of its kind.
    const uint64_t kinds[] = {100, 1, 2, 3, 4, 5, 6, 7, 8}, ns[] = {3000000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000};
    p = after_kinds(kinds, ns, 9, 100, 1);
    CHECK(p.count == 2 && polls_at(&p, 3000000) && polls_at(&p, 10000));
    p = after_kinds(kinds, ns, 9, 101, 1);
    CHECK(p.count == 1 && !polls_at(&p, 3000000));

    // The newest kinds replace the oldest.
    struct durations full = {.count = 0};
    for (uint64_t kind = 1; kind <= PATIENCE_KINDS + 1; kind++)
        durations_add(&full, kind, 10000 * kind);
    p = patience_after(&full, 2, START, 1);
    CHECK(polls_at(&p, 20000));
    p = patience_after(&full, 1, START, 1);
    CHECK(!polls_at(&p, 10000));
    return check_result();
}
