// SPDX-License-Identifier: Apache-2.0
// Obstacles between a program and its GPU, one sentence each: no driver, no permission, a container
// without devices, a driver that OpenCL loaders do not find. See info.h.
//
// Each row of the table checks one obstacle. Rows that explain a missing GPU are only checked if no
// GPU is usable, and only the first one that applies is printed.
#include "info/info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info/rows.h"
#include "platform/platform.h"
#include "vulkan/loader.h"

enum { NOTE = 1024, PATH = 512, LIST = 512 };

struct situation {
    struct _cl_device_id *devices;
    const struct vk_physical *refused;
    cl_uint count;
    uint32_t refused_count;
    bool gpu; // a usable one
    char note[NOTE];
};

static bool is_file(const char *path)
{
    FILE *file = file_open_plain(path, &(struct file_facts){0});
    if (file)
        fclose(file);
    return file != NULL;
}

static void ignore(void *data, const char *name, const struct file_facts *facts)
{
    (void)data, (void)name, (void)facts;
}

static bool is_folder(const char *path)
{
    return folder_visit(path, ignore, NULL);
}

// The device file of a GPU's driver: whether it exists, and may be opened.
static int open_error(const char *path)
{
    FILE *file = file_open(path, "r+b");
    if (!file)
        return errno;
    fclose(file);
    return 0;
}

#define SAY(...) (snprintf(s->note, sizeof s->note, __VA_ARGS__), true)

// ---- why there is no GPU ------------------------------------------------------------------------

static bool no_loader(struct situation *s)
{
    const char *missing = vk_loader_open();
    return missing && SAY("no Vulkan loader: %s", missing);
}

// A list of driver manifests that replaces the system's.
static bool no_manifest(struct situation *s)
{
    static const char *const variables[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        char path[PATH];
        if (!value || !*value)
            continue;
        snprintf(path, sizeof path, "%.*s", (int)strcspn(value, path_separates('\\') ? ";" : ":"), value);
        if (!is_file(path) && !is_folder(path))
            return SAY("%s names %s, which does not exist: unset it, or correct it", variables[i], path);
    }
    return false;
}

static bool in_flatpak(struct situation *s)
{
    return (getenv("FLATPAK_ID") || is_file("/.flatpak-info")) &&
           SAY("a flatpak does not see the system's Vulkan drivers: install its runtime's extension org.freedesktop.Platform.GL "
               "for the GPU, and give the application access to devices (flatpak override --device=all)");
}

static bool in_snap(struct situation *s)
{
    const char *name = getenv("SNAP_NAME");
    return getenv("SNAP") && name &&
           SAY("a snap does not see the system's Vulkan drivers: connect its graphics content (snap connections %s)", name);
}

static bool not_permitted(struct situation *s)
{
    for (int i = 128; i < 136; i++) {
        char path[PATH];
        snprintf(path, sizeof path, "/dev/dri/renderD%d", i);
        if (open_error(path) == EACCES)
            return SAY("no permission to open %s: add the user to the group that owns it (usually render or video), and log "
                       "in again", path);
    }
    return false;
}

static bool in_container(struct situation *s)
{
    const bool inside = getenv("container") || is_file("/.dockerenv") || is_file("/run/.containerenv");
    return inside && !is_folder("/dev/dri") && open_error("/dev/nvidiactl") == ENOENT &&
           SAY("this container has no GPU devices: start it with --device /dev/dri, or for NVIDIA with --gpus all");
}

static bool old_driver(struct situation *s)
{
    for (uint32_t i = 0; i < s->refused_count; i++)
        if (s->refused[i].refused)
            return SAY("%s cannot be used: %s; install a newer Vulkan driver", s->refused[i].facts.props.deviceName,
                       s->refused[i].refused);
    return false;
}

static bool only_cpu(struct situation *s)
{
    return s->count && SAY("only a CPU device: if this machine has a GPU, install its Vulkan driver, and check that "
                           "vulkaninfo --summary lists it");
}

static bool no_driver(struct situation *s)
{
    return !s->count && SAY("no Vulkan driver was found: install mesa-vulkan-drivers (Debian, Ubuntu), or the driver of the GPU's "
                            "vendor");
}

// ---- several drivers ----------------------------------------------------------------------------

static bool is_same(const struct vk_facts *a, const struct vk_facts *b)
{
    static const uint8_t none[VK_UUID_SIZE];
    const uint8_t *uuid = a->props11.deviceUUID;
    if (a->features.pci_bus_info && b->features.pci_bus_info)
        return a->pci.pciDomain == b->pci.pciDomain && a->pci.pciBus == b->pci.pciBus && a->pci.pciDevice == b->pci.pciDevice &&
               a->pci.pciFunction == b->pci.pciFunction;
    if (memcmp(uuid, none, sizeof none) && !memcmp(uuid, b->props11.deviceUUID, sizeof none))
        return true;
    return a->props.vendorID == b->props.vendorID && a->props.deviceID == b->props.deviceID &&
           a->props12.driverID != b->props12.driverID;
}

