// SPDX-License-Identifier: Apache-2.0
// Rewrites a kernel's module so that its storage images have formats, for devices that require them: the formats of
// images are known only at launch, and nothing else in the code depends on them.
//
// A variable whose format is set gets new image and pointer types in front of it (shared if equal: SPIR-V 2.8
// requires unique types), and its loads get the new type. No other operation in our modules refers to these types.
// The capabilities for images without format are dropped with the last image that needs them.
#include "pumice/kc.h"
#include "pumice/spirv.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5, BOUND_WORD = 3, IMAGE_WORDS = 9, POINTER_WORDS = 4, FORMAT_WORD = 8 };

struct named {
    uint32_t variable, format; // 0: not found yet; 0: no format
    uint32_t image, pointer;   // its new types
    uint32_t of;               // its original image type
};

struct namer {
    const struct kc_kernel *kernel;
    struct named *named; // by binding
    uint32_t bound;
    bool reads_unnamed, writes_unnamed, extended;
    uint32_t *out;
    size_t count;
};

static bool is_storage(const struct kc_binding *binding)
{
    return binding->kind == KC_BINDING_STORAGE || binding->kind == KC_BINDING_STORAGE_TEXELS;
}

// Formats beyond those that every device with storage images supports.
static bool is_extended(uint32_t format)
{
    static const uint8_t plain[] = {
        SpvImageFormatRgba32f,  SpvImageFormatRgba16f,  SpvImageFormatR32f,   SpvImageFormatRgba8, SpvImageFormatRgba8Snorm,
        SpvImageFormatRgba32i,  SpvImageFormatRgba16i,  SpvImageFormatRgba8i, SpvImageFormatR32i,  SpvImageFormatRgba32ui,
        SpvImageFormatRgba16ui, SpvImageFormatRgba8ui,  SpvImageFormatR32ui,
    };
    return format && !memchr(plain, (int)format, sizeof plain);
}

static void set_formats(struct namer *n, const uint32_t *values)
{
    const struct kc_kernel *kernel = n->kernel;
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        if (kernel->specs[i].kind == KC_SPEC_IMAGE_FORMAT)
            n->named[kernel->specs[i].arg].format = values[i];
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        if (!is_storage(&kernel->bindings[i]))
            continue;
        bool unnamed = !n->named[i].format;
        n->extended |= is_extended(n->named[i].format);
        n->writes_unnamed |= unnamed;
        n->reads_unnamed |= unnamed && kernel->args[kernel->bindings[i].arg].access == KC_ACCESS_READ_WRITE;
    }
}

// Whether a complete instruction is at `at`.
static bool is_complete(const struct kc_kernel *kernel, size_t at)
{
    size_t length = kernel->spirv[at] >> SpvWordCountShift;
    return length && length <= kernel->spirv_words - at;
}

static void put(struct namer *n, const uint32_t *words, size_t count)
{
    memcpy(n->out + n->count, words, count * sizeof *words);
    n->count += count;
}

// The instruction of that length that defines the type `id`.
static const uint32_t *find_type(const struct kc_kernel *kernel, SpvOp op, uint32_t length, uint32_t id)
{
    for (size_t at = HEADER_WORDS; at < kernel->spirv_words && is_complete(kernel, at); at += kernel->spirv[at] >> SpvWordCountShift)
        if (kernel->spirv[at] == (length << SpvWordCountShift | (uint32_t)op) && kernel->spirv[at + 1] == id)
            return kernel->spirv + at;
    return NULL;
}

static struct named *named_variable(struct namer *n, uint32_t id)
{
    for (uint32_t i = 0; i < n->kernel->binding_count; i++)
        if (n->named[i].format && n->named[i].variable == id)
            return &n->named[i];
    return NULL;
}

