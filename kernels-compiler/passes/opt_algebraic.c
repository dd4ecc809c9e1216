// SPDX-License-Identifier: Apache-2.0
// Folds constants and rewrites by the rules of algebraic.def.
//
// A rule is two byte strings in prefix order; rules are indexed by their outermost operation. In addition to the table,
// code handles conversions and comparisons that depend on types, addresses cast to the generic space, divisions by
// powers of two, and phis with a single value.
#include "passes/opt.h"
#include "util/stack.h"
#include <math.h>
#include <stdlib.h>

enum word {
#define OP(name, sources, rule, flags) o_##name,
#include "ir/ops.def"
    A = 200,
    B,
    C,
    D,
    K,
    L,
    P2,
    P2_MINUS_1,
    ONE,
    ZERO,
    TRUE,
    VARS = 6, // A..L
};

enum { EXACT, FAST, ONCE };
enum {
    MAX_WORDS = 10,  // of a pattern or result
    MAX_SOURCES = 3, // of its operations
    MAX_STRIDE = 1 << 16,
    MAX_SPLITS = 6,    // of one index
    MAX_SUMS = 6,      // nesting depth of sums
    MAX_INVARIANT = 5, // depth of the search for loop-invariant values
};

#define UNWRAP(...) __VA_ARGS__
static const struct rule {
    uint8_t when, pattern[MAX_WORDS], result[MAX_WORDS];
} rules[] = {
#define RULE(when, pattern, result) {when, {UNWRAP pattern}, {UNWRAP result}},
#include "passes/algebraic.def"
};

enum { RULE_COUNT = sizeof rules / sizeof *rules };
_Static_assert(RULE_COUNT < 255, "a rule's number fits a byte");

struct match {
    struct ir_instr *bound[VARS];
    struct ir_instr *power;
    const uint32_t *uses; // by id
    uint32_t use_count;   // ids known
    bool once;
};

struct algebra {
    struct ir_module *m;
    const struct kc_target *target;
    struct arena *scratch;
    struct ir_function *f;
    struct ir_builder b;
    uint32_t *uses, use_count;
    uint8_t first[IR_OP_COUNT], next[RULE_COUNT]; // 1 + rule: chains by outermost operation
    uint64_t inner[IR_OP_COUNT]; // operations of sources that a rule of the chain needs, as bits; all: none is needed
    bool changed;
};

// ---- matching -----------------------------------------------------------------------------------

static bool lanes_are(const struct ir_instr *x, uint64_t value)
{
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if (x->lanes[i] != value)
            return false;
    return ir_is_const(x);
}

static uint64_t one_of_type(struct ir_type t)
{
    return t.base == IR_FLOAT ? ir_float_bits(t.bits, 1) : 1;
}

static bool is_power(const struct ir_instr *x)
{
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if (!x->lanes[i] || (x->lanes[i] & (x->lanes[i] - 1)))
            return false;
    return ir_is_const(x);
}

static bool match_leaf(struct match *m, uint8_t word, struct ir_instr *x)
{
    switch (word) {
    case P2:
        m->power = x;
        return is_power(x);
    case ONE:
        return lanes_are(x, one_of_type(x->type));
    case ZERO:
        return lanes_are(x, 0);
    case TRUE:
        return x->type.base == IR_BOOL && lanes_are(x, 1);
    default:
        break;
    }
    struct ir_instr **bound = &m->bound[word - A];
    if ((word == K || word == L) && !ir_is_const(x))
        return false;
    if (*bound)
        return *bound == x;
    *bound = x;
    return true;
}

static bool is_used_once(const struct match *m, const struct ir_instr *x)
{
    return x->id < m->use_count && m->uses[x->id] <= 1;
}

// swapped: the first two sources of `x`.
static bool match(struct match *m, const uint8_t *pattern, struct ir_instr *x, bool swapped)
{
    struct ir_instr *todo[MAX_WORDS + MAX_SOURCES] = {x}; // in reverse order
    unsigned count = 1;
    for (const uint8_t *at = pattern; count; at++) {
        x = todo[--count];
        if (*at >= A) {
            if (!match_leaf(m, *at, x))
                return false;
            continue;
        }
        const bool outermost = at == pattern, swaps = outermost && swapped;
        if (x->op != *at || (!outermost && m->once && !is_used_once(m, x)))
            return false;
        for (uint32_t i = x->src_count; i-- > 0;)
            todo[count++] = x->src[swaps && i < 2 ? 1 - i : i];
    }
    return true;
}

// ---- building -----------------------------------------------------------------------------------

static struct ir_instr *power_const(struct algebra *a, const struct ir_instr *power, bool minus_one)
{
    uint64_t lanes[16];
    for (unsigned i = 0; i < power->type.lanes; i++)
        lanes[i] = minus_one ? power->lanes[i] - 1 : (uint64_t)__builtin_ctzll(power->lanes[i]);
    return ir_const(a->m, power->type, lanes);
}

