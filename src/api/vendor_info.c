// SPDX-License-Identifier: Apache-2.0
// The vendor-specific queries of NVIDIA and AMD devices: cl_nv_device_attribute_query and
// cl_amd_device_attribute_query.
//
// Only values that Vulkan reports are returned. Queries of other values (caches, memory banks,
// watchdog timers, the generation of an AMD chip) are refused like unknown ones, and all of them on
// other devices.
#include "api/vendor_info.h"

#include <string.h>

#include "api/api.h"
#include "object/device.h"

static const struct vk_facts *facts_of(const void *object)
{
    return &((const struct _cl_device_id *)object)->physical->facts;
}

// For both vendors: the device's location on the PCI bus.
static cl_int check_pci(const struct vk_facts *facts)
{
    return facts->features.pci_bus_info
               ? CL_SUCCESS
               : REFUSE(CL_INVALID_VALUE, "the driver does not report the device's PCI address");
}

// ---- NVIDIA --------------------------------------------------------------------------------------

static cl_int put_capability(const void *object, uint32_t number, struct info *info)
{
    if (!facts_of(object)->cuda_major)
        return REFUSE(CL_INVALID_VALUE, "the driver does not report the compute capability (%s)", VK_CUDA_LAUNCH);
    info_uint(info, number);
    return CL_SUCCESS;
}

static cl_int get_major(const void *object, struct info *info)
{
    return put_capability(object, facts_of(object)->cuda_major, info);
}

static cl_int get_minor(const void *object, struct info *info)
{
    return put_capability(object, facts_of(object)->cuda_minor, info);
}

// The same for all devices from compute capability 7.0 on.
static cl_int get_registers(const void *object, struct info *info)
{
    enum { FROM = 7, REGISTERS = 65536 };
    if (facts_of(object)->cuda_major < FROM)
        return REFUSE(CL_INVALID_VALUE, "the number of registers is unknown for this device");
    return put_capability(object, REGISTERS, info);
}

// Whether copies of one command queue overlap with kernels of another.
static cl_int get_overlap(const void *object, struct info *info)
{
    info_bool(info, facts_of(object)->queue_count > 1);
    return CL_SUCCESS;
}

static cl_int get_integrated(const void *object, struct info *info)
{
    info_bool(info, facts_of(object)->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU);
    return CL_SUCCESS;
}

static cl_int put_pci(const void *object, uint32_t number, struct info *info)
{
    TRY(check_pci(facts_of(object)));
    info_uint(info, number);
    return CL_SUCCESS;
}

static cl_int get_domain(const void *object, struct info *info)
{
    return put_pci(object, facts_of(object)->pci.pciDomain, info);
}

static cl_int get_bus(const void *object, struct info *info)
{
    return put_pci(object, facts_of(object)->pci.pciBus, info);
}

// PCI encoding: five bits for the device, three for the function.
static cl_int get_slot(const void *object, struct info *info)
{
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &facts_of(object)->pci;
    return put_pci(object, pci->pciDevice << 3 | pci->pciFunction, info);
}

// not in the headers
enum { PCI_BUS_ID_NV = 0x4008, PCI_SLOT_ID_NV = 0x4009, PCI_DOMAIN_ID_NV = 0x400a };

static const struct info_row nvidia_info[] = {
    INFO_CALL(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, get_major),
    INFO_CALL(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, get_minor),
    INFO_CALL(CL_DEVICE_REGISTERS_PER_BLOCK_NV, get_registers),
    INFO_FIELD(CL_DEVICE_WARP_SIZE_NV, struct _cl_device_id, caps.target.subgroup_size),
    INFO_CALL(CL_DEVICE_GPU_OVERLAP_NV, get_overlap),
    INFO_CALL(CL_DEVICE_INTEGRATED_MEMORY_NV, get_integrated),
    INFO_CALL(PCI_BUS_ID_NV, get_bus),
    INFO_CALL(PCI_SLOT_ID_NV, get_slot),
    INFO_CALL(PCI_DOMAIN_ID_NV, get_domain),
};

