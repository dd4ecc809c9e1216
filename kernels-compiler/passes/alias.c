// SPDX-License-Identifier: Apache-2.0
// Which bytes an access touches, and whether two accesses may overlap; see alias.h.
#include "passes/alias.h"
#include "util/stack.h"

enum { MAX_DEPTH = 12, MAX_PHIS = 4, MAX_LINKS = 200, MAX_VISITS = 32 };

// ---- origin of a pointer ---------------------------------------------------------------------------

const struct kc_arg *alias_argument(const struct kc_kernel *info, const struct ir_instr *x)
{
    if (x->op == IR_OP_sys && x->sys == IR_SYS_BUFFER)
        return &info->args[x->dim];
    const struct ir_instr *vec = x->op == IR_OP_bitcast ? x->src[0] : x;
    const struct ir_instr *word = vec->op == IR_OP_vec ? vec->src[0] : NULL;
    if (!word || word->op != IR_OP_elem_load || word->var->space != IR_PUSH || !ir_is_const(word->src[0]))
        return NULL;
    for (uint32_t i = 0; i < info->push_count; i++)
        if (info->push[i].kind == KC_PUSH_ARG && info->push[i].offset == word->src[0]->lanes[0] * 4)
            return &info->args[info->push[i].arg];
    return NULL;
}

struct tracing {
    const struct kc_kernel *info; // NULL: not in a kernel
    const struct ir_instr *phis[MAX_PHIS]; // phis being followed
    unsigned count, visits;
};

static const char self, unknown_origin; // markers: pointer made from the phi itself; unknown

static const void *joined(const void *a, const void *b)
{
    return a == &self ? b : b == &self || a == b ? a : &unknown_origin;
}

static const void *trace(struct tracing *t, const struct ir_instr *x);

static const void *trace_phi(struct tracing *t, const struct ir_instr *phi)
{
    const void *origin = &self;
    for (unsigned i = 0; i < t->count; i++)
        if (t->phis[i] == phi)
            return &self;
    if (t->count == MAX_PHIS)
        return &unknown_origin;
    t->phis[t->count++] = phi;
    for (uint32_t i = 0; i < phi->src_count && origin != &unknown_origin; i++)
        origin = joined(origin, trace(t, phi->src[i]));
    return origin; // keep the phi listed: a second path back to it contributes nothing
}

// The argument or variable that a pointer is derived from.
static const void *trace(struct tracing *t, const struct ir_instr *x)
{
    stack_check();
    const struct kc_arg *arg;
    unsigned links = 0;
    for (; (x->forward || x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast) && links < MAX_LINKS; links++)
        x = x->forward ? x->forward : x->src[0];
    if (t->visits++ == MAX_VISITS)
        return &unknown_origin;
    switch (x->op) {
    case IR_OP_addr:
        return x->var;
    case IR_OP_int_to_ptr:
        arg = t->info ? alias_argument(t->info, x->src[0]) : NULL;
        return arg && arg->kind == KC_ARG_GLOBAL ? (const void *)arg : &unknown_origin;
    case IR_OP_phi:
        return trace_phi(t, x);
    case IR_OP_select:
        return joined(trace(t, x->src[1]), trace(t, x->src[2]));
    default:
        return &unknown_origin;
    }
}

// ---- an address as a sum ---------------------------------------------------------------------------

struct summing {
    struct alias_place *p;
    enum ir_op extension; // extension applied to the current sums
    unsigned visits;
    bool full; // too many terms
};

