// SPDX-License-Identifier: Apache-2.0
// See printf.h. A record refers to the description of its call, which contains the format and the
// argument types. Each conversion is passed to fprintf with a format built here and a value of the
// widest type: text from a program or a binary is never used as a format.
#include "command/printf.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "platform/platform.h"
#include "util/format.h"
#include "util/half.h"

// ---- records ------------------------------------------------------------------------------------

// A call: descriptions of its arguments, three bytes each, and the format.
struct call {
    const uint8_t *args;
    uint32_t arg_count, size; // of a record
    const char *format;
};

static uint32_t read_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t read_u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// A string in the data segment; NULL: invalid.
static const char *segment_string(const struct kc_program *program, uint64_t offset)
{
    if (offset >= program->data_size)
        return NULL;
    const uint8_t *at = program->data + offset;
    return memchr(at, 0, program->data_size - offset) ? (const char *)at : NULL;
}

static bool find_call(const struct printf_source *source, uint32_t name, struct call *call)
{
    const struct kc_program *program = source->program;
    uint64_t offset = name - source->call_address;
    if (offset >= program->data_size)
        return false;
    call->args = program->data + offset + 1;
    call->arg_count = call->args[-1];
    call->format = segment_string(program, offset + 1 + 3 * (uint64_t)call->arg_count);
    if (!call->format)
        return false;
    call->size = 4;
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const uint8_t *arg = call->args + 3 * (size_t)i;
        if (arg[0] > KC_PRINTF_POINTER || arg[1] > 64 || arg[2] < 1 || arg[2] > 16)
            return false;
        call->size += arg[2] * (arg[1] == 64 ? 8u : 4u);
    }
    return call->size <= KC_PRINTF_RECORD_MAX;
}

// ---- values -------------------------------------------------------------------------------------

struct argument {
    enum kc_printf_kind kind;
    unsigned bits, lanes;
    const uint8_t *at;
};

