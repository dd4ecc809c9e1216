// SPDX-License-Identifier: Apache-2.0
// ir_main [--pass NAME]... [--all] [--stop-after NAME] [--no-opt] [--time] FILE.ir: reads IR text, verifies it, runs
// passes (verifying after each) and prints the module. On errors, exit status 1 and a line on standard error.
#define _GNU_SOURCE
#include "passes/passes.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct job {
    const char *passes[32], *stop_after, *file;
    unsigned pass_count;
    bool all, no_opt, time, no_verify;
    size_t length; // of the file
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    if (!f)
        return NULL;
    do {
        room = room ? room * 2 : 65536;
        text = realloc(text, room);
        *length += fread(text + *length, 1, room - *length, f);
    } while (*length == room);
    fclose(f);
    return text;
}

// Words that set the target's field of the same name.
static const struct flag {
    const char *word;
    size_t at;
} flags[] = {
#define FLAG(field) {#field, offsetof(struct kc_target, field)},
    FLAG(int64_division_in_32) FLAG(int64_mul_extended) FLAG(image_bgra_by_rgba) FLAG(image_unorm16_by_uint) FLAG(image_borders)
    FLAG(hidden_ranges) FLAG(close_natives) FLAG(fused_differences) FLAG(hidden_choices) FLAG(hidden_zeros) FLAG(zero_private)
    FLAG(second_exits) FLAG(exits_by_phis) FLAG(unsigned_by_halves) FLAG(longs_by_doubles) FLAG(own_doubles)
    FLAG(flushed_order) FLAG(loads_by_items) FLAG(computed_indices) FLAG(small_by_floats) FLAG(keeps_loops) FLAG(unrolls_loops) FLAG(one_continue) FLAG(plain_quotients)
    FLAG(ids_by_lanes) FLAG(guards) FLAG(access_by_elements) FLAG(limited_double_rounding) FLAG(local_by_items)
    FLAG(quick_dot4) FLAG(packs_accesses) FLAG(packs_places) FLAG(small_buffers) FLAG(interleaves_scratch) FLAG(flat_ifs) FLAG(flat_jumps) FLAG(any_alignment) FLAG(no_cost_limit) FLAG(constant_tables)
    FLAG(small_ints_in_32) FLAG(rotations_by_difference) FLAG(rotations_by_words) FLAG(products_for_quotients) FLAG(hides_uniform_stores) FLAG(unpacks_by_shifts) FLAG(multiples_by_sums) FLAG(ended_stop_group) FLAG(positive_offsets)
#undef FLAG
};

// Words for fields of type uint32_t, which are 0 without the word.
static const struct {
    const char *word;
    size_t at;
    uint32_t value;
} numbers[] = {
#define NUMBER(word, field, value) {word, offsetof(struct kc_target, field), value},
    NUMBER("unroll_room", unroll_room, 64)
    NUMBER("updated_arrays", max_updated_array, 32768)
    NUMBER("arrays_in_local", max_array_in_local, 192)
    NUMBER("large_arrays_in_local", max_array_in_local, 1024)
    NUMBER("read_arrays", least_read_array, 64)
    NUMBER("selected_arrays", selected_array, 256)
    NUMBER("few_registers", register_bytes, 16)
    NUMBER("array_registers", most_register_bytes, 600)
    NUMBER("max_storage_buffers", max_storage_buffers, 2)
    NUMBER("max_nesting", max_nesting, 6)
    NUMBER("max_flat_registers", max_flat_registers, 8)
    NUMBER("max_waiting_nesting", max_waiting_nesting, 3)
#undef NUMBER
};

