// SPDX-License-Identifier: Apache-2.0
// The text stage: bytes -> preprocessed tokens. Preprocessing is complete when the parser starts:
// it gets one array ending in TOK_EOF.
#ifndef KC_TEXT_TEXT_H
#define KC_TEXT_TEXT_H

#include "pumice/kc.h"
#include "text/token.h"
#include "util/map.h"

// One -D, -U or -I, in the order given. "-D name" defines 1; "-D name=body", "-D name(args)=body".
enum text_define_kind { TEXT_DEFINE, TEXT_UNDEF, TEXT_INCLUDE_DIR };

struct text_define {
    enum text_define_kind kind;
    const char *text; // "name=body" / "name" / folder
};

struct text_input {
    struct arena *arena; // tokens and spellings live here
    struct intern *intern;
    struct diag *diag;
    const struct kc_input *input;
    const struct kc_target *target;
    uint32_t version; // -cl-std: 100, 110, 120, 200, 300, 310
    bool fast_relaxed_math, finite_math_only, single_precision_constant;
    // What __has_builtin and __has_attribute answer; NULL: none is known.
    bool (*knows_builtin)(const char *name);
    bool (*knows_attribute)(const char *name);
    const struct text_define *defines;
    size_t define_count;
    size_t max_tokens; // 0: default limit
};

struct token_list {
    struct token *items;
    size_t count; // the last one is TOK_EOF
    const struct kc_file *files; // looked for; paths are interned
    size_t file_count;
};

// Errors go to the diag; the list is always complete. Extensions switched by #pragma OPENCL
// EXTENSION are checked against the target (an unknown one gets a warning) and otherwise have no
// effect: types and builtins of an extension are available whenever the device has it.
struct token_list text_preprocess(const struct text_input *input);

// What -E prints: the tokens with their line structure.
void text_print(struct str *out, const struct token_list *tokens);

#endif
