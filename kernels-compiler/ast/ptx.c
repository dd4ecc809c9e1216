// SPDX-License-Identifier: Apache-2.0
// Inline assembly: PTX -> OpenCL C, an instruction at a time, by the rows of ptx.def.
//
// Programs that find an NVIDIA device use PTX for what OpenCL C lacks: LOP3, funnel shifts, carries, shuffles. Registers become
// variables, a predicated instruction an if, and the carry flag a variable of the function. Branches and labels are
// not supported, nor are instructions without a row.
#include "ast/ptx.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 5, MAX_PARTS = 4, MAX_MODIFIERS = 12 };

struct row {
    const char *opcode, *classes, *operands, *result, *code;
};

static const struct row rows[] = {
#define PTX(opcode, classes, operands, result, code) {opcode, classes, operands, result, code},
#include "ast/ptx.def"
};

static const struct type_row {
    const char *ptx, *name, *without_sign, *wide;
    uint32_t bits;
    char class;
} type_rows[] = {
    {"u8", "uchar", "uchar", "ushort", 8, 'u'},   {"s8", "char", "uchar", "short", 8, 's'},   {"b8", "uchar", "uchar", "ushort", 8, 'b'},
    {"u16", "ushort", "ushort", "uint", 16, 'u'}, {"s16", "short", "ushort", "int", 16, 's'}, {"b16", "ushort", "ushort", "uint", 16, 'b'},
    {"u32", "uint", "uint", "ulong", 32, 'u'},    {"s32", "int", "uint", "long", 32, 's'},    {"b32", "uint", "uint", "ulong", 32, 'b'},
    {"u64", "ulong", "ulong", NULL, 64, 'u'},     {"s64", "long", "ulong", NULL, 64, 's'},    {"b64", "ulong", "ulong", NULL, 64, 'b'},
    {"f32", "float", NULL, NULL, 32, 'f'},        {"f64", "double", NULL, NULL, 64, 'f'},     {"pred", "int", NULL, NULL, 1, 'p'},
};
enum { TYPES = sizeof type_rows / sizeof *type_rows };

static const struct type_row *const type_uint = &type_rows[6], *const type_ulong = &type_rows[9], *const type_pred = &type_rows[TYPES - 1];

static const struct {
    const char *letters, *type;
} constraints[] = {{"h", "ushort"}, {"r", "uint"}, {"l", "ulong"}, {"f", "float"}, {"d", "double"}, {"in", "long"}};

// The value that a special register has in OpenCL C.
static const struct {
    const char *name, *value;
} special[] = {
    {"%tid.x", "(uint)get_local_id(0)"},    {"%tid.y", "(uint)get_local_id(1)"},    {"%tid.z", "(uint)get_local_id(2)"},
    {"%ntid.x", "(uint)get_local_size(0)"}, {"%ntid.y", "(uint)get_local_size(1)"}, {"%ntid.z", "(uint)get_local_size(2)"},
    {"%ctaid.x", "(uint)get_group_id(0)"},  {"%ctaid.y", "(uint)get_group_id(1)"},  {"%ctaid.z", "(uint)get_group_id(2)"},
    {"%nctaid.x", "(uint)get_num_groups(0)"}, {"%nctaid.y", "(uint)get_num_groups(1)"}, {"%nctaid.z", "(uint)get_num_groups(2)"},
    {"%laneid", "get_sub_group_local_id()"},  {"%warpid", "get_sub_group_id()"},        {"%nwarpid", "get_num_sub_groups()"},
    {"WARP_SZ", "get_max_sub_group_size()"},
    {"%lanemask_eq", "(1u << get_sub_group_local_id())"},       {"%lanemask_lt", "~(~0u << get_sub_group_local_id())"},
    {"%lanemask_le", "~(~1u << get_sub_group_local_id())"},     {"%lanemask_gt", "(~1u << get_sub_group_local_id())"},
    {"%lanemask_ge", "(~0u << get_sub_group_local_id())"},
};

// Modifiers that change nothing here: results are rounded to nearest or more exact than asked for, caches are coherent.
static const char *const ignored[] = {"rn", "approx", "ftz", "full", "volatile", "relaxed", "weak", "ca", "cg", "cs", "cv", "lu", "nc",
                                      "wb", "wt", "gl", "cta", "sys", "gpu", "aligned", "L1::no_allocate"};

struct reg {
    const char *name;
    const struct type_row *type;
};

struct ptx {
    struct ast *ast;
    const char *at;
    const struct ptx_operand *operands;
    uint32_t count;
    struct loc loc;
    struct ptx_code *code;
    VEC(struct reg) regs;
    bool failed;
};