static struct ir_instr *build(struct algebra *a, const struct match *m, const uint8_t **at,
                              const struct ir_instr *like)
{
    stack_check();
    uint8_t word = *(*at)++;
    struct ir_instr *src[3];
    if (word < A) {
        uint32_t count = ir_ops[word].sources;
        for (uint32_t i = 0; i < count; i++)
            src[i] = build(a, m, at, like);
        if (count == 1)
            return ir_op1(&a->b, word, src[0]);
        return count == 2 ? ir_op2(&a->b, word, src[0], src[1])
                          : ir_op3(&a->b, word, src[0], src[1], src[2]);
    }
    switch (word) {
    case P2:
        return power_const(a, m->power, false);
    case P2_MINUS_1:
        return power_const(a, m->power, true);
    case ONE:
        return ir_const_int(a->m, like->type, one_of_type(like->type));
    case ZERO:
        return ir_const_int(a->m, like->type, 0);
    case TRUE:
        return ir_const_int(a->m, like->type, 1);
    default:
        return m->bound[word - A];
    }
}

// A quick check: the operations or constants directly below the outermost one.
static bool word_fits(uint8_t word, const struct ir_instr *x)
{
    return word < A ? x->op == word : word <= D || ir_is_const(x);
}

static bool may_match(const uint8_t *pattern, const struct ir_instr *x, bool swapped)
{
    if (!word_fits(pattern[1], x->src[swapped]))
        return false;
    return pattern[1] < A || x->src_count != 2 || word_fits(pattern[2], x->src[!swapped]);
}

// Whether both sums are exact, which the sum of two other terms of them need not be: addresses need exact indices.
static bool is_exact_index(const struct ir_instr *sum, const struct ir_instr *inner)
{
    return sum->type.bits == 32 && sum->flags & inner->flags & IR_NO_WRAP;
}

static struct ir_instr *apply_rule(struct algebra *a, const struct rule *rule, struct ir_instr *x,
                                   bool swapped)
{
    const uint8_t *result = rule->result;
    if (rule->when == FAST && !(x->flags & IR_FAST))
        return NULL;
    struct match m = {.uses = a->uses, .use_count = a->use_count, .once = rule->when == ONCE};
    if (!match(&m, rule->pattern, x, swapped))
        return NULL;
    if (rule->when == ONCE && (ir_is_const(m.bound[B - A]) || is_exact_index(x, x->src[swapped])))
        return NULL; // only moves constants outwards
    a->b.flags = x->flags & IR_FAST;
    return build(a, &m, &result, x);
}

static inline struct ir_instr *try_rule(struct algebra *a, const struct rule *rule, struct ir_instr *x, bool swapped)
{
    return may_match(rule->pattern, x, swapped) ? apply_rule(a, rule, x, swapped) : NULL;
}

// Different operations may share a bit.
static inline uint64_t op_bit(unsigned op) { return UINT64_C(1) << (op & 63); }

static bool has_rules(const struct algebra *a, const struct ir_instr *x)
{
    uint64_t sources = 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        sources |= op_bit(x->src[i]->op);
    return (sources & a->inner[x->op]) != 0;
}

// What a rule needs of the first source that is not any value.
static uint64_t needed_below(const uint8_t *pattern)
{
    const uint8_t word = pattern[1] >= A && pattern[1] <= D ? pattern[2] : pattern[1];
    return word < A ? op_bit(word) : word <= D ? ~UINT64_C(0) : op_bit(IR_OP_const);
}

static void index_rules(struct algebra *a)
{
    for (size_t i = RULE_COUNT; i-- > 0;) {
        const uint8_t op = rules[i].pattern[0];
        a->next[i] = a->first[op];
        a->first[op] = (uint8_t)(i + 1);
        a->inner[op] |= needed_below(rules[i].pattern);
    }
}

static struct ir_instr *by_table(struct algebra *a, struct ir_instr *x)
{
    if (!has_rules(a, x))
        return NULL;
    for (size_t i = a->first[x->op]; i; i = a->next[i - 1]) {
        struct ir_instr *result = try_rule(a, &rules[i - 1], x, false);
        if (!result && ir_has_flag(x, IR_FLAG_C))
            result = try_rule(a, &rules[i - 1], x, true);
        if (result)
            return result;
    }
    return NULL;
}

// ---- rewrites that the table cannot express ----------------------------------------------------

// Signed x / 2^k and x % 2^k: a bias is added to the dividend so that the shift rounds towards zero.
static struct ir_instr *signed_division(struct algebra *a, struct ir_instr *x)
{
    struct ir_builder *b = &a->b;
    struct ir_instr *n = x->src[0], *d = x->src[1];
    unsigned bits = x->type.bits;
    if (!is_power(d) || lanes_are(d, UINT64_C(1) << (bits - 1)) || lanes_are(d, 1))
        return NULL;
    for (unsigned i = 0; i < d->type.lanes; i++)
        if (d->lanes[i] == 1 || d->lanes[i] >> (bits - 1))
            return NULL;
    uint64_t down[16];
    struct ir_instr *shift = power_const(a, d, false), *mask = power_const(a, d, true);
    if (opt_never_negative(a->target, n) || opt_tested_not_negative(n, x->block))
        return x->op == IR_OP_sdiv ? ir_op2(b, IR_OP_lshr, n, shift)
                                   : ir_op2(b, IR_OP_and, n, mask);
    for (unsigned i = 0; i < d->type.lanes; i++)
        down[i] = bits - shift->lanes[i];
    struct ir_instr *sign = ir_op2(b, IR_OP_ashr, n, ir_const_int(a->m, x->type, bits - 1));
    struct ir_instr *bias = ir_op2(b, IR_OP_lshr, sign, ir_const(a->m, x->type, down));
    struct ir_instr *biased = ir_op2(b, IR_OP_iadd, n, bias);
    if (x->op == IR_OP_sdiv)
        return ir_op2(b, IR_OP_ashr, biased, shift);
    return ir_op2(b, IR_OP_isub, ir_op2(b, IR_OP_and, biased, mask), bias);
}

