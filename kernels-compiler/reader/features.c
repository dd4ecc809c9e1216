// SPDX-License-Identifier: Apache-2.0
// features.def -> the capabilities and extensions that modules for a target may use.
#include "pumice/kc.h"
#include "pumice/spirv.h"

#include <string.h>

enum {
    SETS = 0
#define IL_SET(name, when) +1
#include "reader/features.def"
    ,
    EXTENSIONS = 0
#define IL_EXTENSION(name, when) +1
#include "reader/features.def"
    ,
    CAPABILITIES = 0
#define IL_CAPABILITY(number, name, when) +1
#include "reader/features.def"
};

_Static_assert((int)SETS <= (int)KC_IL_SETS && (int)EXTENSIONS <= (int)KC_IL_EXTENSIONS &&
                   (int)CAPABILITIES <= (int)KC_IL_CAPABILITIES,
               "struct kc_il_features has room for every row");

#define IL_CAPABILITY(number, name, when) _Static_assert((number) == SpvCapability##name, #name);
#define IL_NEW_CAPABILITY(number, name, when)
#include "reader/features.def"

void kc_il_features(const struct kc_target *t, struct kc_il_features *f)
{
    memset(f, 0, sizeof *f);
#define HAS(id) kc_extensions_have(&t->extensions, KC_EXT_##id)
#define IL_SET(name, when)                                                                                             \
    if (when)                                                                                                          \
        f->sets[f->set_count++] = name;
#define IL_EXTENSION(name, when)                                                                                       \
    if (when)                                                                                                          \
        f->extensions[f->extension_count++] = name;
#define IL_CAPABILITY(number, name, when)                                                                              \
    if (when)                                                                                                          \
        f->capabilities[f->capability_count++] = number;
#include "reader/features.def"
}
