// SPDX-License-Identifier: Apache-2.0
// A fake of the part of libcuda that the clock code uses; it counts calls. Calls that CUDA would
// refuse are counted as wrong.
#include "cuda.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { FAKE_REFUSED = 999 };

extern struct fake_cuda fake_cuda;
struct fake_cuda fake_cuda;

int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int index);
int cuDeviceGetUuid_v2(uint8_t *uuid, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxSetLimit(int limit, size_t value);
int cuCtxPopCurrent_v2(void **context);
int cuCtxDestroy_v2(void *context);

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

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = FAKE_L2;
    return refuse(attribute != 38 || device != FAKE_HANDLE + FAKE_OURS || !atomic_load(&fake_cuda.inits));
}

// One context at a time; it is current from its creation until it is popped.
static atomic_bool current;

int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
    *context = &fake_cuda;
    current = true;
    atomic_fetch_add(&fake_cuda.made, 1);
    return refuse(flags > 4 || device != FAKE_HANDLE + FAKE_OURS);
}

int cuCtxSetLimit(int limit, size_t value)
{
    return refuse(!current || limit < 0 || limit >= FAKE_LIMITS || !value);
}

int cuCtxPopCurrent_v2(void **context)
{
    *context = &fake_cuda;
    return refuse(!atomic_exchange(&current, false));
}

int cuCtxDestroy_v2(void *context)
{
    int gone = atomic_fetch_add(&fake_cuda.gone, 1) + 1;
    return refuse(context != &fake_cuda || current || gone > atomic_load(&fake_cuda.made));
}