static uint64_t divisor(uint64_t a, uint64_t b) // greatest common; of 0 and x: x
{
    while (b) {
        uint64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

static int64_t times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static uint64_t size_of(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

static int64_t constant(const struct ir_instr *x)
{
    unsigned above = 64 - x->type.bits;
    return (int64_t)(x->lanes[0] << above) >> above;
}

static void add_term(struct summing *s, const struct ir_instr *x, int64_t factor)
{
    struct alias_place *p = s->p;
    unsigned i = 0;
    while (i < p->count && (p->terms[i].value != x || p->terms[i].extension != s->extension))
        i++;
    if (i == ALIAS_TERMS) {
        s->full = true;
        return;
    }
    if (i == p->count)
        p->terms[p->count++] = (struct alias_term){x, s->extension, 0};
    p->terms[i].factor = plus(p->terms[i].factor, factor);
    if (!p->terms[i].factor)
        p->terms[i] = p->terms[--p->count];
}

static void add_sum(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth);

// An extended sum is treated as the sum of its extended terms; they differ by multiples of 2^32 if it wraps.
static void add_extended(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth)
{
    stack_check();
    const struct ir_instr *inner = opt_resolved(x->src[0]);
    if (inner->type.bits != 32 || s->extension != IR_OP_const) {
        add_term(s, x, factor);
        return;
    }
    s->extension = (enum ir_op)x->op;
    add_sum(s, inner, factor, depth);
    s->extension = IR_OP_const;
}

static void add_pointer(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth)
{
    s->p->offset = plus(s->p->offset, times(x->offset, factor));
    add_sum(s, x->src[0], factor, depth);
    if (x->src_count < 2)
        return;
    s->p->unit = divisor(s->p->unit, size_of(times(x->stride, factor)));
    add_sum(s, x->src[1], times(x->stride, factor), depth);
}

// Whether a sum's constant only sets bits that are zero in the other operand.
static bool fills_zeros(const struct ir_instr *x)
{
    const struct ir_instr *by = x->op == IR_OP_iadd || x->op == IR_OP_or ? opt_resolved(x->src[1]) : NULL;
    unsigned zeros = by && ir_is_const(by) ? opt_zero_bits(opt_resolved(x->src[0])) : 0;
    return zeros && zeros < by->type.bits && by->lanes[0] >> zeros == 0;
}

// Notes that the sum may differ from the exact value by multiples of 2^32 (always of 2^64) times the factor.
static void may_wrap(struct summing *s, const struct ir_instr *x, int64_t factor)
{
    bool promised = (s->extension == IR_OP_sext && x->flags & IR_NO_WRAP) || fills_zeros(x);
    s->p->wraps |= s->extension != IR_OP_const && !promised;
    s->p->unit = divisor(s->p->unit, size_of(factor));
}

static void add_parts(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth)
{
    stack_check();
    may_wrap(s, x, factor);
    add_sum(s, x->src[0], factor, depth);
    add_sum(s, x->src[1], x->op == IR_OP_isub ? times(factor, -1) : factor, depth);
}

static void add_product(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth)
{
    const struct ir_instr *by = opt_resolved(x->src[1]);
    if (!ir_is_const(by)) {
        add_term(s, x, factor);
        return;
    }
    int64_t known = x->op == IR_OP_imul ? constant(by) : (int64_t)(UINT64_C(1) << (by->lanes[0] & (x->type.bits - 1u)));
    may_wrap(s, x, factor);
    add_sum(s, x->src[0], times(factor, known), depth);
}

// Adds `x` times `factor`. A constant under an extension counts as signed; wrapping was noted at the extension.
static void add_sum(struct summing *s, const struct ir_instr *x, int64_t factor, unsigned depth)
{
    stack_check();
    x = opt_resolved((struct ir_instr *)x);
    s->full |= s->visits++ == MAX_VISITS;
    if (s->full)
        return;
    bool sum = depth < MAX_DEPTH && x->type.lanes == 1 && (x->op != IR_OP_or || fills_zeros(x));
    switch (sum ? x->op : IR_OP_undef) {
    case IR_OP_const: s->p->offset = plus(s->p->offset, times(constant(x), factor)); break;
    case IR_OP_iadd:
    case IR_OP_or:
    case IR_OP_isub: add_parts(s, x, factor, depth + 1); break;
    case IR_OP_imul:
    case IR_OP_shl: add_product(s, x, factor, depth + 1); break;
    case IR_OP_sext:
    case IR_OP_zext: add_extended(s, x, factor, depth + 1); break;
    case IR_OP_ptr_index: add_pointer(s, x, factor, depth + 1); break;
    case IR_OP_ptr_cast: add_sum(s, x->src[0], factor, depth + 1); break;
    default: add_term(s, x, factor); break;
    }
}

// Decomposes an address into a sum; `unit`: bytes per unit of the sum.
static void decompose(struct alias_place *p, const struct ir_instr *address, uint32_t unit)
{
    struct summing s = {.p = p, .extension = IR_OP_const};
    p->unit = unit > 1 ? unit : 0;
    add_sum(&s, address, unit, 0);
    if (!s.full)
        return;
    p->terms[0] = (struct alias_term){address, IR_OP_const, unit};
    p->count = 1;
    p->offset = 0;
    p->wraps = false;
    p->unit = 1;
}

// The origin of an integer address: the only buffer argument in the sum.
static const void *argument_in(const struct kc_kernel *info, const struct alias_place *p)
{
    const void *origin = &self;
    for (unsigned i = 0; info && i < p->count; i++) {
        const struct kc_arg *arg = p->terms[i].factor == 1 ? alias_argument(info, p->terms[i].value) : NULL;
        if (arg && arg->kind == KC_ARG_GLOBAL)
            origin = origin == &self ? (const void *)arg : &unknown_origin;
    }
    return origin;
}

static bool is_argument(const struct kc_kernel *info, const void *origin)
{
    return (uintptr_t)origin - (uintptr_t)info->args < info->arg_count * sizeof *info->args;
}

// Requires decompose().
static void find_origin(const struct ir_function *f, struct alias_place *p, const struct ir_instr *address)
{
    struct tracing t = {.info = f->kernel ? &f->kernel->info : NULL};
    const void *origin = address->type.base == IR_PTR ? trace(&t, address) : argument_in(t.info, p);
    if (origin == &unknown_origin || origin == &self)
        return;
    p->origin = origin;
    if (!t.info || !is_argument(t.info, origin))
        return;
    const struct kc_arg *arg = origin;
    p->argument = (uint32_t)(arg - t.info->args);
    p->restricted = arg->type_qualifiers & KC_TYPE_RESTRICT;
    p->checked = arg->aligned && p->argument < 64 ? (struct kc_arg *)arg : NULL; // lower_args has made a copy of its own
}

// ---- places ----------------------------------------------------------------------------------------

static uint64_t bytes_of(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_load:
    case IR_OP_elem_load:
        return ir_type_bytes(x->type);
    case IR_OP_store:
    case IR_OP_elem_store:
        return ir_type_bytes(x->src[1]->type);
    case IR_OP_atomic:
    case IR_OP_elem_atomic:
        return ir_type_bytes(x->src_count > 1 ? x->src[1]->type : x->type);
    case IR_OP_copy:
    case IR_OP_zero:
        return x->size;
    default:
        return 0;
    }
}

static struct alias_place place_at(const struct ir_function *f, const struct ir_instr *x, const struct ir_instr *address,
                                   const struct ir_mem *mem)
{
    address = opt_resolved((struct ir_instr *)address);
    struct alias_place p = {.kind = opt_kind(x), .effective = mem->effective, .bytes = bytes_of(x), .address = address};
    if (opt_is_elem(x)) {
        uint32_t elem = ir_elem_bytes(x->var->elem), lane = x->var->elem.bits / 8u;
        bool counted = mem->lane == IR_LANE_COUNTED;
        p.var = x->var;
        p.origin = x->var->space == IR_BUFFER ? NULL : x->var;
        decompose(&p, address, counted ? lane : elem);
        p.offset += mem->lane && !counted ? lane * (mem->lane - 1) : 0;
        if (mem->lane) // one index stands for several places
            p.address = NULL;
        return p;
    }
    decompose(&p, address, 1);
    find_origin(f, &p, address);
    return p;
}

struct alias_place alias_place(const struct ir_function *f, const struct ir_instr *x)
{
    if (opt_is_image_read(x))
        return (struct alias_place){.kind = OPT_IMAGES};
    return place_at(f, x, x->src[0], &x->mem);
}

struct alias_place alias_place_read(const struct ir_function *f, const struct ir_instr *x)
{
    if (x->op != IR_OP_copy)
        return alias_place(f, x);
    struct ir_instr from = *x; // opt_kind() reads `mem`
    from.mem = x->mem_from;
    return place_at(f, &from, x->src[1], &x->mem_from);
}

// ---- two places ------------------------------------------------------------------------------------

static int64_t factor_of(const struct alias_place *p, const struct alias_term *t)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->terms[i].value == t->value && p->terms[i].extension == t->extension)
            return p->terms[i].factor;
    return 0;
}