// A target with all features; tests state differences in their first line: "; target: no_int64 ...".
static struct kc_target target_of(const char *text)
{
    struct kc_target t = {.spirv_version = 0x00010500, .local_size_id = true,
                          .int8 = true,
                          .int16 = true,
                          .int64 = true,
                          .float16 = true,
                          .float64 = true,
                          .storage8 = true,
                          .storage16 = true,
                          .physical_addressing = true,
                          .workgroup_explicit_layout = true,
                          .workgroup_storage8 = true,
                          .workgroup_storage16 = true,
                          .vulkan_memory_model = true,
                          .vulkan_memory_model_device_scope = true,
                          .int64_atomics = true,
                          .int64_shared_atomics = true,
                          .image_read_without_format = true,
                          .image_write_without_format = true,
                          .max_push_bytes = 128,
                          .max_local_size = {1024, 1024, 64},
                          .max_local_invocations = 1024,
                          .max_local_memory = 49152,
                          .max_function_array = 16384,
                          .subgroup_size = 32};
    const char *line = strncmp(text, "; target:", 9) ? "" : text + 9;
    size_t length = strcspn(line, "\n");
#define WITHOUT(field)                                                                             \
    if (memmem(line, length, "no_" #field, sizeof "no_" #field - 1))                               \
        t.field = false;
    WITHOUT(int8)
    WITHOUT(int16) WITHOUT(int64) WITHOUT(float16) WITHOUT(float64) WITHOUT(storage8)
        WITHOUT(storage16) WITHOUT(workgroup_explicit_layout) WITHOUT(vulkan_memory_model)
            WITHOUT(physical_addressing) WITHOUT(image_read_without_format) WITHOUT(image_write_without_format)
#undef WITHOUT
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *(bool *)((char *)&t + flags[i].at) = memmem(line, length, flags[i].word, strlen(flags[i].word));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (memmem(line, length, numbers[i].word, strlen(numbers[i].word)))
            *(uint32_t *)(void *)((char *)&t + numbers[i].at) = numbers[i].value;
    t.fused_fma[1] = memmem(line, length, "fused_fma", 9);
    t.fused_fma[2] = t.own_doubles; // which need it
    t.native_min_max[1] = memmem(line, length, "native_min_max", 14);
    t.denorm_preserve[1] = memmem(line, length, "denorm_preserve", 15);
    t.plain_arguments = memmem(line, length, "bindings", 8)  ? KC_PLAIN_BINDINGS
                        : memmem(line, length, "offsets", 7) ? KC_PLAIN_OFFSETS
                        : memmem(line, length, "aligned", 7) ? KC_PLAIN_ALIGNED
                                                             : KC_PLAIN_ADDRESSES;
    t.address_bits = memmem(line, length, "address_32", 10) ? 32 : 64;
    t.cost.instruction_ns = memmem(line, length, "costly", 6) ? UINT64_C(30000000000) : 0; // 20 of them: ten minutes
    t.cost.local_ns = memmem(line, length, "slow_locals", 11) ? 1 : 0;
    t.cost.block_pair_ns = memmem(line, length, "costly_blocks", 13) ? UINT64_C(20000000000) : 0; // more than 5 of them
    t.cost.buffer_pair_ns = memmem(line, length, "costly_buffers", 14) ? 100000000 : 0; // two of them
    t.cost.loop_buffer_ns = memmem(line, length, "costly_in_loops", 15) ? UINT64_C(100000000000) : 0; // in a loop of six blocks
    t.cost.pair_ns = memmem(line, length, "costly_pairs", 12) ? UINT64_C(48000000000000) : 0; // 50 of them in a block
    t.cost.most_accesses = memmem(line, length, "few_accesses", 12) ? 3 : 0;
    t.cost.most_registers = memmem(line, length, "few_registers", 13) ? 14 : 0;
    t.max_inlined = memmem(line, length, "max_inlined_1024", 16) ? 1024 : memmem(line, length, "max_inlined", 11) ? 20 : 0;
    t.subgroups = t.subgroup_arithmetic = memmem(line, length, "subgroups", 9);
    t.keeps_calls = memmem(line, length, "keeps_calls", 11);
    if (memmem(line, length, "matrix_units", 12)) {
        static const struct kc_matrix_shape shapes[] = {
            {16, 16, 16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
            {16, 16, 16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F16, false},
            {16, 8, 8, KC_COMPONENT_F16, KC_COMPONENT_F16, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
            {16, 16, 16, KC_COMPONENT_BF16, KC_COMPONENT_BF16, KC_COMPONENT_F32, KC_COMPONENT_F32, false},
            {16, 16, 16, KC_COMPONENT_BF16, KC_COMPONENT_BF16, KC_COMPONENT_BF16, KC_COMPONENT_BF16, false},
            {16, 8, 32, KC_COMPONENT_S8, KC_COMPONENT_S8, KC_COMPONENT_S32, KC_COMPONENT_S32, false},
        };
        t.matrix_shape_count = sizeof shapes / sizeof *shapes;
        memcpy(t.matrix_shapes, shapes, sizeof shapes);
    }
    return t;
}

static int wrong(const char *stage, const char *message)
{
    fprintf(stderr, "%s: %s\n", stage, message);
    return 1;
}

static int run(const struct job *job, const char *text, struct arena *arena)
{
    struct kc_target target = target_of(text);
    struct intern intern;
    intern_init(&intern, arena);
    struct ir_module *m = ir_module_create(arena, &intern, &target);
    double begin = now_us();
    const char *error = ir_parse(m, text, job->length);
    double parsed = now_us();
    if (error)
        return wrong("parse", error);
    error = ir_verify(m);
    if (error)
        return wrong("verify", error);
    for (unsigned i = 0; i < job->pass_count; i++) {
        double start = now_us();
        if (!pipeline_run_one(m, &target, job->passes[i]))
            return wrong(job->passes[i], "no such pass");
        if (job->time)
            fprintf(stderr, "%-20s %8.1f us\n", job->passes[i], now_us() - start);
        error = m->error ? m->error : ir_verify(m);
        if (error)
            return wrong(job->passes[i], error);
    }
    struct pipeline_options options = {
        .optimize = !job->no_opt, .verify = !job->no_verify, .stop_after = job->stop_after};
    double start = now_us();
    error = job->all ? pipeline_run(m, &target, &options) : NULL;
    if (error)
        return wrong("pipeline", error);
    if (job->time) {
        fprintf(stderr, "parse %.1f us, pipeline %.1f us\n", parsed - begin, now_us() - start);
        return 0;
    }
    struct str out;
    str_init(&out, arena);
    str_add(&out, "");
    ir_print_module(&out, m);
    fputs(out.text, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--pass") && i + 1 < argc && job.pass_count < 32)
            job.passes[job.pass_count++] = argv[++i];
        else if (!strcmp(argv[i], "--stop-after") && i + 1 < argc)
            job.stop_after = argv[++i], job.all = true;
        else if (!strcmp(argv[i], "--all"))
            job.all = true;
        else if (!strcmp(argv[i], "--no-opt"))
            job.no_opt = true;
        else if (!strcmp(argv[i], "--no-verify"))
            job.no_verify = true;
        else if (!strcmp(argv[i], "--time"))
            job.time = true;
        else
            job.file = argv[i];
    }
    char *volatile text =
        job.file ? read_file(job.file, &job.length) : NULL; // volatile: used after a longjmp
    if (!text)
        return wrong("ir_main", "no file to read");
    text = realloc(text, job.length + 1);
    text[job.length] = 0;
    struct arena arena;
    jmp_buf full;
    int status = 1;
    arena_init(&arena, (size_t)1 << 30, &full);
    if (!setjmp(full))
        status = run(&job, text, &arena);
    else
        wrong("ir_main", "out of memory");
    arena_finish(&arena);
    free(text);
    return status;
}
