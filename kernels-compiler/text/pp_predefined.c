// SPDX-License-Identifier: Apache-2.0
// Predefined macros, created when a name first occurs in the source: a name -> its macro, or none.
//
// A kernel uses few of the some two hundred macros. Names of extensions come from extensions.def, all others from
// predefined.def.
#include "text/pp.h"

#include <string.h>

enum condition { ALWAYS, ADDRESS64, FP16, FP64, FMA16, FMA32, FMA64, IMAGES, EMBEDDED, FAST_MATH, CL20, CL31, C_VERSION, DEVICE_VERSION };

static const struct row {
    const char *name, *parameters, *body;
    enum condition condition;
    enum pp_special special;
    const char *body32; // body with 4-byte pointers, if different
} rows[] = {
#define PREDEFINED(name, parameters, body, condition)                                              \
    {name, parameters, body, condition, PP_ORDINARY, NULL},
#define SPECIAL(name, special) {name, "", "", ALWAYS, special, NULL},
#define BY_ADDRESS(name, body64, body32) {name, "", body64, ALWAYS, PP_ORDINARY, body32},
#include "text/predefined.def"
};

static const struct {
    const char *name;
    unsigned macro_from; // lowest OpenCL C version that defines the macro; 0: none
} extensions[] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = {name, macro_from},
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = {name, 300},
#include "pumice/extensions.def"
};

static bool condition_holds(const struct pp *pp, enum condition condition)
{
    static const struct kc_target none = {0};
    const struct kc_target *target = pp->input->target ? pp->input->target : &none;
    switch (condition) {
    case ADDRESS64:
        return kc_pointer_bytes(target) == 8;
    case FP16:
        return kc_extensions_have(&pp->extensions, KC_EXT_FP16);
    case FP64:
        return kc_extensions_have(&pp->extensions, KC_EXT_FP64);
    case FMA16:
        return target->fused_fma[0];
    case FMA32:
        return target->fused_fma[1];
    case FMA64:
        return target->fused_fma[2];
    case IMAGES:
        return target->images;
    case EMBEDDED:
        return target->embedded;
    case FAST_MATH:
        return pp->input->fast_relaxed_math;
    case CL20:
        return pp->input->version >= 200;
    case CL31:
        return pp->input->version >= 310;
    default:
        return true;
    }
}

static const struct row *find_row(const char *name)
{
    size_t low = 0, high = sizeof rows / sizeof *rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, rows[middle].name);
        if (order == 0)
            return &rows[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static void define(struct pp *pp, const char *line)
{
    struct pp_macro *macro = pp_define_text(pp, 0, line);
    if (macro)
        macro->library = true;
}

static void define_row(struct pp *pp, struct pp_name *name, const struct row *row)
{
    if (row->special) {
        name->macro = ARENA_NEW(pp->arena, struct pp_macro);
        name->macro->special = row->special;
    } else if (row->condition == C_VERSION) {
        define(pp, arena_printf(pp->arena, "%s %u", row->name, pp->input->version));
    } else if (row->condition == DEVICE_VERSION) {
        bool c_3_1 = pp->input->target && pp->input->target->c_3_1;
        define(pp, arena_printf(pp->arena, "%s %s", row->name, c_3_1 ? "310" : "300"));
    } else if (condition_holds(pp, row->condition)) {
        bool narrow = row->body32 && kc_pointer_bytes(pp->input->target) == 4;
        const char *body = narrow ? row->body32 : row->body;
        define(pp, arena_printf(pp->arena, "%s%s %s", row->name, row->parameters, body));
        bool infinite = !strcmp(row->name, "INFINITY") || !strcmp(row->name, "NAN");
        if (infinite && pp->input->finite_math_only && name->macro)
            name->macro->excluded = true;
    }
}

// Sources assume an Intel GPU if the macro is defined, and then require its usual sub-group sizes.
static bool is_withheld(const struct pp *pp, unsigned extension)
{
    const struct kc_target *target = pp->input->target;
    return extension == KC_EXT_INTEL_REQUIRED_SUBGROUP_SIZE &&
           !(target && kc_has_sub_groups_of(target, 16) && kc_has_sub_groups_of(target, 32));
}

static void define_extension(struct pp *pp, const struct pp_name *name)
{
    for (unsigned i = 0; i < KC_EXT_COUNT; i++)
        if (kc_extensions_have(&pp->extensions, i) && extensions[i].macro_from && !is_withheld(pp, i) &&
            pp->input->version >= extensions[i].macro_from &&
            !strcmp(extensions[i].name, name->text))
            define(pp, arena_printf(pp->arena, "%s 1", name->text));
}

void pp_predefined(void *context, struct pp_name *name)
{
    struct pp *pp = context;
    const struct row *row = find_row(name->text);
    if (row)
        define_row(pp, name, row);
    else if (!strncmp(name->text, "cl_", 3) || !strncmp(name->text, "cles_", 5) ||
             !strncmp(name->text, "__opencl_c_", 11))
        define_extension(pp, name);
}
