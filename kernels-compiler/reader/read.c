// SPDX-License-Identifier: Apache-2.0
// OpenCL SPIR-V module -> IR: the table of instructions and handlers, and the order in which a module is read.
#include "reader/reader.h"

// ---- the table of instructions ------------------------------------------------------------------

enum row_number {
#define INSTRUCTION(number, name, where, operands, handler, arg) ROW_##name,
#include "reader/instructions.def"
    ROW_COUNT
};

static const struct spv_row rows[ROW_COUNT] = {
#define INSTRUCTION(number, name, where, operands, handler, arg)                                   \
    {#name, operands, reader_##handler, number, SPV_##where, (uint16_t)(arg)},
#include "reader/instructions.def"
};

static const uint16_t row_of[] = { // 1 + row; 0: none
#define INSTRUCTION(number, name, where, operands, handler, arg) [number] = ROW_##name + 1,
#include "reader/instructions.def"
};

static const struct spv_table table = {rows, row_of, sizeof row_of / sizeof *row_of};

// ---- the module ---------------------------------------------------------------------------------

static void read_declarations(struct reader *r)
{
    for (uint32_t at = SPV_HEADER_WORDS; at < r->first_function;) {
        struct spv_inst inst;
        at = reader_decode(r, at, &inst);
        r->inst = &inst;
        inst.row->handle(r, &inst);
    }
    r->inst = NULL;
    if (!r->has_memory_model)
        reader_fail(r, "no OpMemoryModel");
}

// ---- functions ----------------------------------------------------------------------------------

static void reach_exports(struct reader *r)
{
    struct spv_inst inst;
    for (uint32_t at = r->first_function; at < r->word_count;) {
        at = reader_decode(r, at, &inst);
        uint32_t linkage = SpvLinkageTypeImport;
        if (inst.row->opcode == SpvOpFunction && reader_link_name(r, inst.result, &linkage) &&
            linkage != SpvLinkageTypeImport)
            reader_function(r, inst.result);
    }
}

static void read_functions(struct reader *r)
{
    for (size_t i = 0; i < r->entries.count; i++)
        if (!reader_is_block(r, &r->entries.items[i]))
            reader_kernel(r, &r->entries.items[i]);
    if (r->input->options->separate || !r->entries.count)
        reach_exports(r);
    for (size_t i = 0; i < r->functions.count; i++) // grows as calls are read
        reader_body(r, r->functions.items[i]);
    for (size_t i = 0; i < r->functions.count; i++)
        reader_check_recursion(r, r->functions.items[i]);
}

// ---- entry ---------------------------------------------------------------------------------------

struct ir_module *reader_read(const struct reader_input *in)
{
    struct reader *r = ARENA_NEW(in->work, struct reader);
    *r = (struct reader){.input = in, .arena = in->arena, .work = in->work, .diag = in->diag, .target = in->target,
                          .table = &table};
    r->module = ir_module_create(in->arena, in->intern, in->target);
    r->b = (struct ir_builder){.module = r->module, .dead = true};
    r->given = gen_given_begin(in->arena, in->work, in->intern, in->diag, in->target, in->options, r->module);
    reader_scan(r);
    read_declarations(r);
    read_functions(r);
    reader_init_variables(r);
    return r->module;
}
