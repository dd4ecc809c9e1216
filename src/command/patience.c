// SPDX-License-Identifier: Apache-2.0
// The spans of time in which a wait polls, from the durations of recent batches.
#include "command/patience.h"

// Before and after the expected end: one hundredth of a command that takes half a second.
#define MOST_NS UINT64_C(5000000)

static uint64_t at_most(uint64_t ns, uint64_t most) { return ns < most ? ns : most; }
static uint64_t at_least(uint64_t ns, uint64_t least) { return ns > least ? ns : least; }

// The place of the kind; PATIENCE_KINDS: it has none.
static unsigned place_of(const struct durations *durations, uint64_t kind)
{
    unsigned i = 0;
    while (i < PATIENCE_KINDS && durations->last[i].kind != kind)
        i++;
    return i;
}

void durations_add(struct durations *durations, uint64_t kind, uint64_t ns)
{
    durations->ns[durations->next] = ns;
    durations->next = (durations->next + 1) % PATIENCE_RECENT;
    durations->count += durations->count < PATIENCE_RECENT;
    unsigned place = place_of(durations, kind);
    if (place == PATIENCE_KINDS)
        place = durations->next_kind++ % PATIENCE_KINDS;
    durations->last[place].kind = kind;
    durations->last[place].ns = ns;
}

static uint64_t average(const struct durations *durations)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < durations->count; i++)
        sum += durations->ns[i];
    return durations->count ? sum / durations->count : 0;
}

static struct span span_around(uint64_t since, uint64_t usual)
{
    uint64_t end = since + usual;
    uint64_t before = at_least(at_most(usual / 4, MOST_NS), 2 * PATIENCE_MARGIN_NS);
    return (struct span){end - at_most(before, usual), end + at_most(usual / 2, MOST_NS) + PATIENCE_MARGIN_NS};
}

// Adds a span in its place, joined with those that it touches.
static void add(struct patience *p, struct span span)
{
    struct patience with = {.count = 0};
    unsigned i = 0;
    while (i < p->count && p->spans[i].until < span.from)
        with.spans[with.count++] = p->spans[i++];
    for (; i < p->count && p->spans[i].from <= span.until; i++) {
        span.from = at_most(span.from, p->spans[i].from);
        span.until = at_least(span.until, p->spans[i].until);
    }
    with.spans[with.count++] = span;
    while (i < p->count)
        with.spans[with.count++] = p->spans[i++];
    *p = with;
}

static uint64_t length(const struct patience *p)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < p->count; i++)
        sum += p->spans[i].until - p->spans[i].from;
    return sum;
}

struct patience patience_after(const struct durations *durations, uint64_t kind, uint64_t since, uint64_t batches)
{
    struct patience patience = {.count = 0};
    if (batches > 1 || !durations->count) {
        add(&patience, span_around(since, average(durations) * batches));
        return patience;
    }
    const unsigned place = kind ? place_of(durations, kind) : PATIENCE_KINDS;
    if (place < PATIENCE_KINDS)
        add(&patience, span_around(since, durations->last[place].ns));
    for (unsigned i = 1; i <= durations->count; i++) { // the newest first
        struct patience more = patience;
        add(&more, span_around(since, durations->ns[(durations->next + PATIENCE_RECENT - i) % PATIENCE_RECENT]));
        if (patience.count && length(&more) > PATIENCE_MOST_NS)
            break;
        patience = more;
    }
    return patience;
}
