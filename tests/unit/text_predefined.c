// SPDX-License-Identifier: Apache-2.0
// Tables of the preprocessor: predefined.def is sorted, and the predefined macros describe the
// target.
#include "text/text.h"
#include "check.h"

static const char *const names[] = {
#define PREDEFINED(name, parameters, body, condition) name,
#define SPECIAL(name, special) name,
#define BY_ADDRESS(name, body64, body32) name,
#include "text/predefined.def"
};

static struct arena arena;

// The preprocessed source, as -E prints it.
static const char *expand(const char *source, uint32_t version, const struct kc_target *target)
{
    jmp_buf stop;
    struct intern intern;
    struct diag diag;
    struct str out;
    struct kc_input kc = {.source = source, .length = strlen(source)};
    struct text_input input = {.arena = &arena,
                               .intern = &intern,
                               .diag = &diag,
                               .input = &kc,
                               .target = target,
                               .version = version};
    if (setjmp(stop))
        return "fatal";
    diag_init(&diag, &arena, &stop);
    intern_init(&intern, &arena);
    str_init(&out, &arena);
    struct token_list tokens = text_preprocess(&input);
    text_print(&out, &tokens);
    return diag.errors ? "errors" : out.length ? out.text : "";
}

static void test_sorted(void)
{
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i - 1], names[i]) >= 0) {
            fprintf(stderr, "predefined.def: %s must stand before %s\n", names[i], names[i - 1]);
            check_failures++;
        }
}

static void test_target(void)
{
    struct kc_target target = {0};
    CHECK_TEXT(expand("__IMAGE_SUPPORT__ FP_FAST_FMAF cl_khr_fp64 DBL_MAX", 120, &target),
               "__IMAGE_SUPPORT__ FP_FAST_FMAF cl_khr_fp64 DBL_MAX\n");
    CHECK_TEXT(expand("cl_khr_fp64", 120, NULL), "cl_khr_fp64\n");
    target.images = target.fused_fma[1] = true;
    kc_extensions_add(&target.extensions, KC_EXT_FP64);
    kc_extensions_add(&target.extensions, KC_EXT_FEATURE_FP64);
    kc_extensions_add(&target.extensions, KC_EXT_ICD);
    CHECK_TEXT(expand("__IMAGE_SUPPORT__ FP_FAST_FMAF cl_khr_fp64 DBL_DIG", 120, &target),
               "1 1 1 15\n");
    CHECK_TEXT(expand("__opencl_c_fp64", 120, &target), "__opencl_c_fp64\n");
    CHECK_TEXT(expand("__opencl_c_fp64 __opencl_c_int64", 300, &target), "1 __opencl_c_int64\n");
    CHECK_TEXT(expand("cl_khr_icd", 300, &target), "cl_khr_icd\n");
    CHECK_TEXT(expand("__OPENCL_C_VERSION__", 110, &target), "110\n");
    CHECK_TEXT(expand("__OPENCL_VERSION__", 310, NULL), "300\n");
    CHECK_TEXT(expand("__OPENCL_VERSION__", 300, &target), "300\n");
    target.c_3_1 = true; // depends on the device only, not on -cl-std
    CHECK_TEXT(expand("__OPENCL_VERSION__", 100, &target), "310\n");
    CHECK_TEXT(expand("__EMBEDDED_PROFILE__", 120, &target), "__EMBEDDED_PROFILE__\n");
    target.embedded = true;
    CHECK_TEXT(expand("__EMBEDDED_PROFILE__", 120, &target), "1\n");
}

int main(void)
{
    arena_init(&arena, 0, NULL);
    test_sorted();
    test_target();
    arena_finish(&arena);
    return check_result();
}