static bool make_types(struct namer *n, struct named *named, uint32_t pointer)
{
    const uint32_t *old_pointer = find_type(n->kernel, SpvOpTypePointer, POINTER_WORDS, pointer);
    const uint32_t *old = old_pointer ? find_type(n->kernel, SpvOpTypeImage, IMAGE_WORDS, old_pointer[3]) : NULL;
    uint32_t image[IMAGE_WORDS];
    if (!old || named->image) // a variable occurs once
        return false;
    named->of = old[1];
    for (uint32_t i = 0; i < n->kernel->binding_count; i++)
        if (n->named[i].image && n->named[i].of == named->of && n->named[i].format == named->format) {
            named->image = n->named[i].image;
            named->pointer = n->named[i].pointer;
            return true;
        }
    memcpy(image, old, sizeof image);
    image[1] = named->image = n->bound++;
    image[FORMAT_WORD] = named->format;
    named->pointer = n->bound++;
    const uint32_t to[POINTER_WORDS] = {*old_pointer, named->pointer, old_pointer[2], named->image};
    put(n, image, IMAGE_WORDS);
    put(n, to, POINTER_WORDS);
    return true;
}

static bool is_dropped(const struct namer *n, const uint32_t *words)
{
    return words[0] == (2u << SpvWordCountShift | SpvOpCapability) &&
           ((words[1] == SpvCapabilityStorageImageReadWithoutFormat && !n->reads_unnamed) ||
            (words[1] == SpvCapabilityStorageImageWriteWithoutFormat && !n->writes_unnamed) ||
            words[1] == SpvCapabilityStorageImageExtendedFormats);
}

static bool rewrite(struct namer *n, const uint32_t *words, size_t length)
{
    SpvOp op = (SpvOp)(words[0] & SpvOpCodeMask);
    if (is_dropped(n, words))
        return true;
    if (op == SpvOpDecorate && length == 4 && words[2] == SpvDecorationBinding && words[3] < n->kernel->binding_count)
        n->named[words[3]].variable = words[1];
    struct named *named = op == SpvOpVariable && length >= 4 ? named_variable(n, words[2])
                          : op == SpvOpLoad && length >= 4   ? named_variable(n, words[3])
                                                             : NULL;
    if (named && op == SpvOpVariable && !make_types(n, named, words[1]))
        return false;
    put(n, words, length);
    if (named)
        n->out[n->count - length + 1] = op == SpvOpLoad ? named->image : named->pointer;
    return true;
}

static bool rewrite_all(struct namer *n)
{
    static const uint32_t extended[] = {2u << SpvWordCountShift | SpvOpCapability,
                                        SpvCapabilityStorageImageExtendedFormats};
    const struct kc_kernel *kernel = n->kernel;
    put(n, kernel->spirv, HEADER_WORDS);
    if (n->extended)
        put(n, extended, 2);
    for (size_t at = HEADER_WORDS, length; at < kernel->spirv_words; at += length) {
        length = kernel->spirv[at] >> SpvWordCountShift;
        if (!is_complete(kernel, at) || !rewrite(n, kernel->spirv + at, length))
            return false;
    }
    n->out[BOUND_WORD] = n->bound;
    return true;
}

uint32_t *kc_name_formats(const struct kc_kernel *kernel, const uint32_t *values, size_t *words)
{
    struct namer n = {.kernel = kernel};
    size_t room = kernel->spirv_words + 2 + (size_t)kernel->binding_count * (IMAGE_WORDS + POINTER_WORDS);
    if (kernel->spirv_words < HEADER_WORDS)
        return NULL;
    n.bound = kernel->spirv[BOUND_WORD];
    n.named = calloc(kernel->binding_count + 1, sizeof *n.named);
    n.out = malloc(room * sizeof *n.out);
    if (n.named && n.out) {
        set_formats(&n, values);
        if (!rewrite_all(&n)) {
            free(n.out);
            n.out = NULL;
        }
    } else {
        free(n.out);
        n.out = NULL;
    }
    free(n.named);
    *words = n.count;
    return n.out;
}
