// SPDX-License-Identifier: Apache-2.0
// Parses a description into struct description. See describe.h.
#include "describe.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct description read_one;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void complain(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "devices: %s: %s\n", read_one.name ? read_one.name : "?", text);
    fflush(NULL);
    abort();
}

bool names_have(const struct names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (!strcmp(names->items[i], name))
            return true;
    return names->all;
}

bool words_have(const char *words, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

// ---- features -----------------------------------------------------------------------------------

static const struct feature_row feature_rows[] = {
#define FEATURES(...) {__VA_ARGS__},
#include "features.def"
};

static char feature_names[FEATURES_MAX][64];
static uint32_t feature_count;

const char *next_member(const char **members, char name[64])
{
    const char *from = *members + strspn(*members, " ");
    size_t length = strcspn(from, " ");
    if (!length)
        return NULL;
    memcpy(name, from, length);
    name[length] = '\0';
    *members = from + length;
    return name;
}

uint32_t feature_number(const char *name)
{
    for (uint32_t i = 0; i < feature_count; i++)
        if (!strcmp(feature_names[i], name))
            return i;
    return FEATURES_MAX;
}

const char *feature_name(uint32_t number)
{
    return feature_names[number];
}

static void number_features(void)
{
    char name[64];
    for (size_t i = 0; i < sizeof feature_rows / sizeof *feature_rows; i++)
        for (const char *at = feature_rows[i].members; next_member(&at, name);)
            if (feature_number(name) == FEATURES_MAX && feature_count < FEATURES_MAX)
                strcpy(feature_names[feature_count++], name);
}

const struct feature_row *feature_struct(VkStructureType type)
{
    for (size_t i = 0; i < sizeof feature_rows / sizeof *feature_rows; i++)
        if (feature_rows[i].type == type)
            return &feature_rows[i];
    return NULL;
}

bool feature_described(const char *name)
{
    return names_have(&read_one.features, name) && !names_have(&read_one.without, name);
}

// ---- formats ------------------------------------------------------------------------------------

enum {
    SAMPLED = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
              VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT,
    LINEAR = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT,
    STORAGE = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT,
    ATOMIC = VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT,
    TEXELS = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT,
    STORED = VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT,
};

static const struct {
    const char *name;
    VkFormat format;
    VkFormatFeatureFlags image, buffer; // required of every driver
} format_names[] = {
#define ROW(name, image, buffer) {#name, VK_FORMAT_##name, image, buffer},
    ROW(R8_UNORM, SAMPLED | LINEAR, TEXELS)
    ROW(R8_SNORM, SAMPLED | LINEAR, TEXELS)
    ROW(R8_UINT, SAMPLED, TEXELS)
    ROW(R8_SINT, SAMPLED, TEXELS)
    ROW(R8G8_UNORM, SAMPLED | LINEAR, TEXELS)
    ROW(R8G8_SNORM, SAMPLED | LINEAR, TEXELS)
    ROW(R8G8_UINT, SAMPLED, TEXELS)
    ROW(R8G8_SINT, SAMPLED, TEXELS)
    ROW(R8G8B8A8_UNORM, SAMPLED | LINEAR | STORAGE, TEXELS | STORED)
    ROW(R8G8B8A8_SNORM, SAMPLED | LINEAR | STORAGE, TEXELS | STORED)
    ROW(R8G8B8A8_UINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R8G8B8A8_SINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R8G8B8A8_SRGB, SAMPLED | LINEAR, 0)
    ROW(B8G8R8A8_UNORM, SAMPLED | LINEAR, 0)
    ROW(B8G8R8A8_SRGB, SAMPLED | LINEAR, 0)
    ROW(A2B10G10R10_UNORM_PACK32, SAMPLED | LINEAR, TEXELS)
    ROW(A2B10G10R10_UINT_PACK32, SAMPLED, TEXELS)
    ROW(A2R10G10B10_UNORM_PACK32, 0, 0)
    ROW(R5G6B5_UNORM_PACK16, SAMPLED | LINEAR, 0)
    ROW(A1R5G5B5_UNORM_PACK16, SAMPLED | LINEAR, 0)
    ROW(B10G11R11_UFLOAT_PACK32, SAMPLED | LINEAR, TEXELS)
    ROW(R16_UNORM, 0, 0)
    ROW(R16_SNORM, 0, 0)
    ROW(R16_UINT, SAMPLED, TEXELS)
    ROW(R16_SINT, SAMPLED, TEXELS)
    ROW(R16_SFLOAT, SAMPLED | LINEAR, TEXELS)
    ROW(R16G16_UNORM, 0, 0)
    ROW(R16G16_SNORM, 0, 0)
    ROW(R16G16_UINT, SAMPLED, TEXELS)
    ROW(R16G16_SINT, SAMPLED, TEXELS)
    ROW(R16G16_SFLOAT, SAMPLED | LINEAR, TEXELS)
    ROW(R16G16B16A16_UNORM, 0, 0)
    ROW(R16G16B16A16_SNORM, 0, 0)
    ROW(R16G16B16A16_UINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R16G16B16A16_SINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R16G16B16A16_SFLOAT, SAMPLED | LINEAR | STORAGE, TEXELS | STORED)
    ROW(R32_UINT, SAMPLED | STORAGE | ATOMIC, TEXELS | STORED)
    ROW(R32_SINT, SAMPLED | STORAGE | ATOMIC, TEXELS | STORED)
    ROW(R32_SFLOAT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32_UINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32_SINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32_SFLOAT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32B32A32_UINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32B32A32_SINT, SAMPLED | STORAGE, TEXELS | STORED)
    ROW(R32G32B32A32_SFLOAT, SAMPLED | STORAGE, TEXELS | STORED)
#undef ROW
};

static struct format_row *format_make(struct description *d, VkFormat format)
{
    for (uint32_t i = 0; i < d->format_count; i++)
        if (d->formats[i].format == format)
            return &d->formats[i];
    if (d->format_count == FORMATS_MAX)
        complain("too many formats");
    d->formats[d->format_count].format = format;
    return &d->formats[d->format_count++];
}

static void read_formats(struct description *d, char **words, int count)
{
    d->formats_all = count == 2 && !strcmp(words[1], "all");
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++) {
        struct format_row *row = format_make(d, format_names[i].format);
        row->image |= format_names[i].image;
        row->buffer |= format_names[i].buffer;
    }
}