struct instr {
    const char *opcode;
    const char *modifiers[MAX_MODIFIERS];
    uint32_t modifier_count;
    const struct type_row *types[2]; // the last two in the opcode: of the operands, and of the result of cvt
    uint32_t type_count;
    const char *operands[MAX_OPERANDS + 1]; // with the result
    uint32_t count;
};

static bool fail(struct ptx *p, const char *what, const char *name)
{
    if (!p->failed)
        diag_error(p->ast->diag, p->loc, "inline assembly: %s '%s'", what, name);
    p->failed = true;
    return false;
}

const char *ptx_constraint_type(const char *constraint)
{
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
        if (*constraint && strpbrk(constraint, constraints[i].letters))
            return constraints[i].type;
    return NULL;
}

static const struct type_row *find_type(const char *ptx)
{
    for (size_t i = 0; i < TYPES; i++)
        if (!strcmp(type_rows[i].ptx, ptx))
            return &type_rows[i];
    return NULL;
}

static const struct type_row *type_named(const char *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (!strcmp(type_rows[i].name, name))
            return &type_rows[i];
    return NULL;
}

// ---- the text -----------------------------------------------------------------------------------

static const char *copy(struct ptx *p, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return intern_string(p->ast->intern, from, (size_t)(to - from));
}

static void skip_space(struct ptx *p)
{
    for (;;) {
        p->at += strspn(p->at, " \t\r\n");
        if (!strncmp(p->at, "//", 2))
            p->at += strcspn(p->at, "\n");
        else if (!strncmp(p->at, "/*", 2) && strstr(p->at, "*/"))
            p->at = strstr(p->at, "*/") + 2;
        else
            return;
    }
}

// Up to one of `ends` outside of braces and brackets.
static const char *take(struct ptx *p, const char *ends)
{
    const char *from = p->at;
    int depth = 0;
    for (; *p->at && (depth || !strchr(ends, *p->at)); p->at++)
        depth += (*p->at == '{' || *p->at == '[') - (*p->at == '}' || *p->at == ']');
    return copy(p, from, p->at);
}

// ---- operands -----------------------------------------------------------------------------------

struct value {
    const char *text;
    const struct type_row *type; // NULL: a number
    const char *written;         // in PTX
};

static const struct ptx_operand *find_operand(struct ptx *p, const char *text, uint32_t *number)
{
    char *end = NULL;
    unsigned long n = p->count;
    if (isdigit((unsigned char)text[1]))
        n = strtoul(text + 1, &end, 10);
    for (uint32_t i = 0; text[1] == '[' && i < p->count; i++)
        if (p->operands[i].name && !strncmp(text + 2, p->operands[i].name, strlen(p->operands[i].name)) &&
            !strcmp(text + 2 + strlen(p->operands[i].name), "]"))
            n = i;
    *number = (uint32_t)n;
    return n < p->count && (!end || !*end) ? &p->operands[n] : NULL;
}

// Decimal, octal, hexadecimal, or the bits of a float (0f3F800000) or a double (0d...).
static bool is_number(const char *text)
{
    text += *text == '-';
    const size_t digits = strspn(text, "0123456789abcdefABCDEFxX");
    return isdigit((unsigned char)*text) && !text[digits + (text[digits] == 'U')];
}

static const char *format_number(struct ptx *p, const char *text)
{
    const bool is_float = text[0] == '0' && strchr("fFdD", text[1]) && text[1];
    struct str s;
    str_init(&s, p->ast->arena);
    if (is_float)
        str_printf(&s, "as_%s(0x%s)", strchr("fF", text[1]) ? "float" : "double", text + 2);
    else
        str_printf(&s, "(%.*s)", (int)strcspn(text, "U"), text);
    return s.text;
}

// A register, an operand of the statement, a special register or a number.
static bool find_value(struct ptx *p, const char *text, struct value *value)
{
    struct str s;
    uint32_t number;
    str_init(&s, p->ast->arena);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(text, special[i].name)) {
            *value = (struct value){special[i].value, type_uint, text};
            return true;
        }
    for (size_t i = p->regs.count; i--;)
        if (!strcmp(p->regs.items[i].name, text)) {
            str_printf(&s, "__reg_%s", *text == '%' ? text + 1 : text);
            *value = (struct value){s.text, p->regs.items[i].type, text};
            return true;
        }
    const struct ptx_operand *operand = *text == '%' ? find_operand(p, text, &number) : NULL;
    if (operand) {
        str_printf(&s, "__asm_%u", number);
        *value = (struct value){s.text, type_named(operand->type), text};
        return true;
    }
    if (!is_number(text))
        return fail(p, "unknown operand", text);
    *value = (struct value){format_number(p, text), NULL, text};
    return true;
}

