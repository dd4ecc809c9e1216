// SPDX-License-Identifier: Apache-2.0
// Fuzzes the IR parser and the linker: any bytes, parsed as text, must be printed and parsed again
// without a change; and as an object with a correct checksum they must link or be refused.
#include "broken.h"
#include "ir/ir.h"
#include "link/object.h"
#include "cc/presets.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 512 << 20, HEADER = 40 };

const char *const fuzz_words[] = {
    "i32",
    "f32",
    "i64",
    "<4 x i32>",
    "ptr.global",
    "ptr.private",
    "ptr.local",
    "ptr.generic",
    "%0",
    "%1",
    "%2",
    "@f",
    "$x",
    "-> void",
    "-> i32",
    "{",
    "}",
    "b1:",
    "break",
    "continue",
    "return",
    "if %1 {",
    "} else {",
    "loop {",
    "switch %1 {",
    "case 1: {",
    "case default: {",
    "phi i32 b1: %1",
    "func",
    "kernel",
    "noinline",
    "var",
    "constant",
    "global",
    "local",
    "size",
    "align",
    "count",
    "elem",
    "init \"00\"",
    "reloc 0 @t 0",
    "arg",
    "kind",
    "value",
    "load",
    "store",
    "copy",
    "zero",
    "volatile",
    "atomic",
    "add",
    "ptr_index",
    "stride",
    "offset",
    "call",
    "sys",
    "global_id",
    "extract",
    "insert",
    "shuffle",
    "lane",
    "undef",
    "select",
    "bitcast",
    "barrier",
    "printf",
    "image_read",
    "subgroup",
    "0",
    "1",
    "-1",
    "4294967295",
    "18446744073709551615",
    "0x1p+0",
    NULL,
};

static void put_u64(char *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (char)(value >> (8 * i));
}

// In the layout of object_write(); the header is that of an empty module's object.
static struct kc_bytes object_of(struct ir_module *empty, const uint8_t *data, size_t size)
{
    struct str object = object_write(empty, (unsigned)(size / 8 % 4));
    char *bytes = arena_alloc(empty->arena, HEADER + size);
    memcpy(bytes, object.text, HEADER);
    if (size)
        memcpy(bytes + HEADER, data, size);
    put_u64(bytes + 16, size);
    put_u64(bytes + 8, hash_bytes64(bytes + 16, HEADER - 16 + size));
    return (struct kc_bytes){bytes, HEADER + size};
}

static struct str print(const struct ir_module *m)
{
    struct str out;
    str_init(&out, m->arena);
    str_add(&out, "");
    ir_print_module(&out, m);
    return out;
}

static void round_trip(struct arena *arena, const struct kc_target *target, const char *text,
                       size_t size)
{
    struct intern intern;
    intern_init(&intern, arena);
    struct ir_module *m = ir_module_create(arena, &intern, target);
    if (ir_parse(m, text, size) || ir_verify(m))
        return;
    struct str first = print(m);
    m = ir_module_create(arena, &intern, target);
    if (ir_parse(m, first.text, first.length) || ir_verify(m))
        abort();
    struct str second = print(m);
    if (strcmp(first.text, second.text))
        abort();
}

static void link_object(struct arena *arena, const struct kc_target *target, const uint8_t *data,
                        size_t size)
{
    struct intern intern;
    intern_init(&intern, arena);
    struct kc_bytes object = object_of(ir_module_create(arena, &intern, target), data, size);
    struct kc_link_input input = {.objects = &object, .count = 1};
    struct kc_program *program = kc_link(&input, target);
    if (program && program->status == KC_OK && !kc_check_object(object.bytes, object.size, target))
        abort();
    if (program && program->status != KC_OK && (!program->log || !*program->log))
        abort();
    if (program && program->status != KC_OK)
        stop_if_broken(program->log);
    kc_program_destroy(program);
    kc_object_destroy(kc_link_library(&input, target));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const devices[] = {"full", "lavapipe", "h200", "lavapipe32", "minimal"};
    struct kc_target target;
    jmp_buf stop;
    struct arena arena;
    if (!preset_find(devices[size % (sizeof devices / sizeof *devices)], &target))
        abort();
    char *text = malloc(size + 1); // not terminated: the parser must not depend on it
    memcpy(text, data, size);
    arena_init(&arena, MEMORY, &stop);
    if (!setjmp(stop)) {
        round_trip(&arena, &target, text, size);
        link_object(&arena, &target, data, size);
    }
    arena_finish(&arena);
    free(text);
    return 0;
}
