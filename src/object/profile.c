// SPDX-License-Identifier: Apache-2.0
// The profile of a device, and why it is not a higher one. See profile.h, profile.def.
#include "object/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "object/image_format.h"
#include "util/options.h"

enum { FULL, EMBEDDED, PROFILES };
enum part { OF_ALL, OF_IMAGES };

static const struct profile_row {
    enum part part;
    bool flags;
    size_t at, size; // of a field of struct device_caps
    uint64_t least[PROFILES];
    const char *query;
} rows[] = {
#define ROW(part, flags, field, full, embedded, query)                                             \
    {part, flags, offsetof(struct device_caps, field), sizeof((struct device_caps *)0)->field, {full, embedded}, query},
#define LIMIT(field, full, embedded, query) ROW(OF_ALL, false, field, full, embedded, query)
#define FLAGS(field, full, embedded, query) ROW(OF_ALL, true, field, full, embedded, query)
#define IMAGES(field, full, embedded, query) ROW(OF_IMAGES, false, field, full, embedded, query)
#include "object/profile.def"
};

static uint64_t value_of(const struct device_caps *caps, const struct profile_row *row)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    const void *field = (const char *)caps + row->at;
    if (row->size == sizeof narrow)
        memcpy(&narrow, field, sizeof narrow);
    else
        memcpy(&wide, field, sizeof wide);
    return narrow | wide;
}

static void add_reason(char why[CAPS_WHY], const char *format, ...)
{
    size_t used = strlen(why);
    va_list values;
    va_start(values, format);
    if (used)
        used += (size_t)snprintf(why + used, CAPS_WHY - used, "; ");
    if (used < CAPS_WHY)
        vsnprintf(why + used, CAPS_WHY - used, format, values);
    va_end(values);
}

// Whether all rows of a part meet a profile's minimum; the others are added to `why`.
static bool reaches(const struct device_caps *caps, enum part part, int profile, char why[CAPS_WHY])
{
    bool all = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t has = value_of(caps, &rows[i]), least = rows[i].least[profile];
        bool enough = rows[i].flags ? (has & least) == least : has >= least;
        if (rows[i].part != part || enough)
            continue;
        add_reason(why, rows[i].flags ? "%s is 0x%llx, the full profile requires 0x%llx" : "%s is %llu, the full profile requires "
                                                                                           "%llu", rows[i].query,
                   (unsigned long long)has, (unsigned long long)least);
        all = false;
    }
    return all;
}

static bool has_formats(const struct device_caps *caps, const struct vk_facts *facts, bool full, char why[CAPS_WHY])
{
    const char *lacks = image_formats_missing(caps, facts, full);
    if (lacks)
        add_reason(why, "no read-write images of format %s", lacks);
    return !lacks;
}

// More devices can support images in the embedded profile than in the full one.
static void decide_images(struct device_caps *caps, const struct vk_facts *facts)
{
    const char *wish = option_get(OPTION_IMAGES);
    bool any = wish && !strcmp(wish, "any");
    if (!caps->target.images) {
        add_reason(caps->images_why, "PUMICE_IMAGES=0");
        return;
    }
    bool sizes = reaches(caps, OF_IMAGES, EMBEDDED, caps->images_why);
    bool formats = has_formats(caps, facts, false, caps->images_why);
    caps->target.images = any || (sizes && formats);
}

void profile_fill(struct device_caps *caps, const struct vk_facts *facts)
{
    decide_images(caps, facts);
    bool full = reaches(caps, OF_ALL, FULL, caps->profile_why);
    if (caps->target.images) {
        full &= reaches(caps, OF_IMAGES, FULL, caps->profile_why);
        full &= has_formats(caps, facts, true, caps->profile_why);
    }
    caps->target.embedded = !full;
    snprintf(caps->profile, sizeof caps->profile, "%s", full ? "FULL_PROFILE" : "EMBEDDED_PROFILE");
}