// ---- AMD -----------------------------------------------------------------------------------------

static cl_int get_topology(const void *object, struct info *info)
{
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &facts_of(object)->pci;
    cl_device_topology_amd topology = {{0}};
    TRY(check_pci(facts_of(object)));
    topology.pcie.type = CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD;
    topology.pcie.bus = (cl_char)pci->pciBus;
    topology.pcie.device = (cl_char)pci->pciDevice;
    topology.pcie.function = (cl_char)pci->pciFunction;
    info_put(info, &topology, sizeof topology);
    return CL_SUCCESS;
}

// "AMD Radeon RX 7800 XT (RADV NAVI32)": the part before the driver's addition.
static cl_int get_board(const void *object, struct info *info)
{
    const char *name = facts_of(object)->props.deviceName;
    const char *remark = strstr(name, " (");
    info_put(info, name, remark ? (size_t)(remark - name) : strlen(name));
    info_put(info, "", 1);
    return CL_SUCCESS;
}

static cl_int get_free(const void *object, struct info *info)
{
    VkDeviceSize most;
    if (!vk_physical_free_bytes(((const struct _cl_device_id *)object)->physical, &most))
        return REFUSE(CL_INVALID_VALUE, "the driver does not report free memory");
    info_size(info, most >> 10); // KiB; the largest block is unknown
    return CL_SUCCESS;
}

static cl_int get_simds(const void *object, struct info *info)
{
    if (!facts_of(object)->simds)
        return REFUSE(CL_INVALID_VALUE, "the driver does not report the SIMD count");
    info_uint(info, facts_of(object)->simds);
    return CL_SUCCESS;
}

static cl_int get_queues(const void *object, struct info *info)
{
    info_uint(info, facts_of(object)->queue_count);
    return CL_SUCCESS;
}

static cl_int get_pcie_id(const void *object, struct info *info)
{
    info_uint(info, facts_of(object)->props.deviceID);
    return CL_SUCCESS;
}

static const struct info_row amd_info[] = {
    INFO_VALUE(CL_DEVICE_PROFILING_TIMER_OFFSET_AMD, size_t, 0), // times are in the host's clock
    INFO_CALL(CL_DEVICE_TOPOLOGY_AMD, get_topology),
    INFO_CALL(CL_DEVICE_BOARD_NAME_AMD, get_board),
    INFO_CALL(CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, get_free),
    INFO_CALL(CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD, get_simds),
    INFO_FIELD(CL_DEVICE_WAVEFRONT_WIDTH_AMD, struct _cl_device_id, caps.target.subgroup_size),
    INFO_VALUE(CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD, cl_bool, CL_FALSE),
    INFO_CALL(CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD, get_queues),
    INFO_FIELD(CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD, struct _cl_device_id, caps.work_group_size),
    INFO_CALL(CL_DEVICE_PCIE_ID_AMD, get_pcie_id),
};

// ---- selection
// -----------------------------------------------------------------------------------

static const struct {
    cl_uint vendor;
    const struct info_row *rows;
    size_t count;
} vendors[] = {
    {CAPS_VENDOR_NVIDIA, nvidia_info, INFO_COUNT(nvidia_info)},
    {CAPS_VENDOR_AMD, amd_info, INFO_COUNT(amd_info)},
};

bool vendor_info_has(cl_device_info query)
{
    return query >> 8 == 0x40;
}

cl_int vendor_info_get(const struct _cl_device_id *device, cl_device_info query, size_t size,
                       void *value, size_t *size_ret)
{
    for (size_t i = 0; i < INFO_COUNT(vendors); i++) {
        if (vendors[i].vendor == device->caps.vendor_id)
            return info_get(vendors[i].rows, vendors[i].count, device, query, size, value, size_ret);
    }
    return REFUSE(CL_INVALID_VALUE, "query 0x%x is defined for another vendor's devices", query);
}
