// SPDX-License-Identifier: Apache-2.0
// The text stage: bytes -> preprocessed tokens. Preprocessing is complete when the parser starts: the parser gets one
// array that ends with TOK_EOF.
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
    struct arena *arena; // holds tokens and spellings
    struct intern *intern;
    struct diag *diag;
    const struct kc_input *input;
    const struct kc_target *target;
    uint32_t version; // -cl-std: 100, 110, 120, 200, 300, 310
    bool fast_relaxed_math, finite_math_only, single_precision_constant;
    // The answers of __has_builtin and __has_attribute; NULL: always no.
    bool (*knows_builtin)(const char *name);
    bool (*knows_attribute)(const char *name);
    const struct text_define *defines;
    size_t define_count;
    size_t max_tokens; // 0: default limit
};

struct token_list {
    struct token *items;
    size_t count; // the last one is TOK_EOF
    const struct kc_file *files; // files that were searched for, found or not; paths are interned
    size_t file_count;
};

// Errors go to the diag; the list is always complete. #pragma OPENCL EXTENSION checks the name against the target (an
// unknown one gets a warning) and has no other effect: types and built-ins of an extension are available whenever the
// device supports it.
struct token_list text_preprocess(const struct text_input *input);

// Prints the tokens with their line structure, for -E.
void text_print(struct str *out, const struct token_list *tokens);

#endif
