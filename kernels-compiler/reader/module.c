// SPDX-License-Identifier: Apache-2.0
// Module-level instructions outside of functions: imports, entry points, strings.
#include "reader/reader.h"

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

void reader_nothing(struct reader *r, const struct spv_inst *inst)
{
    (void)r;
    (void)inst;
}

void reader_import_set(struct reader *r, const struct spv_inst *inst)
{
    uint32_t used;
    const char *name = reader_string(r, inst->words, inst->count, &used);
    bool ignored = begins(name, "NonSemantic.") || begins(name, "OpenCL.DebugInfo") || begins(name, "SPIRV.debug") ||
                   !strcmp(name, "DebugInfo");
    if (!ignored && strcmp(name, "OpenCL.std"))
        reader_fail(r, "unknown extended instruction set '%s'", name);
    reader_id(r, inst->result)->kind = SPV_ID_SET;
    reader_id(r, inst->result)->set = ignored ? SPV_SET_IGNORED : SPV_SET_OPENCL;
}

void reader_ext_inst(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_id *set = reader_id_of(r, inst->words[0], SPV_ID_SET);
    if (set->set == SPV_SET_IGNORED)
        return;
    if (!r->function)
        reader_fail(r, "must be in a function");
    reader_opencl_std(r, inst, inst->words[1], inst->words + 2, inst->count - 2);
}

void reader_memory_model(struct reader *r, const struct spv_inst *inst)
{
    static const uint8_t bits[] = {[SpvAddressingModelPhysical32] = 32, [SpvAddressingModelPhysical64] = 64};
    uint32_t model = inst->words[0], own = kc_pointer_bytes(r->target) * 8;
    if ((model == SpvAddressingModelPhysical32 || model == SpvAddressingModelPhysical64) && bits[model] != own)
        reader_fail(r, "the module has %u-bit addresses, the device %u-bit ones", (unsigned)bits[model], (unsigned)own);
    if ((model != SpvAddressingModelPhysical32 && model != SpvAddressingModelPhysical64) || inst->words[1] != SpvMemoryModelOpenCL)
        reader_fail(r, "addressing model %u with memory model %u is not valid in OpenCL", inst->words[0], inst->words[1]);
    r->has_memory_model = true;
}

void reader_string_of(struct reader *r, const struct spv_inst *inst)
{
    uint32_t used;
    vec_push(r->work, &r->strings, reader_string(r, inst->words, inst->count, &used));
    reader_id(r, inst->result)->kind = SPV_ID_STRING;
}

// ---- kernels -------------------------------------------------------------------------------------

void reader_entry_point(struct reader *r, const struct spv_inst *inst)
{
    struct spv_entry entry = {.function = inst->words[1], .at = inst->at};
    uint32_t used;
    if (inst->words[0] != SpvExecutionModelKernel)
        reader_fail(r, "execution model %u is not Kernel", inst->words[0]);
    entry.name = reader_string(r, inst->words + 2, inst->count - 2, &used);
    const void *key = intern_cstring(r->input->intern, entry.name);
    if (!*entry.name || map_get(&r->entry_names, key))
        reader_fail(r, "'%s' is not a valid kernel name, or is used twice", entry.name);
    map_set(r->work, &r->entry_names, key, (void *)key);
    vec_push(r->work, &r->entries, entry);
}

void reader_execution_mode(struct reader *r, const struct spv_inst *inst)
{
    struct spv_mode mode = {.entry = inst->words[0], .mode = inst->words[1], .words = inst->words + 2,
                            .count = inst->count - 2, .by_id = inst->row->arg};
    vec_push(r->work, &r->modes, mode);
}
