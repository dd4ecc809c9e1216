// SPDX-License-Identifier: Apache-2.0
// Bytes -> words -> instructions, each checked against its row of the table: length, operands, id range, single
// definition, place. Also determines which values are used outside of the block that defines them.
#include "reader/reader.h"
#include "util/stack.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_IDS = 4194304, SWAPPED_MAGIC = 0x03022307 };

// ---- errors --------------------------------------------------------------------------------------

void reader_fail(struct reader *r, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct diag *diag = r->diag;
    if (r->inst)
        diag_error(diag, (struct loc){0}, "SPIR-V, word %u, Op%s: %s", r->inst->at, r->inst->row->name, message);
    else
        diag_error(diag, (struct loc){0}, "SPIR-V: %s", message);
    longjmp(*diag->fatal, 1);
}

// ---- ids -----------------------------------------------------------------------------------------

struct spv_id *reader_first_id(struct reader *r, uint32_t id)
{
    if (!id || id >= r->bound)
        reader_fail(r, "id %u is not below the bound of %u", id, r->bound);
    struct spv_id **page = &r->pages[id / SPV_PAGE];
    *page = ARENA_ARRAY(r->work, struct spv_id, SPV_PAGE);
    return &(*page)[id % SPV_PAGE];
}

void reader_fail_id(struct reader *r, uint32_t id, enum spv_id_kind kind, enum spv_id_kind wanted)
{
    static const char *const names[] = {"anything", "a type",   "a constant", "a variable", "a function", "a value",
                                        "a label",  "a set of instructions", "a string",   "a group of decorations",
                                        "a built-in value"};
    reader_fail(r, "id %u is not %s%s", id, names[wanted], kind ? "" : ", or is used before its definition");
}

// ---- decoding ------------------------------------------------------------------------------------

static bool has_type(const struct spv_row *row) { return row->operands[0] == 't'; }

static bool has_result(const struct spv_row *row)
{
    return row->operands[0] == 'r' || (row->operands[0] == 't' && row->operands[1] == 'r');
}

uint32_t reader_decode(struct reader *r, uint32_t at, struct spv_inst *inst)
{
    const uint32_t *w = r->words + at;
    uint32_t length = *w >> 16, used = 1;
    inst->row = reader_row(r, *w & 0xffff);
    inst->at = at;
    inst->type = has_type(inst->row) ? w[used++] : 0;
    inst->result = has_result(inst->row) ? w[used++] : 0;
    inst->words = w + used;
    inst->count = length - used;
    return at + length;
}

// Length of a text in words: the last word has a zero byte.
static uint32_t text_words(struct reader *r, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if ((words[i] - 0x01010101u) & ~words[i] & 0x80808080u)
            return i + 1;
    reader_fail(r, "a string without terminating null");
}

const char *reader_string(struct reader *r, const uint32_t *words, uint32_t count, uint32_t *used)
{
    *used = text_words(r, words, count);
    char *text = arena_alloc(r->work, (size_t)*used * 4);
    for (uint32_t i = 0; i < *used * 4; i++)
        text[i] = (char)(words[i / 4] >> (i % 4 * 8));
    return text;
}

// ---- scanning ------------------------------------------------------------------------------------

enum place { OUTSIDE, HEAD, OPEN, CLOSED }; // outside of functions; in a function before its blocks; in a block; after a block's end

struct scan {
    struct reader *r;
    enum place place;
    uint32_t label;
};

static void made_here(struct scan *s, uint32_t id)
{
    struct spv_id *entry = reader_id(s->r, id);
    if (entry->at)
        reader_fail(s->r, "id %u is defined twice, first at word %u", id, entry->at);
    entry->at = s->r->inst->at;
    entry->label = s->label;
}

static void used_in(struct scan *s, uint32_t id, uint32_t label)
{
    struct spv_id *entry = reader_id(s->r, id);
    entry->crosses |= entry->label != label;
}

static uint32_t word_at(struct scan *s, uint32_t i)
{
    if (i >= s->r->inst->count)
        reader_fail(s->r, "an operand is missing");
    return s->r->inst->words[i];
}

static uint32_t scan_operand(struct scan *s, char letter, uint32_t i);

