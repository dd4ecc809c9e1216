// SPDX-License-Identifier: Apache-2.0
// When a wait polls the device: around each duration that the queue's recent batches had.
#ifndef COMMAND_PATIENCE_H
#define COMMAND_PATIENCE_H

#include <stdint.h>

enum {
    PATIENCE_RECENT = 8,
    PATIENCE_MARGIN_NS = 50000,
    PATIENCE_MOST_NS = 20000000, // of polling in one wait, for more than one duration
};

struct durations { // of recent batches that a caller waited for
    uint64_t ns[PATIENCE_RECENT];
    unsigned count, next;
};

struct span {
    uint64_t from, until;
};

struct patience { // ascending spans that do not touch
    struct span spans[PATIENCE_RECENT];
    unsigned count;
};

void durations_add(struct durations *recent, uint64_t ns);

// When `batches` batches may end, of which the device began the first at time `since`. A program may wait for long
// and short batches in turn, so each recent duration counts for itself.
struct patience patience_after(const struct durations *recent, uint64_t since, uint64_t batches);

#endif