// Whether the distance between two places is constant.
static bool have_same_terms(const struct alias_place *x, const struct alias_place *y)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->terms[i].factor != factor_of(y, &x->terms[i]))
            return false;
    for (unsigned i = 0; i < y->count; i++)
        if (!factor_of(x, &y->terms[i]))
            return false;
    return true;
}

// Greatest common divisor of the variable part of the distance between two places; 0 if the distance is constant.
static uint64_t common_factor(const struct alias_place *x, const struct alias_place *y)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < x->count; i++)
        all = divisor(size_of(plus(x->terms[i].factor, -factor_of(y, &x->terms[i]))), all);
    for (unsigned i = 0; i < y->count; i++)
        if (!factor_of(x, &y->terms[i]))
            all = divisor(size_of(y->terms[i].factor), all);
    return all;
}

// The part of the factor that remains valid if indices wrap at 32 or 64 bits, which loses multiples of that times the
// stride.
static uint64_t safe_factor(const struct alias_place *x, const struct alias_place *y, uint64_t factor)
{
    uint64_t unit = divisor(x->unit, y->unit), low = factor & (0 - factor);
    unit /= unit & (0 - unit) ? unit & (0 - unit) : 1;
    uint64_t odd = divisor(factor / low, unit);
    return low * (odd ? odd : 1);
}