static void read_format(struct description *d, char **words, int count)
{
    static const struct {
        const char *word;
        VkFormatFeatureFlags image, buffer;
    } abilities[] = {{"sampled", SAMPLED, 0}, {"linear", LINEAR, 0},      {"storage", STORAGE, 0},
                     {"texels", 0, TEXELS},   {"stored_texels", 0, STORED}};
    struct format_row *row = NULL;
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++)
        if (!strcmp(format_names[i].name, words[1]))
            row = format_make(d, format_names[i].format);
    if (!row)
        complain("format %s is none", words[1]);
    for (int w = 2; w < count; w++)
        for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
            if (!strcmp(abilities[i].word, words[w])) {
                row->image |= abilities[i].image;
                row->buffer |= abilities[i].buffer;
            }
}

const struct format_row *described_format(VkFormat format)
{
    const struct description *d = described();
    for (uint32_t i = 0; i < d->format_count; i++)
        if (d->formats[i].format == format)
            return &d->formats[i];
    return NULL;
}

// ---- lines --------------------------------------------------------------------------------------

static uint64_t number_of(const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 0);
    int shift = *end == 'k' ? 10 : *end == 'm' ? 20 : *end == 'g' ? 30 : 0;
    if (end == text || end[shift != 0])
        complain("%s is no number", text);
    return value << shift;
}

static void add_names(struct names *names, char **words, int count)
{
    for (int i = 1; i < count; i++) {
        if (names->count == NAMES_MAX)
            complain("too many names");
        if (!strcmp(words[i], "all"))
            names->all = true;
        else
            names->items[names->count++] = words[i];
    }
}

static void read_name(struct description *d, char **words, int count)
{
    static char name[128];
    for (int i = 1; i < count; i++)
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", i > 1 ? " " : "",
                 words[i]);
    d->name = name;
}

static void read_type(struct description *d, char **words, int count)
{
    static const char *const types[] = {"other", "integrated", "discrete", "virtual", "cpu"};
    (void)count;
    for (uint32_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i], words[1]))
            d->type = (VkPhysicalDeviceType)i;
}

static void read_vendor(struct description *d, char **words, int count)
{
    d->vendor = (uint32_t)number_of(words[1]);
    d->device = count > 2 ? (uint32_t)number_of(words[2]) : 0;
}

static void read_api(struct description *d, char **words, int count)
{
    unsigned major, minor, patch = 0;
    (void)count;
    if (sscanf(words[1], "%u.%u.%u", &major, &minor, &patch) < 2 || major != 1)
        complain("api %s", words[1]);
    d->api = VK_MAKE_API_VERSION(0, major, minor, patch);
    d->minor = minor;
}

static void read_extension(struct description *d, char **words, int count)
{
    add_names(&d->extensions, words, count);
}

static void read_reported(struct description *d, char **words, int count)
{
    add_names(&d->reported, words, count);
}

static void read_instance(struct description *d, char **words, int count)
{
    add_names(&d->instance, words, count);
}

static void check_features(char **words, int count)
{
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], "all") && feature_number(words[i]) == FEATURES_MAX)
            complain("feature %s is in no row of features.def", words[i]);
}

static void read_feature(struct description *d, char **words, int count)
{
    check_features(words, count);
    add_names(&d->features, words, count);
}

static void read_without(struct description *d, char **words, int count)
{
    check_features(words, count);
    add_names(&d->without, words, count);
}

