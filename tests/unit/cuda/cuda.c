// SPDX-License-Identifier: Apache-2.0
// The part of libcuda that keeping clocks takes, counted. Calls that CUDA would refuse count as
// wrong.
#include "cuda.h"

#include <string.h>
#include <unistd.h>

enum { FAKE_REFUSED = 999 };

extern struct fake_cuda fake_cuda;
struct fake_cuda fake_cuda;

int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int index);
int cuDeviceGetUuid_v2(uint8_t *uuid, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);

static int refuse(int wrong)
{
    if (wrong)
        atomic_fetch_add(&fake_cuda.wrong, 1);
    return wrong ? FAKE_REFUSED : 0;
}

int cuInit(unsigned flags)
{
    usleep(fake_cuda.init_us);
    atomic_fetch_add(&fake_cuda.inits, 1);
    return refuse(flags != 0);
}

int cuDeviceGetCount(int *count)
{
    *count = FAKE_DEVICES;
    return refuse(!atomic_load(&fake_cuda.inits));
}

int cuDeviceGet(int *device, int index)
{
    *device = FAKE_HANDLE + index;
    return refuse(index < 0 || index >= FAKE_DEVICES);
}

int cuDeviceGetUuid_v2(uint8_t *uuid, int device)
{
    memset(uuid, device, sizeof fake_cuda.uuid);
    if (device == FAKE_HANDLE + FAKE_OURS)
        memcpy(uuid, fake_cuda.uuid, sizeof fake_cuda.uuid);
    return refuse(device < FAKE_HANDLE || device >= FAKE_HANDLE + FAKE_DEVICES);
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = &fake_cuda;
    atomic_fetch_add(&fake_cuda.retains, 1);
    return refuse(device != FAKE_HANDLE + FAKE_OURS);
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    int released = atomic_fetch_add(&fake_cuda.releases, 1) + 1;
    return refuse(device != FAKE_HANDLE + FAKE_OURS || released > atomic_load(&fake_cuda.retains));
}