static bool fits(const struct ir_instr *x, enum ir_op extension, struct ir_type narrow)
{
    unsigned spare = 64 - narrow.bits, wide = 64 - x->type.bits;
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++) {
        uint64_t v = x->lanes[i];
        if (extension == IR_OP_zext
                ? v << spare >> spare != v
                : (int64_t)(v << spare) >> spare != (int64_t)(v << wide) >> wide)
            return false;
    }
    return ir_is_const(x);
}

static bool is_widened(const struct kc_target *target, unsigned bits)
{
    return target->small_ints_in_32 || !(bits == 8 ? target->int8 : target->int16);
}

// Narrows a comparison of two values that are extended the same way, or of one with a constant in its range.
static struct ir_instr *narrow_comparison(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *l = x->src[0], *r = x->src[1];
    struct ir_instr *from = l->op == IR_OP_zext || l->op == IR_OP_sext ? l : r;
    bool is_signed = x->op == IR_OP_slt || x->op == IR_OP_sle,
         equality = x->op == IR_OP_ieq || x->op == IR_OP_ine;
    if (from->op != IR_OP_zext && from->op != IR_OP_sext)
        return NULL;
    struct ir_type narrow = from->src[0]->type;
    if (narrow.base == IR_INT && narrow.bits < 32 && a->target && is_widened(a->target, narrow.bits))
        return NULL; // lower_small_ints has done it
    struct ir_instr *other = from == l ? r : l;
    bool alike = other->op == from->op && ir_type_eq(other->src[0]->type, narrow);
    if (!alike && !fits(other, from->op, narrow))
        return NULL;
    if (narrow.base == IR_BOOL) {
        if (!equality || !(alike || lanes_are(other, 0) || lanes_are(other, 1)) ||
            from->op == IR_OP_sext)
            return NULL;
    } else if (!equality && is_signed != (from->op == IR_OP_sext) &&
               !(is_signed && from->op == IR_OP_zext)) {
        return NULL; // unsigned comparison of sign-extended values
    }
    struct ir_instr *small = alike ? other->src[0] : NULL;
    if (!small)
        small = ir_const(a->m, narrow, other->lanes);
    // Zero-extended values compare as unsigned, even if the comparison is signed.
    enum ir_op op = x->op;
    if (from->op == IR_OP_zext && is_signed)
        op = op == IR_OP_slt ? IR_OP_ult : IR_OP_ule;
    return ir_op2(&a->b, op, from == l ? from->src[0] : small, from == l ? small : from->src[0]);
}

// An order that holds, or fails, for all values in the ranges of both sides. Of signed values: if none is negative.
static struct ir_instr *known_order(struct algebra *a, const struct ir_instr *x)
{
    const struct ir_instr *l = x->src[0], *r = x->src[1];
    const bool is_signed = x->op == IR_OP_slt || x->op == IR_OP_sle, strict = x->op == IR_OP_slt || x->op == IR_OP_ult;
    if (l->type.base != IR_INT)
        return NULL;
    const uint64_t most_left = opt_max(a->target, l), most_right = opt_max(a->target, r);
    const uint64_t sign = UINT64_C(1) << (l->type.bits - 1);
    if (is_signed && (most_left >= sign || most_right >= sign))
        return NULL;
    const uint64_t least_left = opt_min(a->target, l), least_right = opt_min(a->target, r);
    if (strict ? most_left < least_right : most_left <= least_right)
        return ir_const_int(a->m, x->type, 1);
    if (strict ? least_left >= most_right : least_left > most_right)
        return ir_const_int(a->m, x->type, 0);
    return NULL;
}

// Simplifies comparisons of a bool with false or 0 to the bool.
static struct ir_instr *bool_comparison(struct algebra *a, struct ir_instr *x)
{
    if (x->src[0]->type.base != IR_BOOL)
        return NULL;
    struct ir_instr *c = ir_is_const(x->src[1]) ? x->src[1] : x->src[0],
                    *v = c == x->src[1] ? x->src[0] : x->src[1];
    bool ones = lanes_are(c, 1);
    if (!ones && !lanes_are(c, 0))
        return NULL;
    return ones == (x->op == IR_OP_ieq) ? v : ir_op1(&a->b, IR_OP_not, v);
}

// An access by a pointer cast to generic is done in the original address space.
static bool skip_generic_cast(struct algebra *a, struct ir_instr *x, uint32_t index,
                              struct ir_mem *mem)
{
    struct ir_instr *address = x->src[index], *index_of = NULL;
    if (address->type.base != IR_PTR || address->type.space != IR_GENERIC)
        return false;
    if (address->op == IR_OP_ptr_index && address->src[0]->op == IR_OP_ptr_cast)
        index_of = address;
    struct ir_instr *cast = index_of ? address->src[0] : address;
    if (cast->op != IR_OP_ptr_cast)
        return false;
    struct ir_instr *origin = cast->src[0];
    ir_place_before(&a->b, x);
    if (index_of)
        origin = ir_ptr_index(&a->b, origin, address->src_count > 1 ? address->src[1] : NULL,
                              address->stride, address->offset);
    x->src[index] = origin;
    mem->space = origin->type.space;
    return true;
}