static bool is_comparable(const struct alias_place *x, const struct alias_place *y)
{
    return x->var == y->var; // places in arrays are comparable only in the same array
}

// Whether two pointers are made from the same pointer and index, even if the index was replaced meanwhile.
static bool have_one_index(const struct alias_place *x, const struct alias_place *y, int64_t *bytes)
{
    const struct ir_instr *p = x->address, *q = y->address;
    *bytes = 0;
    if (!p || !q || p == q || p->op != IR_OP_ptr_index || q->op != IR_OP_ptr_index)
        return p && p == q;
    *bytes = plus(q->offset, times(p->offset, -1));
    bool same = p->src_count == q->src_count && opt_resolved(p->src[0]) == opt_resolved(q->src[0]);
    return same && (p->src_count < 2 || (p->stride == q->stride && opt_resolved(p->src[1]) == opt_resolved(q->src[1])));
}

static bool are_disjoint_by(const struct alias_place *x, const struct alias_place *y, uint64_t factor)
{
    uint64_t distance = (uint64_t)y->offset - (uint64_t)x->offset;
    if (!x->bytes || !y->bytes)
        return false;
    if (!factor) {
        int64_t d = x->wraps || y->wraps ? (int32_t)(uint32_t)distance : (int64_t)distance;
        return d >= 0 ? (uint64_t)d >= x->bytes : 0 - (uint64_t)d >= y->bytes;
    }
    factor = safe_factor(x, y, factor);
    if (factor > (UINT64_C(1) << 31) || (int64_t)distance < -(INT64_C(1) << 31) || (int64_t)distance > INT64_C(1) << 31)
        return false;
    int64_t remainder = (int64_t)distance % (int64_t)factor;
    uint64_t ahead = (uint64_t)(remainder < 0 ? remainder + (int64_t)factor : remainder);
    return ahead >= x->bytes && factor - ahead >= y->bytes;
}