// Operands of memory operand bits, by letter.
static uint32_t memory_operands(struct scan *s, uint32_t i)
{
    stack_check();
    static const struct {
        uint32_t bit;
        char asks;
    } bits[] = {{1, 0}, {2, 'n'}, {4, 0}, {8, 'i'}, {16, 'i'}, {32, 0}, {0x10000, 'i'}, {0x20000, 'i'}};
    uint32_t mask = word_at(s, i++), left = mask;
    for (size_t k = 0; k < sizeof bits / sizeof *bits; k++) {
        left &= ~bits[k].bit;
        if (mask & bits[k].bit && bits[k].asks)
            i = scan_operand(s, bits[k].asks, i);
    }
    if (left)
        reader_fail(s->r, "unknown memory operands 0x%x", left);
    return i;
}

// Pairs of a value and the block it comes from. The value may be defined later, and then its block is not known yet.
static uint32_t phi_operands(struct scan *s, uint32_t i)
{
    for (; i < s->r->inst->count; i += 2)
        used_in(s, word_at(s, i), word_at(s, i + 1));
    return i;
}

static uint32_t ids(struct scan *s, uint32_t i, uint32_t count)
{
    for (; count-- > 0; i++)
        used_in(s, word_at(s, i), s->label);
    return i;
}

uint32_t reader_literals(uint32_t number)
{
    static const uint8_t one[] = {171, 174, 176, 178, 179, 181}; // a lane count or a rounding mode
    for (size_t i = 0; i < sizeof one; i++)
        if (one[i] == number)
            return 1;
    return 0;
}

// Skips sets other than OpenCL.std without parsing: debug information mixes numbers and ids.
static uint32_t set_operands(struct scan *s, uint32_t i, uint32_t left)
{
    uint32_t at = reader_id(s->r, word_at(s, 0))->at, numbers = reader_literals(word_at(s, 1));
    const uint32_t *w = s->r->words + at;
    bool is_std = at && *w >> SpvWordCountShift == 5 && w[2] == 0x6e65704f && w[3] == 0x732e4c43 && (w[4] & 0xffffff) == 0x6474;
    if (is_std && numbers <= left)
        ids(s, i, left - numbers);
    return i + left;
}

static uint32_t scan_operand(struct scan *s, char letter, uint32_t i)
{
    uint32_t left = s->r->inst->count - i;
    switch (letter) {
    case 'i':
        return ids(s, i, 1);
    case 'j':
        return left ? ids(s, i, 1) : i;
    case 'I':
        return ids(s, i, left);
    case 'X':
        return set_operands(s, i, left);
    case 'n':
        word_at(s, i);
        return i + 1;
    case 's':
        return i + text_words(s->r, s->r->inst->words + i, left);
    case 'm':
        return left ? memory_operands(s, i) : i;
    case 'o':
        return left ? ids(s, i + 1, left - 1) : i;
    case 'F':
        return phi_operands(s, i);
    default: // N, P
        if (letter == 'P' && left % 2)
            reader_fail(s->r, "an operand is missing");
        return i + left;
    }
}

static void scan_operands(struct scan *s, const struct spv_inst *inst)
{
    const char *letter = inst->row->operands;
    uint32_t i = 0;
    if (inst->type)
        reader_id(s->r, inst->type);
    for (letter += (*letter == 't'), letter += (*letter == 'r'); *letter; letter++)
        i = scan_operand(s, *letter, i);
    if (i != inst->count)
        reader_fail(s->r, "%u words more than its operands need", inst->count - i);
}

void reader_check_operands(struct reader *r, const struct spv_inst *inst)
{
    struct scan s = {.r = r};
    const struct spv_inst *outer = r->inst;
    r->inst = inst;
    scan_operands(&s, inst);
    r->inst = outer;
}

static void scan_place(struct scan *s, const struct spv_inst *inst)
{
    uint32_t opcode = inst->row->opcode;
    enum place place = s->place;
    bool fits = true;
    if (opcode == SpvOpFunction) {
        fits = place == OUTSIDE;
        s->place = HEAD;
    } else if (opcode == SpvOpFunctionParameter) {
        fits = place == HEAD;
    } else if (opcode == SpvOpLabel) {
        fits = place == HEAD || place == CLOSED;
        s->place = OPEN;
        s->label = inst->result;
    } else if (opcode == SpvOpFunctionEnd) {
        fits = place == HEAD || place == CLOSED;
        s->place = OUTSIDE;
        s->label = 0;
    } else if (inst->row->where != SPV_ANYWHERE) {
        fits = place == OPEN ? (inst->row->where & SPV_CODE) : place == OUTSIDE && (inst->row->where & SPV_MODULE);
        if (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable)
            s->place = CLOSED;
    }
    if (!fits)
        reader_fail(s->r, "not allowed here");
}