static bool memory_addresses(struct algebra *a, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_load:
    case IR_OP_store:
    case IR_OP_zero:
    case IR_OP_atomic:
    case IR_OP_mat_load:
    case IR_OP_mat_store:
        return skip_generic_cast(a, x, 0, &x->mem);
    case IR_OP_copy: {
        bool to = skip_generic_cast(a, x, 0, &x->mem),
             from = skip_generic_cast(a, x, 1, &x->mem_from);
        return to || from;
    }
    default:
        return false;
    }
}

static int64_t signed_value(const struct ir_instr *x)
{
    return (int64_t)(x->lanes[0] << (64 - x->type.bits)) >> (64 - x->type.bits);
}

// ---- sums in an index ---------------------------------------------------------------------------

static const struct ir_node *loop_around(const struct ir_instr *x)
{
    for (const struct ir_list *list = x->block->node.list; list->owner; list = list->owner->list)
        if (list->owner->kind == IR_LOOP)
            return list->owner;
    return NULL;
}

// Whether the value may differ between iterations of the loop; inside the loop, it may still be invariant.
static bool changes_in(const struct ir_node *loop, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (!loop || !opt_is_inside(loop, x))
        return false;
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi || depth == MAX_INVARIANT)
        return true;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (changes_in(loop, x->src[i], depth + 1))
            return true;
    return false;
}

static bool is_shared(const struct algebra *a, const struct ir_instr *x)
{
    return !opt_is_floating(x) && x->id < a->use_count && a->uses[x->id] > 1;
}

// The constant factor of a product or shift that is the index of `x`; 0: not to be changed. Products are not changed
// on a CPU, where 64-bit ones are slow, nor where strength reduction does not turn them into loop-carried sums.
static int64_t factor_of_index(const struct algebra *a, const struct ir_instr *product, const struct ir_instr *x)
{
    int64_t by = signed_value(product->src[1]);
    if (x->stride <= 0 || x->stride >= MAX_STRIDE || by <= 0)
        return 0;
    if (product->op == IR_OP_shl)
        return by < 16 && !(x->stride & (x->stride - 1)) ? INT64_C(1) << by : 0;
    bool cpu = !a->target || a->target->keeps_loops;
    return !cpu && by < MAX_STRIDE && changes_in(loop_around(x), product->src[0], 0) ? by : 0;
}

// base[i + K] -> (base + K * stride)[i], base[i * K] -> base[i] with a larger stride. A 64-bit sum wraps as the
// address does; a 32-bit sum must be known not to wrap, so that the constant may be added after extension.
static struct ir_instr *constant_index(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *sum = x->src_count > 1 ? x->src[1] : NULL;
    bool extended = sum && sum->op == IR_OP_sext && sum->src[0]->flags & IR_NO_WRAP;
    sum = extended ? sum->src[0] : sum;
    if (!sum || (sum->op != IR_OP_iadd && sum->op != IR_OP_shl && sum->op != IR_OP_imul) || !ir_is_const(sum->src[1]))
        return NULL;
    int64_t stride = x->stride;
    uint64_t offset = (uint64_t)x->offset;
    if (sum->op == IR_OP_iadd)
        offset += (uint64_t)signed_value(sum->src[1]) * (uint64_t)stride;
    else if (!(stride *= factor_of_index(a, sum, x)))
        return NULL;
    struct ir_instr *index = sum->src[0];
    if (extended)
        index = ir_convert(&a->b, IR_OP_sext, x->src[1]->type, index);
    return ir_ptr_index(&a->b, x->src[0], index, stride, (int64_t)offset);
}

// Whether x is its first source extended, or a constant multiple of it.
static bool is_linear(const struct ir_instr *x)
{
    if (x->op == IR_OP_sext || x->op == IR_OP_zext)
        return x->src[0]->type.bits == 32;
    return (x->op == IR_OP_shl || x->op == IR_OP_imul) && ir_is_const(x->src[1]);
}

// The same function applied to a constant term of the source.
static uint64_t scaled(const struct ir_instr *x, uint64_t value)
{
    if (x->src_count == 1)
        return value;
    if (x->op == IR_OP_shl)
        return value << (x->src[1]->lanes[0] & (x->type.bits - 1u));
    return value * (uint64_t)signed_value(x->src[1]);
}