static struct limit *add_limit(struct description *d, const char *name)
{
    static const char *const known[] = {
#define VALUE(stype, type, member, name, count, rule) name,
#include "values.def"
    };
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= !strcmp(known[i], name);
    if (!is_known || d->limit_count == LIMITS_MAX)
        complain("limit %s is in no row of values.def", name);
    d->limits[d->limit_count].name = name;
    return &d->limits[d->limit_count++];
}

static void read_limit(struct description *d, char **words, int count)
{
    struct limit *limit = add_limit(d, words[1]);
    for (int i = 2; i < count && i < 2 + VALUES_MAX; i++)
        limit->values[limit->count++] = number_of(words[i]);
}

static uint64_t bits_of(const char *const *bits, char **words, int count)
{
    uint64_t value = 0;
    for (int w = 0; w < count; w++) {
        int bit = 0;
        while (bits[bit] && strcmp(bits[bit], words[w]))
            bit++;
        if (!bits[bit])
            complain("'%s' is not known here", words[w]);
        value |= UINT64_C(1) << bit;
    }
    return value;
}

static void read_subgroup(struct description *d, char **words, int count)
{
    static const char *const operations[] = {"basic",    "vote",      "arithmetic", "ballot", "shuffle",
                                             "relative", "clustered", "quad",       NULL};
    struct limit *limit = add_limit(d, "subgroupSupportedOperations");
    limit->values[limit->count++] = bits_of(operations, words + 1, count - 1);
}

static void read_heap(struct description *d, char **words, int count)
{
    static const char *const flags[] = {"device", NULL};
    VkMemoryHeap *heap = &d->memory.memoryHeaps[d->memory.memoryHeapCount++];
    heap->size = number_of(words[1]) << 20;
    heap->flags = (VkMemoryHeapFlags)bits_of(flags, words + 2, count - 2);
}

static void read_memory(struct description *d, char **words, int count)
{
    static const char *const flags[] = {"device", "visible",   "coherent",     "cached",
                                        "lazy",   "protected", "amd_coherent", "amd_uncached",
                                        NULL};
    VkMemoryType *type = &d->memory.memoryTypes[d->memory.memoryTypeCount++];
    type->heapIndex = (uint32_t)number_of(words[1]);
    type->propertyFlags = (VkMemoryPropertyFlags)bits_of(flags, words + 2, count - 2);
    if (type->heapIndex >= d->memory.memoryHeapCount)
        complain("there is no heap %s yet", words[1]);
}

static void read_queue(struct description *d, char **words, int count)
{
    static const char *const flags[] = {"graphics", "compute", "transfer", "sparse", NULL};
    VkQueueFamilyProperties *family = &d->queues[d->queue_count++];
    family->queueCount = 1;
    family->minImageTransferGranularity = (VkExtent3D){1, 1, 1};
    for (int i = 1; i < count; i++)
        if (!strncmp(words[i], "stamps=", 7))
            family->timestampValidBits = (uint32_t)number_of(words[i] + 7);
        else if (!strncmp(words[i], "count=", 6))
            family->queueCount = (uint32_t)number_of(words[i] + 6);
        else
            family->queueFlags |= (VkQueueFlags)bits_of(flags, words + i, 1);
}

static void read_portability(struct description *d, char **words, int count)
{
    (void)words, (void)count;
    d->portability = true;
}

static const struct {
    const char *word;
    void (*read)(struct description *d, char **words, int count);
} lines[] = {
    {"name", read_name},           {"type", read_type},       {"vendor", read_vendor},
    {"api", read_api},             {"extension", read_extension}, {"instance", read_instance},
    {"feature", read_feature},     {"without", read_without}, {"limit", read_limit},
    {"subgroup", read_subgroup},   {"heap", read_heap},       {"memory", read_memory},
    {"queue", read_queue},         {"formats", read_formats}, {"format", read_format},
    {"portability", read_portability}, {"reported", read_reported},
};

static void read_line(struct description *d, char *line)
{
    char *words[128], *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(line, " \t", &rest); word && count < 128;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    if (!count)
        return;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strcmp(lines[i].word, words[0])) {
            lines[i].read(d, words, count);
            return;
        }
    complain("'%s' begins no line of a description", words[0]);
}

// Never freed: names point into it.
static char *read_text(void)
{
    const char *path = getenv("DEVICES_DESCRIPTION");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        complain("no description: DEVICES_DESCRIPTION=%s", path ? path : "");
    static char text[1 << 16];
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void read_description(void)
{
    struct description *d = &read_one;
    char *rest = NULL, *text = read_text();
    number_features();
    d->hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = text; *at; at++)
        d->hash = (d->hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, "#")] = '\0';
        read_line(d, line);
    }
    if (!d->name || !d->api || !d->memory.memoryTypeCount || !d->queue_count)
        complain("a description has a name, an api, memory and a queue");
}

const struct description *described(void)
{
    pthread_once(&once, read_description);
    return &read_one;
}

const struct limit *described_limit(const char *name)
{
    const struct description *d = described();
    for (uint32_t i = 0; i < d->limit_count; i++)
        if (!strcmp(d->limits[i].name, name))
            return &d->limits[i];
    return NULL;
}