// The value's bits as a value of another type.
static const char *convert(struct ptx *p, const struct value *value, const struct type_row *to)
{
    const struct type_row *from = value->type;
    const bool number_as_float = !from && strncmp(value->text, "as_", 3) == 0;
    struct str s;
    str_init(&s, p->ast->arena);
    if (to->class == 'p')
        return value->text;
    if ((from && (from->class == 'f') != (to->class == 'f')) || (number_as_float && to->class != 'f')) {
        if (from && from->bits != to->bits)
            fail(p, "wrong size of", value->written);
        str_printf(&s, "as_%s(%s)", to->name, value->text);
    } else {
        str_printf(&s, "((%s)%s)", to->name, value->text);
    }
    return s.text;
}

static const char *read_value(struct ptx *p, const char *text, const struct type_row *type)
{
    struct value value;
    return find_value(p, text, &value) ? convert(p, &value, type) : "0";
}

// [register + offset]
static const char *read_address(struct ptx *p, const char *text)
{
    size_t length = strlen(text);
    if (*text != '[' || text[length - 1] != ']') {
        fail(p, "not an address:", text);
        return "0";
    }
    const char *end = text + length - 1, *plus = text + 1 + strcspn(text + 1, "+");
    const char *base = read_value(p, copy(p, text + 1, plus < end ? plus : end), type_ulong);
    struct str s;
    str_init(&s, p->ast->arena);
    str_printf(&s, "(%s + %s)", base, plus < end ? read_value(p, copy(p, plus + 1, end), type_ulong) : "0");
    return s.text;
}

// The type of a result or an operand of a row.
static const struct type_row *type_of(char kind, const struct type_row *type)
{
    switch (kind) {
    case 'T': return type;
    case 'W': return type->wide ? type_named(type->wide) : NULL;
    case 'p': return type_pred;
    default: return type_uint;
    }
}

static const char *read_operand(struct ptx *p, const char *text, char kind, const struct type_row *type)
{
    if (kind == 'a')
        return read_address(p, text);
    if (kind == '0' && strcmp(text, "0"))
        fail(p, "only barrier 0 is supported, not", text);
    return kind == '0' ? "0" : read_value(p, text, type_of(kind, type));
}

static void write_value(struct ptx *p, const char *to, const char *text, const struct type_row *type)
{
    struct value place;
    if (!strcmp(to, "_") || !find_value(p, to, &place))
        return;
    if (!place.type) {
        fail(p, "not a register:", to);
        return;
    }
    const struct value value = {text, type, to};
    str_printf(&p->code->text, "%s = %s; ", place.text, convert(p, &value, place.type));
}

// ---- instructions -------------------------------------------------------------------------------

static bool has_modifier(const struct instr *instr, const char *name)
{
    for (uint32_t i = 0; i < instr->modifier_count; i++)
        if (!strcmp(instr->modifiers[i], name))
            return true;
    return false;
}

static bool is_ignored(const char *part)
{
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (!strcmp(ignored[i], part))
            return true;
    return false;
}

// Splits the opcode into the part of the table, types and modifiers.
static void split_opcode(struct ptx *p, const char *text, struct instr *instr)
{
    struct str opcode;
    str_init(&opcode, p->ast->arena);
    for (const char *part = text; *part;) {
        size_t length = strcspn(part, ".");
        const char *name = copy(p, part, part + length);
        const struct type_row *type = find_type(name);
        if (type) {
            instr->types[0] = instr->types[1];
            instr->types[1] = type;
            instr->type_count++;
        } else if (!is_ignored(name)) {
            str_printf(&opcode, "%s%s", opcode.length ? "." : "", name);
        }
        if (!type && instr->modifier_count < MAX_MODIFIERS)
            instr->modifiers[instr->modifier_count++] = name;
        part += length + (part[length] == '.');
    }
    instr->opcode = opcode.length ? opcode.text : text;
}

static const struct row *find_row(const struct instr *instr)
{
    const char class = instr->types[1] ? instr->types[1]->class : '-';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].opcode, instr->opcode) && strchr(rows[i].classes, class))
            return &rows[i];
    return NULL;
}

static void note_carry(struct ptx *p, const char *code)
{
    const char *set = strstr(code, "$k = "), *use = strstr(code, "$k");
    const bool reads = use && (use != set || strstr(code, "$k ?"));
    p->code->reads_carry |= reads && !p->code->sets_carry;
    p->code->sets_carry |= set != NULL;
}