// Removes the constant term of a sum and adds it to *known; returns the rest, NULL if there is no constant term.
// Correct for the low 32 bits, since all operations wrap.
static struct ir_instr *without_constant(struct algebra *a, struct ir_instr *x, uint64_t *known, unsigned depth)
{
    stack_check();
    struct ir_instr *left = x->src_count ? x->src[0] : NULL, *right = x->src_count > 1 ? x->src[1] : NULL, *rest;
    uint64_t within = 0;
    if (depth == MAX_SUMS || !left)
        return NULL;
    if (x->op == IR_OP_iadd && ir_is_const(right)) {
        *known += (uint64_t)signed_value(right);
        rest = without_constant(a, left, known, depth + 1);
        return rest ? rest : left;
    }
    if (x->op == IR_OP_iadd || x->op == IR_OP_isub) {
        if ((rest = without_constant(a, left, known, depth + 1)))
            return ir_op2(&a->b, (enum ir_op)x->op, rest, right);
        if (!(rest = without_constant(a, right, &within, depth + 1)))
            return NULL;
        *known += x->op == IR_OP_isub ? 0 - within : within;
        return ir_op2(&a->b, (enum ir_op)x->op, left, rest);
    }
    if (!is_linear(x) || !(rest = without_constant(a, left, &within, depth + 1)))
        return NULL;
    *known += scaled(x, within);
    return right ? ir_op2(&a->b, (enum ir_op)x->op, rest, right) : ir_convert(&a->b, (enum ir_op)x->op, x->type, rest);
}

// base[(i + K) * M + j] -> (base + K * M * stride)[i * M + j] in address spaces with 32-bit addresses: what
// iterations of a loop have in common is computed once.
static struct ir_instr *known_offset(struct algebra *a, struct ir_instr *x)
{
    uint64_t known = 0;
    bool narrow = x->type.space == IR_LOCAL || x->type.space == IR_PRIVATE;
    struct ir_instr *index = narrow && x->src_count > 1 ? without_constant(a, x->src[1], &known, 0) : NULL;
    known = (uint64_t)x->offset + known * (uint64_t)x->stride;
    return index ? ir_ptr_index(&a->b, x->src[0], index, x->stride, (int64_t)known) : NULL;
}

// base[i + k] -> (base + i)[k]: if i is loop-invariant, or has other uses while i + k has none, base + i is likely to
// be used again. For device memory only: elsewhere an address is just the index.
static struct ir_instr *split_index(struct algebra *a, struct ir_instr *x, unsigned depth);

// NULL: not changed. New indices are examined at once, because another iteration of all passes would cost more.
static struct ir_instr *better_index(struct algebra *a, struct ir_instr *x, unsigned depth)
{
    struct ir_instr *better = NULL, *next = x;
    while (next && next->op == IR_OP_ptr_index && depth < MAX_SPLITS) {
        struct ir_instr *now = next;
        next = constant_index(a, now);
        next = next ? next : known_offset(a, now);
        next = next ? next : split_index(a, now, ++depth);
        better = next ? next : better;
    }
    return better;
}

static struct ir_instr *split_index(struct algebra *a, struct ir_instr *x, unsigned depth)
{
    stack_check();
    struct ir_instr *sum = x->src_count > 1 ? x->src[1] : NULL;
    bool device = x->type.space == IR_GLOBAL || x->type.space == IR_CONSTANT;
    bool extended = sum && sum->op == IR_OP_sext && sum->src[0]->flags & IR_NO_WRAP;
    sum = extended ? sum->src[0] : sum;
    if (!sum || !device || (sum->op != IR_OP_iadd && sum->op != IR_OP_isub))
        return NULL;
    const struct ir_node *loop = loop_around(x);
    bool changes[2], shared[2], first;
    for (unsigned i = 0; i < 2; i++) {
        changes[i] = changes_in(loop, sum->src[i], 0);
        shared[i] = is_shared(a, sum->src[i]);
    }
    if (changes[0] == changes[1] && (is_shared(a, sum) || (!shared[0] && !shared[1])))
        return NULL;
    first = changes[0] != changes[1] ? changes[0] : !shared[0]; // the one that is added to the base
    struct ir_instr *at = x->src[0];
    for (unsigned k = 0; k < 2; k++) {
        unsigned i = k ? !first : first;
        struct ir_instr *part = sum->src[i];
        if (extended)
            part = ir_convert(&a->b, IR_OP_sext, x->src[1]->type, part);
        at = ir_ptr_index(&a->b, at, part, i && sum->op == IR_OP_isub ? -x->stride : x->stride,
                          k ? x->offset : 0);
        struct ir_instr *better = k ? NULL : better_index(a, at, depth);
        at = better ? better : at;
    }
    return at;
}

// Whether x combines two values in a wider integer: `low | high << bits`.
static bool is_pair(const struct ir_instr *x, struct ir_instr **low, struct ir_instr **high)
{
    if (x->op != IR_OP_or)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_instr *l = x->src[i], *h = x->src[1 - i];
        if (l->op != IR_OP_zext || h->op != IR_OP_shl || h->src[0]->op != IR_OP_zext ||
            !ir_is_const(h->src[1]))
            continue;
        *low = l->src[0];
        *high = h->src[0]->src[0];
        if ((*low)->type.base == IR_INT && (*high)->type.base == IR_INT &&
            lanes_are(h->src[1], (*low)->type.bits) &&
            (*low)->type.bits + (*high)->type.bits == x->type.bits)
            return true;
    }
    return false;
}

// The other source of an `and` if one of them is `x`, else NULL.
static struct ir_instr *masked_by(const struct ir_instr *product, const struct ir_instr *x)
{
    return product->src[0] == x ? product->src[1] : product->src[1] == x ? product->src[0] : NULL;
}

