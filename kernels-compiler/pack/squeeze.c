// SPDX-License-Identifier: Apache-2.0
// Re-Pair; see squeeze.h.
#include "pack/squeeze.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { SYMBOLS = 65536, FEWEST = 3 }; // a rule costs two symbols, a use saves one

struct squeezer {
    struct squeezed out;
    uint32_t *first, *next;    // positions of each left symbol in the text, a list ended by `none`
    uint32_t *count;           // of each right symbol, while the positions of one left symbol are visited
    uint16_t *partner;         // of each left symbol: the right symbol that follows it most often
    uint32_t *uses;            // how often
    uint16_t *rule;            // of each left symbol, in this round; 0: none
    bool *is_right;            // in a rule of this round
    uint8_t depth[SYMBOLS];
};

static const uint32_t none = UINT32_MAX;

static void list_positions(struct squeezer *s)
{
    memset(s->first, 0xff, SYMBOLS * sizeof *s->first);
    for (size_t i = s->out.count; i-- > 1;) {
        uint16_t left = s->out.symbols[i - 1];
        s->next[i - 1] = s->first[left];
        s->first[left] = (uint32_t)(i - 1);
    }
}

static bool may_join(const struct squeezer *s, uint16_t left, uint16_t right)
{
    return left && right && s->depth[left] < SQUEEZE_DEEPEST && s->depth[right] < SQUEEZE_DEEPEST;
}

// Finds the best partner of each left symbol; returns the number of uses of the best pair.
static uint32_t find_partners(struct squeezer *s, size_t symbol_count)
{
    uint32_t most = 0;
    for (size_t left = 0; left < symbol_count; left++) {
        s->uses[left] = 0;
        for (uint32_t i = s->first[left]; i != none; i = s->next[i]) {
            uint16_t right = s->out.symbols[i + 1];
            if (!may_join(s, (uint16_t)left, right) || ++s->count[right] <= s->uses[left])
                continue;
            s->uses[left] = s->count[right];
            s->partner[left] = right;
        }
        for (uint32_t i = s->first[left]; i != none; i = s->next[i])
            s->count[s->out.symbols[i + 1]] = 0;
        most = s->uses[left] > most ? s->uses[left] : most;
    }
    return most;
}

// Makes rules of the pairs with at least half the uses of the best. No symbol is left in one and right in another, so
// every use that was counted can be replaced (those of a symbol that follows itself may overlap).
static void make_rules(struct squeezer *s, size_t symbol_count, uint32_t most)
{
    memset(s->rule, 0, SYMBOLS * sizeof *s->rule);
    memset(s->is_right, 0, SYMBOLS * sizeof *s->is_right);
    uint32_t least = most / 2 < FEWEST ? FEWEST : most / 2;
    for (size_t left = 0; left < symbol_count; left++) {
        uint16_t right = s->partner[left];
        size_t symbol = SQUEEZE_FIRST_RULE + s->out.rule_count;
        if (s->uses[left] < least || s->is_right[left] || s->rule[right] || symbol == SYMBOLS)
            continue;
        s->out.rules[s->out.rule_count++] = (struct squeeze_rule){(uint16_t)left, right};
        s->depth[symbol] = 1 + (s->depth[left] > s->depth[right] ? s->depth[left] : s->depth[right]);
        s->rule[left] = (uint16_t)symbol;
        s->is_right[right] = true;
    }
}

static void apply_rules(struct squeezer *s)
{
    uint16_t *symbols = s->out.symbols;
    size_t to = 0;
    for (size_t i = 0; i < s->out.count; i++, to++) {
        uint16_t symbol = symbols[i], rule = s->rule[symbol];
        bool applies = rule && i + 1 < s->out.count && symbols[i + 1] == s->partner[symbol];
        symbols[to] = applies ? rule : symbol;
        i += applies;
    }
    s->out.count = to;
}

struct squeezed squeeze(struct arena *arena, const char *text, size_t length)
{
    struct squeezer *s = ARENA_NEW(arena, struct squeezer);
    s->out = (struct squeezed){ARENA_ARRAY(arena, uint16_t, length), length,
                               ARENA_ARRAY(arena, struct squeeze_rule, SYMBOLS), 0};
    s->first = ARENA_ARRAY(arena, uint32_t, SYMBOLS);
    s->next = ARENA_ARRAY(arena, uint32_t, length);
    s->count = ARENA_ARRAY(arena, uint32_t, SYMBOLS);
    s->partner = ARENA_ARRAY(arena, uint16_t, SYMBOLS);
    s->uses = ARENA_ARRAY(arena, uint32_t, SYMBOLS);
    s->rule = ARENA_ARRAY(arena, uint16_t, SYMBOLS);
    s->is_right = ARENA_ARRAY(arena, bool, SYMBOLS);
    for (size_t i = 0; i < length; i++) {
        assert((unsigned char)text[i] < SQUEEZE_FIRST_RULE);
        s->out.symbols[i] = (uint16_t)text[i];
    }
    for (;;) {
        size_t symbol_count = SQUEEZE_FIRST_RULE + s->out.rule_count;
        list_positions(s);
        uint32_t most = find_partners(s, symbol_count);
        if (most < FEWEST || symbol_count == SYMBOLS)
            return s->out;
        make_rules(s, symbol_count, most);
        apply_rules(s);
    }
}

// Writes the characters that a symbol stands for.
static char *expand(const struct squeeze_rule *rules, uint16_t symbol, char *to)
{
    uint16_t later[SQUEEZE_DEEPEST];
    unsigned count = 0;
    for (;;) {
        while (symbol >= SQUEEZE_FIRST_RULE) {
            const struct squeeze_rule *rule = &rules[symbol - SQUEEZE_FIRST_RULE];
            later[count++] = rule->right;
            symbol = rule->left;
        }
        *to++ = (char)symbol;
        if (!count)
            return to;
        symbol = later[--count];
    }
}

char *unsqueeze(struct arena *arena, const struct squeeze_rule *rules, const uint16_t *symbols, size_t length)
{
    char *text = arena_alloc(arena, length + 1), *to = text;
    while (to < text + length)
        to = expand(rules, *symbols++, to);
    *to = 0;
    return text;
}