static bool two_drivers(struct situation *s)
{
    for (cl_uint i = 0; i < s->count; i++)
        for (cl_uint j = i + 1; j < s->count; j++) {
            const struct vk_facts *a = &s->devices[i].physical->facts, *b = &s->devices[j].physical->facts;
            if (!is_same(a, b))
                continue;
            if (a->props12.driverID == b->props12.driverID)
                return SAY("devices %u and %u are one device: two manifest files name its Vulkan driver (%s); remove one of them, or "
                           "select the first device by PUMICE_DEVICE=%u", i, j, a->props12.driverName, i);
            return SAY("devices %u and %u are one GPU with two Vulkan drivers (%s, %s): PUMICE_DEVICE=%u selects the first", i, j,
                       a->props12.driverName, b->props12.driverName, i);
        }
    return false;
}

// ---- OpenCL loaders -----------------------------------------------------------------------------

struct vendors {
    const char *folder;
    bool found; // Pumice
    bool is_library; // `folder` is a library that an environment variable selects
    char lost[PATH]; // the library that its file names, and that does not exist
    char others[LIST];
};

static void read_icd(struct vendors *v, const char *path, const char *name)
{
    char line[PATH] = "";
    FILE *file = file_open(path, "r");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        line[strcspn(line, "\r\n")] = '\0';
    fclose(file);
    if (!strstr(line, "pumice")) {
        const size_t used = strlen(v->others);
        snprintf(v->others + used, sizeof v->others - used, "%s%s", used ? ", " : "", name);
        return;
    }
    if (path_is_absolute(line) && !is_file(line))
        snprintf(v->lost, sizeof v->lost, "%s", line);
    else
        v->found = true;
}

static void visit_icd(void *data, const char *name, const struct file_facts *facts)
{
    struct vendors *v = data;
    const size_t length = strlen(name);
    char path[2 * PATH];
    (void)facts;
    if (length < 4 || strcmp(name + length - 4, ".icd"))
        return;
    snprintf(path, sizeof path, "%s/%s", v->folder, name);
    read_icd(v, path, name);
}

// What a loader reads: a folder, or the file or library named by an environment variable.
static struct vendors find_vendors(void)
{
    const char *chosen = getenv("OCL_ICD_VENDORS");
    if (!chosen || !*chosen)
        chosen = getenv("OCL_ICD_FILENAMES");
    struct vendors v = {.folder = chosen && *chosen ? chosen : OPENCL_VENDORS};
    if (!v.folder || folder_visit(v.folder, visit_icd, &v))
        return v;
    if (strstr(v.folder, ".icd"))
        read_icd(&v, v.folder, v.folder);
    else if (chosen && *chosen) {
        v.is_library = true;
        v.found = strstr(chosen, "pumice");
    }
    return v;
}

static bool not_registered(struct situation *s)
{
    const struct vendors v = find_vendors();
    if (v.found || !v.folder)
        return false;
    if (*v.lost)
        return SAY("OpenCL loaders do not find Pumice: %s names %s, which does not exist", v.folder, v.lost);
    if (v.is_library)
        return SAY("OpenCL loaders only load %s, which OCL_ICD_VENDORS selects: set it to the path of libpumice.so", v.folder);
    return SAY("OpenCL loaders do not find Pumice: no file in %s names libpumice.so; install pumice-opencl-icd, or set "
               "OCL_ICD_VENDORS to the path of libpumice.so", v.folder);
}

static bool other_drivers(struct situation *s)
{
    const struct vendors v = find_vendors();
    return *v.others && v.found &&
           SAY("OpenCL loaders also find %s: OCL_ICD_VENDORS=libpumice.so.1 hides the other drivers from a program", v.others);
}

static const struct {
    bool (*look)(struct situation *s);
    bool without_gpu; // only if no GPU is usable, and nothing above explains it
} rows[] = {
    {no_loader, true},      {no_manifest, true},   {old_driver, true}, {in_flatpak, true}, {in_snap, true},      {in_container, true},
    {not_permitted, true},  {only_cpu, true},      {no_driver, true},  {two_drivers, false}, {not_registered, false}, {other_drivers, false},
};

void info_notes(void (*tell)(void *data, const char *note), void *data)
{
    struct situation s = {0};
    s.count = device_list(&s.devices);
    s.refused_count = vk_physical_refused(&s.refused);
    for (cl_uint i = 0; i < s.count; i++)
        s.gpu |= s.devices[i].physical->facts.props.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    bool explained = s.gpu;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].without_gpu && explained) || !rows[i].look(&s))
            continue;
        explained |= rows[i].without_gpu;
        tell(data, s.note);
    }
}