// (x & y) | (~x & z) -> ((y ^ z) & x) ^ z if x is a sum.
static struct ir_instr *choose_bits(struct algebra *a, const struct ir_instr *x)
{
    if (!a->target || !a->target->hidden_choices || x->src[0]->op != IR_OP_and || x->src[1]->op != IR_OP_and)
        return NULL;
    for (unsigned i = 0; i < 4; i++) {
        const struct ir_instr *first = x->src[i / 2], *second = x->src[1 - i / 2], *inverse = second->src[i % 2];
        struct ir_instr *mask = inverse->op == IR_OP_not && inverse->src[0]->op == IR_OP_iadd ? inverse->src[0] : NULL;
        struct ir_instr *y = mask ? masked_by(first, mask) : NULL, *z = second->src[1 - i % 2];
        if (y)
            return ir_op2(&a->b, IR_OP_xor, ir_op2(&a->b, IR_OP_and, ir_op2(&a->b, IR_OP_xor, y, z), mask), z);
    }
    return NULL;
}

// The two halves of one value combined again: the value.
static struct ir_instr *combine_halves(struct ir_instr *x)
{
    struct ir_instr *low, *high;
    if (!is_pair(x, &low, &high) || low->op != IR_OP_trunc || high->op != IR_OP_trunc)
        return NULL;
    struct ir_instr *whole = low->src[0], *shifted = high->src[0];
    bool parts = shifted->op == IR_OP_lshr && shifted->src[0] == whole &&
                 lanes_are(shifted->src[1], low->type.bits);
    return parts && ir_type_eq(whole->type, x->type) ? whole : NULL;
}

// One half of a combined pair: the source of that half.
static struct ir_instr *half_of_pair(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *low, *high;
    if (!is_pair(x->src[0], &low, &high))
        return NULL;
    if (x->op == IR_OP_trunc)
        return x->type.bits <= low->type.bits ? ir_convert(&a->b, IR_OP_trunc, x->type, low) : NULL;
    return lanes_are(x->src[1], low->type.bits) ? ir_convert(&a->b, IR_OP_zext, x->type, high)
                                                : NULL;
}

// The low or high part of a vector's bits as an integer is a lane of the vector.
static struct ir_instr *lane_of_bits(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *whole = x->src[0];
    uint64_t shift = 0;
    if (whole->op == IR_OP_lshr && ir_is_const(whole->src[1])) {
        shift = whole->src[1]->lanes[0] & (whole->type.bits - 1);
        whole = whole->src[0];
    }
    if (whole->op != IR_OP_bitcast || x->type.lanes != 1 || whole->src[0]->type.base != IR_INT ||
        whole->src[0]->type.bits != x->type.bits || shift % x->type.bits)
        return NULL;
    return ir_extract(&a->b, whole->src[0], (unsigned)shift / x->type.bits);
}

// Simplifies selects between bools such as c ? true : x, which && and || leave behind.
static struct ir_instr *choose_bool(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *c = x->src[0], *y = x->src[1], *z = x->src[2];
    if (x->type.base != IR_BOOL || !ir_type_eq(c->type, x->type))
        return NULL;
    if (lanes_are(y, 1))
        return ir_op2(&a->b, IR_OP_or, c, z);
    if (lanes_are(z, 0))
        return ir_op2(&a->b, IR_OP_and, c, y);
    if (lanes_are(y, 0))
        return ir_op2(&a->b, IR_OP_and, ir_op1(&a->b, IR_OP_not, c), z);
    return lanes_are(z, 1) ? ir_op2(&a->b, IR_OP_or, ir_op1(&a->b, IR_OP_not, c), y) : NULL;
}

// x / 2^k -> x * 2^-k, which gives the same bits if neither power is denormal.
static struct ir_instr *exact_quotient(struct algebra *a, struct ir_instr *x)
{
    const struct ir_instr *y = x->src[1];
    unsigned bits = x->type.bits;
    int largest = bits == 16 ? 14 : bits == 32 ? 126 : 1022, exponent;
    uint64_t lanes[16];
    for (unsigned i = 0; ir_is_const(y) && i < y->type.lanes; i++) {
        double value = ir_float_value(bits, y->lanes[i]);
        if (fabs(frexp(value, &exponent)) != 0.5 || abs(exponent - 1) > largest)
            return NULL;
        lanes[i] = ir_float_bits(bits, 1 / value);
    }
    return ir_is_const(y) ? ir_op2(&a->b, IR_OP_fmul, x->src[0], ir_const(a->m, x->type, lanes)) : NULL;
}

// The constants that `x` chooses by a condition, which it returns: a select's, or those a bool is extended to.
static struct ir_instr *choice(struct algebra *a, const struct ir_instr *x, struct ir_instr *constants[2])
{
    if (x->op == IR_OP_select) {
        constants[0] = x->src[1], constants[1] = x->src[2];
        return ir_is_const(x->src[1]) && ir_is_const(x->src[2]) ? x->src[0] : NULL;
    }
    if ((x->op != IR_OP_sext && x->op != IR_OP_zext) || x->src[0]->type.base != IR_BOOL)
        return NULL;
    constants[0] = ir_const_int(a->m, x->type, x->op == IR_OP_sext ? UINT64_MAX : 1);
    constants[1] = ir_const_int(a->m, x->type, 0);
    return x->src[0];
}

