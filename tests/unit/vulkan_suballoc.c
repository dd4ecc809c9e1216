// SPDX-License-Identifier: Apache-2.0
// The suballocator compared with an array of units: pieces never overlap, and all freed space is
// merged.
#include "check.h"

#include <stdlib.h>

#include "vulkan/suballoc.h"

enum { UNITS = 20000, PIECES = 4000, STEPS = 200000 };

struct piece {
    uint32_t offset, size, node;
};

static unsigned char taken[UNITS];
static struct piece pieces[PIECES];

static uint32_t next_random(void)
{
    static uint32_t state = 12345;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static bool mark(const struct piece *piece, unsigned char before, unsigned char after)
{
    bool right = piece->offset + piece->size <= UNITS;
    for (uint32_t i = 0; i < piece->size && right; i++) {
        right = taken[piece->offset + i] == before;
        taken[piece->offset + i] = after;
    }
    return right;
}

int main(void)
{
    struct suballoc s;
    uint32_t count = 0, refused = 0;
    CHECK(suballoc_init(&s, UNITS));
    for (int step = 0; step < STEPS; step++) {
        if (count < PIECES && next_random() % 100 < 55) {
            struct piece *p = &pieces[count];
            p->size = 1 + next_random() % (next_random() % 16 ? 12 : 900);
            if (suballoc_take(&s, p->size, &p->offset, &p->node)) {
                count++;
                CHECK(mark(p, 0, 1));
            } else {
                refused++;
            }
        } else if (count) {
            uint32_t which = next_random() % count;
            CHECK(mark(&pieces[which], 1, 0));
            suballoc_give(&s, pieces[which].node);
            pieces[which] = pieces[--count];
        }
    }
    CHECK(refused > 0); // the range was full
    while (count)
        suballoc_give(&s, pieces[--count].node);
    CHECK(s.used == 0);
    uint32_t offset, node;
    CHECK(suballoc_take(&s, UNITS, &offset, &node) && offset == 0);
    CHECK(!suballoc_take(&s, 1, &offset, &node));
    suballoc_finish(&s);
    return check_result();
}