static void put_code(struct ptx *p, const char *code, const char *const *values, const struct type_row *type)
{
    struct str *s = &p->code->text;
    for (; *code; code++) {
        if (*code != '$') {
            str_addc(s, *code);
            continue;
        }
        switch (*++code) {
        case 'd': str_add(s, "__d"); break;
        case 'k': str_add(s, PTX_CARRY); break;
        case 'T': str_add(s, type->name); break;
        case 'U': str_add(s, type->without_sign); break;
        case 'W': str_add(s, type->wide); break;
        case 'N': str_addu(s, "", type->bits); break;
        case 'e': str_add(s, values[3]); break;
        default: str_add(s, values[*code - 'a']); break;
        }
    }
}

static void put_row(struct ptx *p, const struct row *row, const struct instr *instr)
{
    const struct type_row *type = instr->types[1];
    const bool has_result = *row->result != '-', is_expression = !strstr(row->code, "$d = ");
    const struct type_row *result = type_of(*row->result, type);
    const char *values[MAX_OPERANDS] = {"0", "0", "0", "0", "0"};
    const size_t count = *row->operands == '-' ? 0 : strlen(row->operands);
    if (instr->count != count + has_result) {
        fail(p, "wrong number of operands of", instr->opcode);
        return;
    }
    if (*row->result == 'W' && !result) {
        fail(p, "unsupported type of", instr->opcode);
        return;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = read_operand(p, instr->operands[i + has_result], row->operands[i], type);
    note_carry(p, row->code);
    str_add(&p->code->text, "{ ");
    if (has_result)
        str_printf(&p->code->text, "%s __d; ", result->name);
    if (has_result && is_expression)
        str_printf(&p->code->text, "__d = (%s)(", result->name);
    put_code(p, row->code, values, type);
    str_add(&p->code->text, has_result && is_expression ? "); " : "; ");
    if (has_result)
        write_value(p, instr->operands[0], "__d", result);
    str_add(&p->code->text, "} ");
}

// cvt{.rounding}{.sat}.TO.FROM
static void put_conversion(struct ptx *p, const struct instr *instr)
{
    static const struct {
        const char *ptx, *suffix;
        bool to_integer;
    } roundings[] = {{"rn", "_rte", false}, {"rz", "_rtz", false}, {"rm", "_rtn", false}, {"rp", "_rtp", false},
                     {"rni", "_rte", true}, {"rzi", "_rtz", true}, {"rmi", "_rtn", true}, {"rpi", "_rtp", true}};
    const struct type_row *to = instr->types[0], *from = instr->types[1];
    if (instr->type_count != 2 || instr->count != 2 || to->class == 'p' || from->class == 'p') {
        fail(p, "unsupported instruction", instr->opcode);
        return;
    }
    str_printf(&p->code->text, "{ %s __d = convert_%s%s", to->name, to->name, has_modifier(instr, "sat") && to->class != 'f' ? "_sat" : "");
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        if (!has_modifier(instr, roundings[i].ptx))
            continue;
        if (roundings[i].to_integer == (to->class == 'f'))
            fail(p, "unsupported instruction", instr->opcode);
        str_add(&p->code->text, roundings[i].suffix);
    }
    if (has_modifier(instr, "sat") && to->class == 'f')
        fail(p, "unsupported instruction", instr->opcode);
    str_printf(&p->code->text, "(%s); ", read_value(p, instr->operands[1], from));
    write_value(p, instr->operands[0], "__d", to);
    str_add(&p->code->text, "} ");
}

// ---- registers in parts -------------------------------------------------------------------------

// {a, b}: its parts, from the lowest.
static uint32_t split_parts(struct ptx *p, const char *text, const char **parts)
{
    struct ptx inner = {.ast = p->ast, .at = text + 1, .loc = p->loc};
    uint32_t count = 0;
    while (*inner.at && *inner.at != '}' && count < MAX_PARTS) {
        parts[count++] = take(&inner, ",}");
        inner.at += *inner.at == ',';
    }
    return count;
}

static const struct type_row *part_type(uint32_t bits)
{
    return bits == 32 ? find_type("b32") : bits == 16 ? find_type("b16") : bits == 8 ? find_type("b8") : NULL;
}