static uint64_t cut(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static int64_t extend(uint64_t value, unsigned bits)
{
    unsigned unused = 64 - bits;
    return bits && bits < 64 ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

static uint64_t lane_bits(const struct argument *arg, unsigned lane)
{
    return arg->bits == 64 ? read_u64(arg->at + 8 * (size_t)lane)
                           : cut(read_u32(arg->at + 4 * (size_t)lane), arg->bits);
}

// NaNs print without a sign, whatever the device produced.
static double float_value(uint64_t bits, unsigned width)
{
    double value;
    float single;
    uint32_t low = (uint32_t)bits;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &low, sizeof single);
    if (width != 64)
        value = width == 16 ? half_to_double((uint16_t)bits) : (double)single;
    return isnan(value) ? fabs(value) : value;
}

static double lane_float(const struct argument *arg, unsigned lane)
{
    uint64_t bits = lane_bits(arg, lane);
    if (arg->kind == KC_PRINTF_FLOAT)
        return float_value(bits, arg->bits);
    return arg->kind == KC_PRINTF_INT ? (double)extend(bits, arg->bits) : (double)bits;
}

// 64 bits, of which the length modifier's width is printed.
static uint64_t lane_integer(const struct argument *arg, unsigned lane)
{
    uint64_t bits = lane_bits(arg, lane);
    if (arg->kind == KC_PRINTF_FLOAT) {
        double value = float_value(bits, arg->bits);
        return fabs(value) < 9e18 ? (uint64_t)(int64_t)value : UINT64_C(1) << 63;
    }
    return arg->kind == KC_PRINTF_INT ? (uint64_t)extend(bits, arg->bits) : bits;
}

// Number of bits of an integer that a conversion prints.
static unsigned printed_bits(const struct format_conversion *c, const struct argument *arg)
{
    switch (c->length) {
    case FORMAT_HH:
        return 8;
    case FORMAT_H:
        return 16;
    case FORMAT_L:
    case FORMAT_WIDE:
        return 64;
    case FORMAT_SIZE: // for an argument of type size_t; else the argument's own width
        return arg->bits < 32 ? 32 : arg->bits;
    default:
        if (arg->lanes > 1)
            return arg->bits;
        return arg->kind == KC_PRINTF_FLOAT || arg->bits < 32 ? 32 : arg->bits;
    }
}

// ---- conversions --------------------------------------------------------------------------------

enum { SPEC_SIZE = 64 };

// "%" flags width .precision, then `tail`.
static void make_spec(char spec[SPEC_SIZE], const struct format_conversion *c, const char *flags,
                      const char *tail)
{
    int at = snprintf(spec, SPEC_SIZE, "%%%s", flags);
    if (c->width >= 0)
        at += snprintf(spec + at, (size_t)(SPEC_SIZE - at), "%d", c->width);
    if (c->precision >= 0)
        at += snprintf(spec + at, (size_t)(SPEC_SIZE - at), ".%d", c->precision);
    snprintf(spec + at, (size_t)(SPEC_SIZE - at), "%s", tail);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void write_lane(FILE *out, const char *spec, const struct format_conversion *c,
                       const struct argument *arg, unsigned lane)
{
    unsigned bits = printed_bits(c, arg);
    if (c->kind == FORMAT_FLOAT)
        fprintf(out, spec, lane_float(arg, lane));
    else if (c->kind == FORMAT_SIGNED)
        fprintf(out, spec, (intmax_t)extend(lane_integer(arg, lane), bits));
    else
        fprintf(out, spec, (uintmax_t)cut(lane_integer(arg, lane), bits));
}

static void write_number(FILE *out, const struct format_conversion *c, const struct argument *arg)
{
    char spec[SPEC_SIZE], tail[3] = {'j', c->letter, 0};
    make_spec(spec, c, c->flags, c->kind == FORMAT_FLOAT ? tail + 1 : tail);
    for (unsigned lane = 0; lane < arg->lanes; lane++) {
        if (lane)
            putc(',', out);
        write_lane(out, spec, c, arg, lane);
    }
}

static void write_string(const struct printf_source *source, FILE *out,
                         const struct format_conversion *c, const struct argument *arg)
{
    char spec[SPEC_SIZE];
    uint64_t address = lane_bits(arg, 0);
    const char *text = arg->kind == KC_PRINTF_POINTER
                           ? segment_string(source->program, address - source->data_address)
                           : NULL;
    make_spec(spec, c, strchr(c->flags, '-') ? "-" : "", "s");
    fprintf(out, spec, text ? text : address ? "(no literal string)" : "(null)");
}

static void write_pointer(FILE *out, const struct format_conversion *c, const struct argument *arg)
{
    char spec[SPEC_SIZE], text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, lane_bits(arg, 0));
    struct format_conversion plain = *c;
    plain.precision = -1;
    make_spec(spec, &plain, strchr(c->flags, '-') ? "-" : "", "s");
    fprintf(out, spec, text);
}

static void write_char(FILE *out, const struct format_conversion *c, const struct argument *arg)
{
    char spec[SPEC_SIZE];
    struct format_conversion plain = *c;
    plain.precision = -1;
    make_spec(spec, &plain, strchr(c->flags, '-') ? "-" : "", "c");
    fprintf(out, spec, (int)(unsigned char)lane_integer(arg, 0));
}

static void write_conversion(const struct printf_source *source, FILE *out,
                             const struct format_conversion *c, const struct argument *arg)
{
    switch (c->kind) {
    case FORMAT_STRING:
        write_string(source, out, c, arg);
        break;
    case FORMAT_POINTER:
        write_pointer(out, c, arg);
        break;
    case FORMAT_CHAR:
        write_char(out, c, arg);
        break;
    default:
        write_number(out, c, arg);
        break;
    }
}

// ---- calls --------------------------------------------------------------------------------------

// Advances to the next argument; false: none left.
static bool next_argument(const struct call *call, uint32_t *index, struct argument *arg)
{
    if (*index == call->arg_count)
        return false;
    const uint8_t *how = call->args + 3 * (size_t)(*index)++;
    arg->at += arg->lanes * (arg->bits == 64 ? 8u : 4u); // skip the previous one
    arg->kind = how[0];
    arg->bits = how[1];
    arg->lanes = how[2];
    return true;
}

static void write_call(const struct printf_source *source, FILE *out, const struct call *call,
                       const uint8_t *record)
{
    struct argument arg = {.at = record + 4};
    struct format_conversion c;
    const char *at = call->format;
    for (uint32_t index = 0; format_next(at, &c); at = c.end) {
        fwrite(at, 1, (size_t)(c.begin - at), out);
        if (c.kind == FORMAT_PERCENT)
            putc('%', out);
        else if (c.kind == FORMAT_NONE || !next_argument(call, &index, &arg))
            fwrite(c.begin, 1, (size_t)(c.end - c.begin), out);
        else
            write_conversion(source, out, &c, &arg);
    }
    fputs(at, out);
}

void printf_write(const struct printf_source *source, FILE *out)
{
    uint32_t used = read_u32(source->buffer);
    uint32_t limit = source->size - KC_PRINTF_HEADER - KC_PRINTF_RECORD_MAX;
    struct call call;
    if (!used)
        return;
    stream_lock(out);
    for (uint32_t at = 0; at < used && at < limit; at += call.size) {
        const uint8_t *record = source->buffer + KC_PRINTF_HEADER + at;
        if (!find_call(source, read_u32(record), &call))
            break;
        write_call(source, out, &call, record);
    }
    fflush(out);
    stream_unlock(out);
}
