// SPDX-License-Identifier: Apache-2.0
// Build options (OpenCL 5.8.4): values in the same or the next word, quotes, versions,
// implications, refused options.
#include "text/options.h"
#include "check.h"

static struct arena arena;
static struct kc_options options;
static char why[120];

static bool parse(const char *text)
{
    return options_parse(&arena, text, false, &options, why, sizeof why) == KC_OK;
}

static void test_defines(void)
{
    CHECK(parse(
        "-D A -DB=2 -D C=\"a b\" -D 'D=x y' -U A -DE=\\\"s\\\" -I dir -I\"with space\" -DF(x)=x"));
    CHECK(options.define_count == 9);
    static const struct text_define want[] = {
        {TEXT_DEFINE, "A"},        {TEXT_DEFINE, "B=2"},
        {TEXT_DEFINE, "C=a b"},    {TEXT_DEFINE, "D=x y"},
        {TEXT_UNDEF, "A"},         {TEXT_DEFINE, "E=\"s\""},
        {TEXT_INCLUDE_DIR, "dir"}, {TEXT_INCLUDE_DIR, "with space"},
        {TEXT_DEFINE, "F(x)=x"},
    };
    for (size_t i = 0; i < options.define_count && i < 9; i++) {
        CHECK(options.defines[i].kind == want[i].kind);
        CHECK_TEXT(options.defines[i].text, want[i].text);
    }
    CHECK(parse("-I C:\\dir\\sub"));
    CHECK_TEXT(options.defines[0].text, "C:\\dir\\sub");
}

static void test_flags(void)
{
    CHECK(parse(NULL) && options.version == 120 && !options.define_count);
    CHECK(parse(" \t\n") && !options.warnings_off);
    CHECK(parse("-w -Werror -g -cl-std=CL2.0 -cl-kernel-arg-info"));
    CHECK(options.warnings_off && options.warnings_are_errors && options.debug &&
          options.kernel_arg_info);
    CHECK(options.version == 200);
    CHECK(parse("-cl-std=CL1.1 -cl-std=CL3.0") && options.version == 300);
    CHECK(parse("-cl-fast-relaxed-math") && options.finite_math_only && options.no_signed_zeros &&
          options.mad_enable);
    CHECK(parse("-cl-unsafe-math-optimizations") && !options.finite_math_only &&
          options.mad_enable);
    CHECK(parse("-cl-mad-enable") && !options.unsafe_math_optimizations &&
          !options.fast_relaxed_math);
}

// Options of other vendors' compilers that have no effect here are listed; others of the same form
// are refused.
static void test_ignored(void)
{
    CHECK(parse("-O3 -DA -cl-nv-maxrregcount 32 -cl-nv-opt-level=2 -cl-nv-verbose -fno-math-errno"));
    static const char *const want[] = {"-O3", "-cl-nv-maxrregcount", "-cl-nv-opt-level=2", "-cl-nv-verbose",
                                       "-fno-math-errno"};
    CHECK(options.define_count == 1 && options.ignored_count == 5);
    for (size_t i = 0; i < options.ignored_count && i < 5; i++)
        CHECK_TEXT(options.ignored[i], want[i]);
    CHECK(parse("-O0 -O1 -O2 -O -Os -Wall -Wno-unused -cl-intel-256-GRF-per-thread") && options.ignored_count == 8);
    CHECK(parse("-Werror -w") && !options.ignored_count);
    CHECK(parse("-cl-nv-opt-level -D A") && options.define_count == 1);
    CHECK(!parse("-cl-nv-opt-level A") && strstr(why, "A:"));
    CHECK(!parse("-O4x") && !parse("-fno-") && !parse("-cl-nv-") && !parse("-cl-amd-none") && !parse("-ffast-math"));
    CHECK(!parse("-cl-nv-verbose 3") && !parse("-W") && !parse("-cl-nvx"));
    CHECK(options_parse(&arena, "-cl-nv-verbose -O2", true, &options, why, sizeof why) == KC_OK);
}

static void test_refusals(void)
{
    CHECK(!parse("-cl-nonsense") && strstr(why, "-cl-nonsense"));
    CHECK(!parse("-w extra") && strstr(why, "extra"));
    CHECK(!parse("-cl-std=CL9.9") && strstr(why, "CL9.9"));
    CHECK(!parse("-cl-std="));
    CHECK(!parse("-x spir") && strstr(why, "spir"));
    CHECK(!parse("-D") && strstr(why, "-D"));
    CHECK(parse("-DA,_256_B_ -D B-C -DC.D=2 -U A,B -D\xc3\xa9=1") && options.define_count == 5);
    CHECK(!parse("-D 1x=2") && !parse("-D ,A") && !parse("-U -A") && !parse("-D (A)=2") && !parse("-D=") && !parse("-U 3") && !parse("-I"));
    CHECK(!parse("-wx") && !parse("-cl-mad-enabled"));
    char tiny[4] = "zzz";
    CHECK(options_parse(&arena, "-bad", false, &options, tiny, sizeof tiny) == KC_INVALID_OPTIONS);
    CHECK(strlen(tiny) == 3);
    CHECK(options_parse(&arena, "-bad", false, &options, NULL, 0) == KC_INVALID_OPTIONS);
}

static void test_check(void)
{
    CHECK(kc_check_options("-cl-mad-enable -D x", false, why, sizeof why) == KC_OK && !*why);
    CHECK(kc_check_options(NULL, true, why, sizeof why) == KC_OK);
    CHECK(kc_check_options("-create-library -cl-denorms-are-zero", true, why, sizeof why) == KC_OK);
    CHECK(kc_check_options("-enable-link-options -create-library", true, why, sizeof why) == KC_OK);
    CHECK(kc_check_options("-enable-link-options", true, why, sizeof why) == KC_INVALID_OPTIONS);
    CHECK(kc_check_options("-create-library", false, why, sizeof why) == KC_INVALID_OPTIONS);
    CHECK(kc_check_options("-D x", true, why, sizeof why) == KC_INVALID_OPTIONS &&
          strstr(why, "-D"));
    CHECK(kc_check_options("-cl-kernel-arg-info", true, why, sizeof why) == KC_INVALID_OPTIONS);
    CHECK(kc_check_options("-cl-std=CL1.2", true, why, sizeof why) == KC_INVALID_OPTIONS);
}

int main(void)
{
    arena_init(&arena, 0, NULL);
    test_defines();
    test_flags();
    test_ignored();
    test_refusals();
    test_check();
    arena_finish(&arena);
    return check_result();
}