// Instructions that are deliberately unsupported get a specific message.
static _Noreturn void fail_unknown(struct reader *r, uint32_t at, uint32_t opcode)
{
    static const struct {
        uint16_t first, last;
        const char *what;
    } kinds[] = {{SpvOpConstantFunctionPointerINTEL, SpvOpFunctionPointerCallINTEL, "function pointers"},
                 {SpvOpAsmTargetINTEL, SpvOpAsmCallINTEL, "inline assembly"},
                 {SpvOpVmeImageINTEL, SpvOpSubgroupAvcSicGetInterRawSadsINTEL, "motion estimation"},
                 {SpvOpVariableLengthArrayINTEL, SpvOpRestoreMemoryINTEL, "arrays of variable length"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (opcode >= kinds[i].first && opcode <= kinds[i].last)
            reader_fail(r, "word %u: instruction %u is not supported: %s", at, opcode, kinds[i].what);
    reader_fail(r, "word %u: instruction %u is not valid in OpenCL kernels, or requires an unsupported extension", at,
                opcode);
}

static uint32_t scan_instruction(struct scan *s, uint32_t at)
{
    struct reader *r = s->r;
    uint32_t length = r->words[at] >> 16, opcode = r->words[at] & 0xffff;
    const struct spv_row *row = reader_row(r, opcode);
    if (!length || length > r->word_count - at)
        reader_fail(r, "word %u: an instruction of %u words, but only %u words are left", at, length, r->word_count - at);
    if (!row)
        fail_unknown(r, at, opcode);
    struct spv_inst inst = {.row = row, .at = at};
    r->inst = &inst;
    if (length < 1u + has_type(row) + has_result(row))
        reader_fail(r, "an operand is missing");
    uint32_t next = reader_decode(r, at, &inst);
    if (opcode == SpvOpFunction && r->first_function == r->word_count)
        r->first_function = at;
    scan_place(s, &inst);
    if (inst.row->where == SPV_MODULE && r->first_function != r->word_count)
        reader_fail(r, "not allowed after functions");
    if (has_result(row))
        made_here(s, inst.result);
    scan_operands(s, &inst);
    r->enqueues |= opcode >= SpvOpEnqueueKernel && opcode <= SpvOpGetKernelPreferredWorkGroupSizeMultiple;
    if (opcode == SpvOpFunctionCall || opcode == SpvOpEnqueueKernel)
        reader_id(r, inst.words[opcode == SpvOpFunctionCall ? 0 : 6])->called = true;
    r->inst = NULL;
    return next;
}

// ---- the header ----------------------------------------------------------------------------------

static void read_words(struct reader *r)
{
    size_t size = r->input->size;
    if (size < SPV_HEADER_WORDS * 4 || size % 4 || size / 4 > UINT32_MAX / 4)
        reader_fail(r, "%zu bytes are not a module", size);
    r->word_count = (uint32_t)(size / 4);
    uint32_t *words = arena_copy(r->work, r->input->il, size);
    if (words[0] == SWAPPED_MAGIC)
        for (uint32_t i = 0; i < r->word_count; i++)
            words[i] = __builtin_bswap32(words[i]);
    if (words[0] != SpvMagicNumber)
        reader_fail(r, "does not begin with the magic number");
    r->words = words;
}

static void read_header(struct reader *r)
{
    read_words(r);
    uint32_t version = r->words[1];
    if (version < 0x10000 || version > 0x10600 || version & 0xff)
        reader_fail(r, "unknown version %u.%u", version >> 16, version >> 8 & 0xff);
    r->bound = r->words[3];
    if (!r->bound || r->bound > MOST_IDS)
        reader_fail(r, "the bound of ids is %u, the limit is %u", r->bound, MOST_IDS);
    if (r->words[4])
        reader_fail(r, "the header's last word is not 0");
    r->pages = ARENA_ARRAY(r->work, struct spv_id *, r->bound / SPV_PAGE + 1);
}

void reader_scan(struct reader *r)
{
    read_header(r);
    struct scan s = {.r = r};
    r->first_function = r->word_count;
    for (uint32_t at = SPV_HEADER_WORDS; at < r->word_count;)
        at = scan_instruction(&s, at);
    if (s.place != OUTSIDE)
        reader_fail(r, "the last function has no OpFunctionEnd");
}