// (c ? K : L) * M -> c ? K * M : L * M, and so for shifts. It is less work, and NVIDIA's compiler (580.159.04)
// takes (c ? -1 : 0) << 31 in 64 bits for a product of 32 bits.
static struct ir_instr *chosen_result(struct algebra *a, struct ir_instr *x)
{
    unsigned constant = ir_is_const(x->src[0]) ? 0 : 1;
    struct ir_instr *k[2], *results[2], *condition = choice(a, x->src[!constant], k);
    if (!ir_is_const(x->src[constant]) || !condition)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        results[i] = ir_op2(&a->b, x->op, constant ? k[i] : x->src[0], constant ? x->src[1] : k[i]);
    return ir_op3(&a->b, IR_OP_select, condition, results[0], results[1]);
}

// A conversion of c ? K : L: the constants are converted.
static struct ir_instr *chosen_conversion(struct algebra *a, struct ir_instr *x)
{
    struct ir_instr *k[2], *condition = choice(a, x->src[0], k);
    if (!condition)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        k[i] = ir_convert(&a->b, x->op, x->type, k[i]);
    return ir_op3(&a->b, IR_OP_select, condition, k[0], k[1]);
}

static struct ir_instr *by_code(struct algebra *a, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_sdiv:
    case IR_OP_srem:
        return signed_division(a, x);
    case IR_OP_ieq:
    case IR_OP_ine: {
        struct ir_instr *result = bool_comparison(a, x);
        return result ? result : narrow_comparison(a, x);
    }
    case IR_OP_slt:
    case IR_OP_sle:
    case IR_OP_ult:
    case IR_OP_ule: {
        struct ir_instr *result = known_order(a, x);
        return result ? result : narrow_comparison(a, x);
    }
    case IR_OP_ptr_index:
        return better_index(a, x, 0);
    case IR_OP_or: {
        struct ir_instr *whole = combine_halves(x);
        return whole ? whole : choose_bits(a, x);
    }
    case IR_OP_select:
        return choose_bool(a, x);
    case IR_OP_fma:
        return ir_simpler_fma(&a->b, x->src, true);
    case IR_OP_fdiv:
        return exact_quotient(a, x);
    case IR_OP_f2f:
    case IR_OP_s2f:
    case IR_OP_u2f:
        return chosen_conversion(a, x);
    case IR_OP_trunc: {
        struct ir_instr *lane = lane_of_bits(a, x);
        return lane ? lane : half_of_pair(a, x);
    }
    case IR_OP_lshr: {
        struct ir_instr *half = half_of_pair(a, x);
        return half ? half : chosen_result(a, x);
    }
    case IR_OP_imul:
    case IR_OP_shl:
    case IR_OP_ashr:
        return chosen_result(a, x);
    default:
        return NULL;
    }
}

// The single value of a phi besides itself. Undef may be any value, but the replacement must dominate the phi.
static struct ir_instr *simple_phi(struct ir_instr *phi)
{
    struct ir_instr *same = NULL;
    bool undef = false;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        if (phi->src[i] == phi)
            continue;
        if (phi->src[i]->op == IR_OP_undef) {
            undef = true;
            continue;
        }
        if (same && same != phi->src[i])
            return NULL;
        same = phi->src[i];
    }
    return same && (!undef || opt_is_floating(same)) ? same : NULL;
}

// Addresses that are the same everywhere: of a variable, casts of it, constant offsets from it.
static bool is_fixed(const struct ir_instr *x)
{
    while ((x->op == IR_OP_ptr_index && x->src_count == 1) || x->op == IR_OP_ptr_cast)
        x = x->src[0];
    return x->op == IR_OP_addr;
}

static bool same_fixed(const struct ir_instr *x, const struct ir_instr *y)
{
    while (x != y && x->op == y->op && x->op != IR_OP_addr && x->offset == y->offset && ir_type_eq(x->type, y->type)) {
        x = x->src[0];
        y = y->src[0];
    }
    return x == y;
}

static struct ir_instr *rebuild_fixed(struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    if (x->op == IR_OP_addr)
        return x;
    struct ir_instr *base = rebuild_fixed(b, x->src[0]);
    return x->op == IR_OP_ptr_cast ? ir_convert(b, IR_OP_ptr_cast, x->type, base)
                                   : ir_ptr_index(b, base, NULL, 0, x->offset);
}

// A phi whose sources are all the same fixed address: the address is rebuilt, so that accesses see the variable.
static struct ir_instr *fixed_phi(struct algebra *a, struct ir_instr *phi)
{
    struct ir_instr *one = NULL;
    if (phi->type.base != IR_PTR)
        return NULL;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        struct ir_instr *x = phi->src[i];
        if (x->op == IR_OP_undef || x == phi)
            continue;
        if (!is_fixed(x) || (one && !same_fixed(one, x)))
            return NULL;
        one = x;
    }
    if (!one)
        return NULL;
    a->b.block = phi->block;
    a->b.before = phi->block->first;
    while (a->b.before && a->b.before->op == IR_OP_phi)
        a->b.before = a->b.before->next;
    a->b.flags = 0;
    struct ir_instr *again = rebuild_fixed(&a->b, one);
    if (!opt_is_floating(again))
        again->id = phi->id; // takes over its use count
    return again;
}