static bool have_disjoint_origins(const struct alias_place *x, const struct alias_place *y)
{
    if (!x->origin || !y->origin || x->origin == y->origin)
        return false;
    bool vars = x->kind == y->kind && (x->kind == OPT_PRIVATE || x->kind == OPT_LOCAL);
    return vars || x->restricted || y->restricted;
}

bool alias_is_checked(const struct alias_place *x, const struct alias_place *y)
{
    return x->checked && y->checked && x->checked != y->checked;
}

void alias_rely(const struct alias_place *x, const struct alias_place *y)
{
    if (alias_is_checked(x, y))
        x->checked->disjoint |= UINT64_C(1) << y->argument;
}

bool alias_distance(const struct alias_place *x, const struct alias_place *y, int64_t *bytes)
{
    if (x->kind != y->kind || !is_comparable(x, y))
        return false;
    if (have_one_index(x, y, bytes))
        return true;
    *bytes = plus(y->offset, times(x->offset, -1));
    return !x->wraps && !y->wraps && have_same_terms(x, y);
}

bool alias_distance_modulo(const struct alias_place *x, const struct alias_place *y, int64_t *bytes, uint64_t *period)
{
    const uint64_t unit = divisor(x->unit, y->unit);
    *bytes = plus(y->offset, times(x->offset, -1));
    *period = unit < UINT32_MAX ? unit << 32 : 0;
    return x->kind == y->kind && is_comparable(x, y) && have_same_terms(x, y);
}

enum alias alias_of(const struct alias_place *x, const struct alias_place *y)
{
    if (x->kind != y->kind && x->kind != OPT_ANYWHERE && y->kind != OPT_ANYWHERE)
        return ALIAS_NONE;
    if (have_disjoint_origins(x, y))
        return ALIAS_NONE;
    int64_t distance;
    if (alias_distance(x, y, &distance) && x->bytes && y->bytes && -(int64_t)y->bytes < distance && distance < (int64_t)x->bytes)
        return !distance && x->bytes == y->bytes ? ALIAS_SAME : ALIAS_MAY;
    if (is_comparable(x, y) && are_disjoint_by(x, y, common_factor(x, y)))
        return ALIAS_NONE;
    bool other_type = x->effective && y->effective && x->effective != y->effective;
    return other_type && x->kind == OPT_DEVICE ? ALIAS_NONE : ALIAS_MAY;
}

static uint32_t low_bit(uint64_t x)
{
    enum { MOST = 1 << 16 };
    return x & (MOST - 1) ? (uint32_t)(x & (0 - x)) : MOST;
}

// Bound buffers are aligned to 16 bytes (kc.h: KC_BINDING_BUFFER, kc_arg.aligned); addresses passed in only to their
// type's alignment.
static uint32_t pointer_align(const struct ir_instr *x, const struct kc_target *target, uint32_t widest)
{
    enum { BOUND = 16 };
    const struct ir_instr *from = x->op == IR_OP_int_to_ptr ? opt_resolved(x->src[0]) : NULL;
    if (from && from->op == IR_OP_sys && from->sys == IR_SYS_BUFFER && (!target->physical_addressing || target->plain_arguments))
        return BOUND;
    if (x->op != IR_OP_addr)
        return 1;
    return x->var->space == IR_LOCAL ? widest : x->var->align ? x->var->align : 1;
}

uint32_t alias_align(const struct alias_place *x, const struct kc_target *target, uint32_t widest)
{
    uint32_t align = low_bit(0);
    for (unsigned i = 0; i < x->count; i++) {
        const struct ir_instr *value = x->terms[i].value;
        bool pointer = value->type.base == IR_PTR;
        uint64_t known = pointer ? pointer_align(value, target, widest) : UINT64_C(1) << (opt_zero_bits(value) & 31);
        uint32_t term = low_bit(known * (uint64_t)x->terms[i].factor);
        align = term < align ? term : align;
    }
    return align;
}