static void put_move_of_parts(struct ptx *p, const struct instr *instr)
{
    const struct type_row *type = instr->types[1];
    const bool packs = *instr->operands[1] == '{';
    const char *parts[MAX_PARTS];
    const uint32_t count = split_parts(p, instr->operands[packs], parts);
    const struct type_row *part = count ? part_type(type->bits / count) : NULL;
    if (!part || type->class == 'f') {
        fail(p, "unsupported instruction", instr->opcode);
        return;
    }
    struct str *s = &p->code->text;
    str_printf(s, "{ %s __d = ", type->name);
    if (!packs)
        str_add(s, read_value(p, instr->operands[1], type));
    for (uint32_t i = 0; packs && i < count; i++)
        str_printf(s, "%s(%s)%s << %u", i ? " | " : "", type->name, read_value(p, parts[i], part), i * part->bits);
    str_add(s, "; ");
    for (uint32_t i = 0; !packs && i < count; i++) {
        struct str shifted;
        str_init(&shifted, p->ast->arena);
        str_printf(&shifted, "((%s)(__d >> %u))", part->name, i * part->bits);
        write_value(p, parts[i], shifted.text, part);
    }
    if (packs)
        write_value(p, instr->operands[0], "__d", type);
    str_add(s, "} ");
}

// ---- statements ---------------------------------------------------------------------------------

// .reg .TYPE a, b, c<4>;
static void declare_registers(struct ptx *p)
{
    p->at += strcspn(p->at, ".;") + (p->at[strcspn(p->at, ".;")] == '.');
    const char *from = p->at;
    p->at += strcspn(p->at, " \t\r\n;");
    const char *name = copy(p, from, p->at);
    const struct type_row *type = find_type(name);
    if (!type) {
        fail(p, "unknown type", name);
        return;
    }
    while (*p->at && *p->at != ';') {
        skip_space(p);
        const char *text = take(p, ",;");
        const char *range = strchr(text, '<');
        unsigned long count = range ? strtoul(range + 1, NULL, 10) : 1;
        for (unsigned long i = 0; i < count && count <= 64; i++) {
            struct str s;
            str_init(&s, p->ast->arena);
            str_printf(&s, "%.*s", (int)strcspn(text, "<"), text);
            if (range)
                str_addu(&s, "", i);
            vec_push(p->ast->arena, &p->regs, ((struct reg){s.text, type}));
            str_printf(&p->code->text, "%s __reg_%s; ", type->name, *s.text == '%' ? s.text + 1 : s.text);
        }
        p->at += *p->at == ',';
    }
}

static void put_predicate(struct ptx *p)
{
    const bool inverse = p->at[1] == '!';
    const char *from = p->at + 1 + inverse;
    p->at = from + strcspn(from, " \t\r\n;");
    str_printf(&p->code->text, "if (%s%s) ", inverse ? "!" : "", read_value(p, copy(p, from, p->at), type_pred));
    skip_space(p);
}

static void put_instruction(struct ptx *p)
{
    struct instr instr = {0};
    const char *from = p->at;
    p->at += strcspn(p->at, " \t\r\n;");
    const char *opcode = copy(p, from, p->at);
    split_opcode(p, opcode, &instr);
    skip_space(p);
    while (*p->at && *p->at != ';' && instr.count <= MAX_OPERANDS) {
        instr.operands[instr.count++] = take(p, ",;");
        p->at += *p->at == ',';
        skip_space(p);
    }
    const struct row *row = find_row(&instr);
    if (!strcmp(instr.opcode, "mov") && instr.types[1] && instr.count == 2 && (*instr.operands[0] == '{' || *instr.operands[1] == '{'))
        put_move_of_parts(p, &instr);
    else if (has_modifier(&instr, "cvt"))
        put_conversion(p, &instr);
    else if (row && instr.type_count == (*row->classes != '-'))
        put_row(p, row, &instr);
    else
        fail(p, "unsupported instruction", opcode);
}

static void put_statement(struct ptx *p)
{
    if (!strncmp(p->at, ".reg", 4)) {
        p->at += 4;
        declare_registers(p);
        return;
    }
    if (*p->at == '@')
        put_predicate(p);
    put_instruction(p);
}

bool ptx_translate(struct ast *ast, const char *text, const struct ptx_operand *operands, uint32_t count, struct loc loc,
                   struct ptx_code *code)
{
    struct ptx p = {.ast = ast, .at = text, .operands = operands, .count = count, .loc = loc, .code = code};
    int depth = 0;
    for (;;) {
        skip_space(&p);
        depth += (*p.at == '{') - (*p.at == '}');
        if (!*p.at || p.failed || depth < 0)
            break;
        if (strchr(";{}", *p.at)) {
            if (*p.at != ';')
                str_addc(&code->text, *p.at);
            p.at++;
        } else {
            put_statement(&p);
        }
    }
    return !p.failed && !depth ? true : fail(&p, "unbalanced braces in", text);
}
