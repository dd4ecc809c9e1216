// SPDX-License-Identifier: Apache-2.0
// The spans of time in which a wait polls, from the durations of recent batches.
#include "command/patience.h"

// Before and after the expected end: one hundredth of a command that takes half a second.
#define MOST_NS UINT64_C(5000000)

static uint64_t at_most(uint64_t ns, uint64_t most) { return ns < most ? ns : most; }

void durations_add(struct durations *recent, uint64_t ns)
{
    recent->ns[recent->next] = ns;
    recent->next = (recent->next + 1) % PATIENCE_RECENT;
    recent->count += recent->count < PATIENCE_RECENT;
}

static uint64_t average(const struct durations *recent)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < recent->count; i++)
        sum += recent->ns[i];
    return recent->count ? sum / recent->count : 0;
}

static struct span span_around(uint64_t since, uint64_t usual)
{
    uint64_t end = since + usual;
    return (struct span){end - at_most(usual / 4, MOST_NS), end + at_most(usual / 2, MOST_NS) + PATIENCE_MARGIN_NS};
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
        span.until = span.until > p->spans[i].until ? span.until : p->spans[i].until;
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

struct patience patience_after(const struct durations *recent, uint64_t since, uint64_t batches)
{
    struct patience patience = {.count = 0};
    if (batches > 1 || !recent->count) {
        add(&patience, span_around(since, average(recent) * batches));
        return patience;
    }
    for (unsigned i = 1; i <= recent->count; i++) { // the newest first
        struct patience more = patience;
        add(&more, span_around(since, recent->ns[(recent->next + PATIENCE_RECENT - i) % PATIENCE_RECENT]));
        if (i > 1 && length(&more) > PATIENCE_MOST_NS)
            break;
        patience = more;
    }
    return patience;
}