// Whether `better`, just built, is x = (y * K) * L as y * (K * L), where none of the products wraps.
static bool is_exact_product(const struct ir_instr *x, const struct ir_instr *better)
{
    const struct ir_instr *inner = x->src[0];
    bool products = x->op == IR_OP_imul && (inner->op == IR_OP_imul || inner->op == IR_OP_shl) && inner->flags & IR_NO_WRAP &&
                    better->op == IR_OP_imul && better->src[0] == inner->src[0];
    if (!products || !ir_is_const(x->src[1]) || !ir_is_const(inner->src[1]))
        return false;
    int64_t by = signed_value(x->src[1]), product;
    uint64_t shift = inner->src[1]->lanes[0];
    int64_t within = inner->op == IR_OP_imul ? signed_value(inner->src[1]) : shift < 63 ? INT64_C(1) << shift : 0;
    return !__builtin_mul_overflow(by, within, &product) && product == signed_value(better->src[1]);
}

// Whether `better`, just built, is a sum, shift or product that cannot wrap because `x` cannot: it computes the same
// value with a constant that is that of `x`, its negation, its logarithm, or the sum or product of two.
static bool keeps_no_wrap(const struct ir_instr *x, const struct ir_instr *better)
{
    if (!(x->flags & IR_NO_WRAP) || better->src_count != 2 || !ir_is_const(better->src[1]) || x->type.lanes != 1)
        return false;
    if (better->op == IR_OP_imul)
        return is_exact_product(x, better);
    if (better->op != IR_OP_iadd && better->op != IR_OP_shl)
        return false;
    int64_t by = signed_value(better->src[1]), least = INT64_MIN >> (64 - x->type.bits), sum;
    if (better->src[0] == x->src[0])
        return better->op == IR_OP_iadd ? by != least : by < x->type.bits - 1;
    const struct ir_instr *inner = x->src[0];
    if (x->op != IR_OP_iadd || inner->op != IR_OP_iadd || !(inner->flags & IR_NO_WRAP) ||
        better->src[0] != inner->src[0] || !ir_is_const(inner->src[1]) || !ir_is_const(x->src[1]))
        return false;
    return !__builtin_add_overflow(signed_value(inner->src[1]), signed_value(x->src[1]), &sum) &&
           sum == by;
}

// 1 + x -> x + 1: other passes look for constants on the right.
static void constant_last(struct algebra *a, struct ir_instr *x)
{
    bool commutes = x->type.base == IR_INT && ir_has_flag(x, IR_FLAG_C);
    if (!commutes || !ir_is_const(x->src[0]) || ir_is_const(x->src[1]))
        return;
    struct ir_instr *constant = x->src[0];
    x->src[0] = x->src[1];
    x->src[1] = constant;
    a->changed = true;
}

static void visit(struct algebra *a, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = opt_resolved(x->src[i]);
    constant_last(a, x);
    struct ir_instr *better = NULL;
    bool matrix = ir_is_matrix(x->type) || (x->src_count && ir_is_matrix(x->src[0]->type));
    if (x->op == IR_OP_phi) {
        better = simple_phi(x);
        better = better ? better : fixed_phi(a, x);
    } else if (x->op == IR_OP_load) {
        bool undefined = !x->mem.is_volatile && opt_is_undefined_address(x->src[0]);
        better = undefined ? ir_undef(a->b.module, x->type) : opt_constant_load(a->b.module, x);
        a->changed |= !better && memory_addresses(a, x);
    } else if (matrix || x->op == IR_OP_mat_store) {
        a->changed |= memory_addresses(a, x); // nothing else applies: there are no matrix constants
        return;
    } else if (!ir_has_flag(x, IR_FLAG_P)) {
        a->changed |= memory_addresses(a, x);
        return;
    } else if (x->src_count) {
        ir_place_before(&a->b, x);
        a->b.flags = x->flags & IR_FAST;
        better = ir_fold(&a->b, x->op, x->type, x->src, x->src_count, x);
        if (!better)
            better = by_table(a, x);
        if (!better)
            better = by_code(a, x);
    }
    if (!better || opt_resolved(better) == x)
        return;
    if (better->next == x) { // just built
        better->flags |= keeps_no_wrap(x, better) ? IR_NO_WRAP : 0;
        better->flags |= x->op == IR_OP_fma && better->op == IR_OP_fma ? x->flags & IR_LOOSE : 0;
        better->id = x->id; // takes over its use count
    } else if (!opt_is_floating(better) && better->id < a->use_count && x->id < a->use_count) {
        a->uses[better->id] += a->uses[x->id];
    }
    ir_replace(x, better);
    a->changed = true;
}

// Requires: nothing. Keeps: results bit for bit, except where IR_FAST allows more. Removes: nothing permanently.
bool opt_algebraic(struct pass_context *context, struct ir_function *f)
{
    struct algebra a = {
        .m = context->module, .target = context->target, .scratch = context->scratch, .f = f};
    a.b = (struct ir_builder){.module = a.m, .function = f};
    a.uses = opt_use_counts(f, a.scratch);
    a.use_count = f->instr_count;
    index_rules(&a);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            visit(&a, x);
        }
    ir_resolve_phis(f);
    return a.changed;
}