bool alias_is_fixed(const struct alias_place *x)
{
    return x->count == 1 && x->terms[0].value->op == IR_OP_addr;
}

bool alias_inside(const struct alias_place *x, const struct alias_place *y)
{
    int64_t ahead;
    return x->bytes && alias_distance(y, x, &ahead) && ahead >= 0 && (uint64_t)ahead <= y->bytes &&
           y->bytes - (uint64_t)ahead >= x->bytes;
}

// ---- effect of an instruction on a place -----------------------------------------------------------

// Programs often build locks from relaxed atomics: these are assumed to order memory of their own kind.
static bool touches_by_atomic(const struct ir_instr *x, const struct alias_place *place)
{
    if (place->kind == OPT_PRIVATE)
        return opt_kind(x) == OPT_PRIVATE || opt_kind(x) == OPT_ANYWHERE;
    return x->mem.order != IR_ORDER_RELAXED || opt_kind(x) == place->kind || opt_kind(x) == OPT_ANYWHERE ||
           place->kind == OPT_ANYWHERE;
}

// The variable that an access to private or local memory is in, if that takes no analysis.
static const struct ir_var *apparent_variable(const struct ir_instr *x)
{
    if (opt_is_elem(x))
        return x->var;
    x = x->src[0];
    for (unsigned links = 0; (x->forward || x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast) && links < MAX_LINKS; links++)
        x = x->forward ? x->forward : x->src[0];
    return x->op == IR_OP_addr ? x->var : NULL;
}

static bool is_in_another_variable(const struct ir_instr *x, const struct alias_place *place)
{
    const bool vars = place->origin && (place->kind == OPT_PRIVATE || place->kind == OPT_LOCAL);
    const struct ir_var *var = vars ? apparent_variable(x) : NULL;
    return var && var != place->origin;
}

static bool touches(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place)
{
    enum opt_kind kind = opt_kind(x);
    if (kind != place->kind && kind != OPT_ANYWHERE && place->kind != OPT_ANYWHERE)
        return false;
    if (kind == place->kind && is_in_another_variable(x, place))
        return false;
    struct alias_place own = alias_place(f, x);
    return alias_of(&own, place) != ALIAS_NONE;
}

bool alias_may_write(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place)
{
    if (!(opt_written(x) >> place->kind & 1))
        return false;
    switch (x->op) {
    case IR_OP_store:
    case IR_OP_elem_store:
    case IR_OP_copy:
    case IR_OP_zero:
    case IR_OP_mat_store:
    case IR_OP_mat_elem_store:
        return touches(f, x, place);
    case IR_OP_atomic:
    case IR_OP_elem_atomic:
        return touches_by_atomic(x, place);
    default:
        return true;
    }
}

bool alias_may_read(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place)
{
    if (ir_has_flag(x, IR_FLAG_P) || opt_is_image_read(x) || opt_is_pure_load(x))
        return false;
    switch (x->op) {
    case IR_OP_store:
    case IR_OP_elem_store:
    case IR_OP_zero:
    case IR_OP_mat_store:
    case IR_OP_mat_elem_store:
    case IR_OP_image_write:
    case IR_OP_image_store:
    case IR_OP_subgroup:
    case IR_OP_break:
    case IR_OP_continue:
        return false;
    case IR_OP_load:
    case IR_OP_elem_load:
    case IR_OP_mat_load:
    case IR_OP_mat_elem_load:
        return touches(f, x, place);
    case IR_OP_copy: {
        struct alias_place from = alias_place_read(f, x);
        return alias_of(&from, place) != ALIAS_NONE;
    }
    case IR_OP_atomic:
    case IR_OP_elem_atomic:
        return touches_by_atomic(x, place);
    case IR_OP_barrier:
    case IR_OP_fence:
        return place->kind != OPT_PRIVATE;
    case IR_OP_return:
        return place->kind != OPT_PRIVATE || !f->kernel; // callers can see their memory
    default:
        return true;
    }
}
