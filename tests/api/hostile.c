// SPDX-License-Identifier: Apache-2.0
// Random calls with random arguments: NULL, handles of another kind, sizes that wrap around, wrong
// list counts, unknown flags and names. Each call must return a code that OpenCL defines, creation
// functions either an object or an error, and the device must work afterwards. `api_hostile 1000000
// 7` makes that many calls from another seed.
//
// Not tested is what no library can detect: pointers to memory that is not mapped or too small.
#include "usm.h"

enum { CALLS = 30000, HOST_BYTES = 32 << 20, LIST = 4 };

static const char source[] =
    "kernel void hold(global int *p, local int *l, int n, float4 v, constant int *c) {\n"
    "    if (get_global_id(0) == 0 && l) l[0] = n; }\n"
    "kernel void look(read_only image2d_t i, write_only image2d_t o, sampler_t s) {\n"
    "    if (get_global_id(0) == 0) write_imagef(o, (int2)(0, 0),\n"
    "                                            read_imagef(i, s, (float2)(0, 0))); }\n";

static uint64_t state = 1;
static const char *name; // the current call
static char *host;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

// ---- arguments ----------------------------------------------------------------------------------

enum kind {
    CONTEXT,
    QUEUE,
    BUFFER,
    IMAGE,
    PROGRAM,
    KERNEL,
    EVENT,
    SAMPLER,
    DEVICE,
    PLATFORM,
    KINDS
};

static void *objects[KINDS][LIST]; // at least one of each kind, repeated to fill the list

enum what { BOX, HOST, RANGE };

static void *handle(enum kind kind)
{
    unsigned luck = pick(16);
    if (luck == 0)
        return NULL;
    return objects[luck == 1 ? pick(KINDS) : kind][pick(LIST)];
}

static cl_mem mem(void)
{
    return handle(pick(2) ? BUFFER : IMAGE);
}

static size_t size(void)
{
    static const size_t sizes[] = {
        0,
        1,
        3,
        4,
        16,
        64,
        4096,
        65536,
        SIZE_MAX,
        SIZE_MAX - 63,
        SIZE_MAX / 2 + 1,
        (size_t)(1ull << 46), // more than any device has
    };
    return sizes[pick(sizeof sizes / sizeof *sizes)];
}

static size_t pitch(void) // of host memory: stays within it
{
    static const size_t pitches[] = {0, 0, 1, 64, 100, 4096, 65536};
    return pitches[pick(sizeof pitches / sizeof *pitches)];
}

static void *memory(void)
{
    return pick(12) ? host + pick(2) * pick(8) * 8 : NULL;
}

static cl_ulong bits(void)
{
    static const cl_ulong flags[] = {0, 1, 2, 4, 8, 16, 32, 9, 128, 256, 512, ~0ull};
    return flags[pick(sizeof flags / sizeof *flags)];
}

static cl_uint number(void)
{
    static const cl_uint numbers[] = {0, 1, 2, 3, 4, 5, 16, 0x7fffffff, 0x80000000, 0xffffffff};
    return numbers[pick(sizeof numbers / sizeof *numbers)];
}

// Three sizes in a list that is valid for this call: a range to run, an origin in host memory, or
// anything.
static const size_t *three(enum what what)
{
    static size_t lists[8][3];
    static unsigned next;
    const size_t refused = sizeof(size_t) == 8 ? SIZE_MAX - 1 : 0; // the largest 32-bit range only takes minutes
    size_t *list = lists[next++ % 8];
    for (int i = 0; i < 3; i++)
        list[i] = what == HOST ? pick(2) * pick(17) : pick(3) ? 1 + pick(16) : size();
    if (what == RANGE && list[0] >= 4096) // so that it does not take minutes
        list[0] = refused + pick(2);
    for (int i = 1; i < 3 && what == RANGE; i++)
        list[i] = list[i] < 4096 ? list[i] : refused;
    return pick(16) ? list : NULL;
}

struct waits {
    cl_uint count;
    const cl_event *list;
    cl_event out, *event;
};

static struct waits *waits(void)
{
    static cl_event list[LIST];
    static struct waits w;
    w = (struct waits){.count = pick(4) ? 0 : pick(LIST)};
    for (int i = 0; i < LIST; i++)
        list[i] = handle(EVENT);
    w.list = (w.count != 0) != (pick(16) == 0) ? list : NULL;
    w.event = pick(2) ? &w.out : NULL;
    return &w;
}

// ---- answers ------------------------------------------------------------------------------------

static void check_code(cl_int code)
{
    bool known = code == 0 || (code <= -1 && code >= -72) || (code <= -1000 && code >= -1200);
    if (!CHECK(known))
        printf("  %s: %d\n", name, code);
}

static void enqueued(cl_int code, struct waits *w)
{
    check_code(code);
    if (!CHECK(!w->out || code == CL_SUCCESS))
        printf("  %s\n", name);
    if (w->out)
        CHECK_OK(clReleaseEvent(w->out));
}

static bool created(void *object, cl_int code)
{
    check_code(code);
    if (!CHECK((object != NULL) == (code == CL_SUCCESS)))
        printf("  %s: %d\n", name, code);
    return object != NULL;
}

// ---- the calls ----------------------------------------------------------------------------------

#define WAITS w->count, w->list, w->event
#define ENQUEUE(call)                                                                              \
    do {                                                                                           \
        struct waits *w = waits();                                                                 \
        enqueued(call, w);                                                                         \
    } while (0)

static void call_transfer(void)
{
    cl_bool wait = pick(2);
    cl_command_queue queue = handle(QUEUE);
    switch (pick(8)) {
    case 0:
        ENQUEUE(clEnqueueReadBuffer(queue, mem(), wait, size(), size(), memory(), WAITS));
        break;
    case 1:
        ENQUEUE(clEnqueueWriteBuffer(queue, mem(), wait, size(), size(), memory(), WAITS));
        break;
    case 2:
        ENQUEUE(clEnqueueCopyBuffer(queue, mem(), mem(), size(), size(), size(), WAITS));
        break;
    case 3:
        ENQUEUE(clEnqueueReadBufferRect(queue, mem(), wait, three(BOX), three(HOST), three(BOX),
                                        size(), size(), pitch(), pitch(), memory(), WAITS));
        break;
    case 4:
        ENQUEUE(clEnqueueWriteBufferRect(queue, mem(), wait, three(BOX), three(HOST), three(BOX),
                                         size(), size(), pitch(), pitch(), memory(), WAITS));
        break;
    case 5:
        ENQUEUE(clEnqueueCopyBufferRect(queue, mem(), mem(), three(BOX), three(BOX), three(BOX),
                                        size(), size(), size(), size(), WAITS));
        break;
    case 6:
        ENQUEUE(clEnqueueFillBuffer(queue, mem(), memory(), size(), size(), size(), WAITS));
        break;
    default: {
        cl_mem list[LIST] = {mem(), mem(), mem(), mem()};
        ENQUEUE(
            clEnqueueMigrateMemObjects(queue, pick(LIST), pick(8) ? list : NULL, bits(), WAITS));
    }
    }
}

static void call_image_transfer(void)
{
    cl_bool wait = pick(2);
    cl_command_queue queue = handle(QUEUE);
    switch (pick(6)) {
    case 0:
        ENQUEUE(clEnqueueReadImage(queue, mem(), wait, three(BOX), three(BOX), pitch(), pitch(),
                                   memory(), WAITS));
        break;
    case 1:
        ENQUEUE(clEnqueueWriteImage(queue, mem(), wait, three(BOX), three(BOX), pitch(), pitch(),
                                    memory(), WAITS));
        break;
    case 2:
        ENQUEUE(clEnqueueCopyImage(queue, mem(), mem(), three(BOX), three(BOX), three(BOX), WAITS));
        break;
    case 3:
        ENQUEUE(
            clEnqueueCopyImageToBuffer(queue, mem(), mem(), three(BOX), three(BOX), size(), WAITS));
        break;
    case 4:
        ENQUEUE(
            clEnqueueCopyBufferToImage(queue, mem(), mem(), size(), three(BOX), three(BOX), WAITS));
        break;
    default:
        ENQUEUE(clEnqueueFillImage(queue, mem(), memory(), three(BOX), three(BOX), WAITS));
    }
}

static void call_map(void)
{
    cl_command_queue queue = handle(QUEUE);
    cl_mem object = mem();
    size_t row, slice;
    cl_int code = 12345;
    void *pointer;
    if (pick(2))
        ENQUEUE((pointer = clEnqueueMapBuffer(queue, object, pick(2), bits(), size(), size(), WAITS,
                                              &code),
                 code));
    else
        ENQUEUE((pointer = clEnqueueMapImage(queue, object, pick(2), bits(), three(BOX), three(BOX),
                                             pick(8) ? &row : NULL, pick(8) ? &slice : NULL, WAITS,
                                             &code),
                 code));
    created(pointer, code);
    ENQUEUE(clEnqueueUnmapMemObject(queue, pick(8) ? object : mem(), pointer, WAITS));
    if (pointer) // even after an error
        clEnqueueUnmapMemObject(test_queue, object, pointer, 0, NULL, NULL);
    ENQUEUE(clEnqueueUnmapMemObject(queue, object, pick(2) ? pointer : memory(), WAITS));
}

static void call_kernel(void)
{
    cl_kernel kernel = handle(KERNEL);
    void *values[16] = {handle(BUFFER), handle(IMAGE), handle(SAMPLER)};
    const void *value = pick(4) ? &values[pick(4)] : NULL;
    check_code(clSetKernelArg(kernel, pick(8) ? pick(6) : number(), pick(2) ? 8 : size(), value));
    check_code(clSetKernelArgSVMPointer(kernel, pick(6), pick(2) ? host : NULL));
    ENQUEUE(clEnqueueNDRangeKernel(handle(QUEUE), kernel, pick(8) ? 1 + pick(3) : number(),
                                   pick(2) ? NULL : three(RANGE), three(RANGE),
                                   pick(2) ? NULL : three(RANGE), WAITS));
    ENQUEUE(clEnqueueTask(handle(QUEUE), kernel, WAITS));
    ENQUEUE(clEnqueueMarkerWithWaitList(handle(QUEUE), WAITS));
    ENQUEUE(clEnqueueBarrierWithWaitList(handle(QUEUE), WAITS));
}

static void call_svm(void)
{
    cl_context context = handle(CONTEXT);
    size_t bytes = size();
    void *shared = clSVMAlloc(context, bits(), bytes, pick(2) ? 0 : number());
    cl_command_queue queue = handle(QUEUE);
    void *here = shared && bytes <= 65536 ? shared : memory();
    size_t length = bytes <= 65536 ? bytes : 64;
    ENQUEUE(clEnqueueSVMMemcpy(queue, pick(2), here, memory(), length, WAITS));
    ENQUEUE(clEnqueueSVMMemFill(queue, here, memory(), pick(8) ? 1u << pick(9) : number(),
                                pick(2) ? length : 3, WAITS));
    ENQUEUE(clEnqueueSVMMap(queue, pick(2), bits(), shared, size(), WAITS));
    ENQUEUE(clEnqueueSVMUnmap(queue, shared, WAITS));
    const void *list[] = {shared, NULL};
    const size_t sizes[] = {size(), 0};
    ENQUEUE(clEnqueueSVMMigrateMem(queue, pick(3), list, pick(2) ? sizes : NULL, bits(), WAITS));
    clFinish(objects[QUEUE][0]);
    clSVMFree(objects[CONTEXT][0], shared);
    clSVMFree(handle(CONTEXT), NULL);
}

static void call_usm(void)
{
    const cl_mem_properties_intel list[] = {pick(4) ? CL_MEM_ALLOC_FLAGS_INTEL : number(), bits(),
                                            0};
    const cl_mem_properties_intel *properties = pick(2) ? list : NULL;
    cl_context context = handle(CONTEXT);
    cl_uint align = pick(2) ? 0 : number();
    size_t bytes = size();
    cl_int code = 1;
    unsigned kind = pick(3);
    void *p = kind == 0 ? usm.host_alloc(context, properties, bytes, align, &code)
              : kind == 1
                  ? usm.device_alloc(context, handle(DEVICE), properties, bytes, align, &code)
                  : usm.shared_alloc(context, handle(DEVICE), properties, bytes, align, &code);
    created(p, code);
    cl_command_queue queue = handle(QUEUE);
    void *here = p && bytes <= 65536 ? p : memory();
    size_t length = bytes <= 65536 ? bytes : 64;
    ENQUEUE(usm.copy(queue, pick(2), here, memory(), length, WAITS));
    ENQUEUE(usm.copy(queue, pick(2), memory(), here, length, WAITS));
    ENQUEUE(usm.fill(queue, here, memory(), pick(8) ? 1u << pick(9) : number(),
                     pick(2) ? length : 3, WAITS));
    ENQUEUE(usm.migrate(queue, here, size(), bits(), WAITS));
    ENQUEUE(usm.advise(queue, here, size(), number(), WAITS));
    ENQUEUE(clEnqueueReadBuffer(queue, mem(), pick(2), 0, length, here, WAITS));
    cl_kernel kernel = handle(KERNEL);
    check_code(usm.set_arg(kernel, pick(6), pick(4) ? here : NULL));
    check_code(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL + pick(6),
                                   pick(2) ? 4 : 8 * pick(3), pick(8) ? &p : NULL));
    char answer[64];
    size_t got;
    check_code(usm.info(handle(CONTEXT), here, pick(8) ? 0x419a + pick(5) : number(), pick(65),
                        pick(2) ? answer : NULL, pick(2) ? &got : NULL));
    clFinish(objects[QUEUE][0]);
    check_code(usm.free(handle(CONTEXT), (char *)p + 1));
    if (p)
        CHECK_OK((pick(2) ? usm.free : usm.blocking_free)(context, p));
}

static void call_buffer(void)
{
    static const cl_mem_properties unknown[] = {0x1234, 1, 0}, none[] = {0};
    cl_int code = 12345;
    cl_ulong flags = bits();
    size_t bytes = size();
    const void *const lists[] = {NULL, none, unknown};
    cl_mem made = clCreateBufferWithProperties(handle(CONTEXT), lists[pick(3)], flags, bytes,
                                               memory(), &code);
    created(made, code);
    cl_buffer_region region = {size(), size()};
    code = 12345;
    cl_mem part = clCreateSubBuffer(pick(2) ? made : handle(BUFFER), bits(),
                                    pick(8) ? CL_BUFFER_CREATE_TYPE_REGION : number(),
                                    pick(8) ? &region : NULL, &code);
    if (created(part, code))
        CHECK_OK(clReleaseMemObject(part));
    if (made)
        CHECK_OK(clReleaseMemObject(made));
}

static void call_image(void)
{
    static const size_t extents[] = {0, 1, 3, 16, 64, SIZE_MAX, (size_t)(1ull << 32), (size_t)1 << 31};
    const cl_image_format format = {CL_R - 1 + pick(20), CL_SNORM_INT8 - 1 + pick(18)};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_BUFFER + pick(9)};
    desc.image_width = extents[pick(8)];
    desc.image_height = extents[pick(8)];
    desc.image_depth = extents[pick(8)];
    desc.image_array_size = extents[pick(8)];
    desc.image_row_pitch = pitch();
    desc.image_slice_pitch = pitch();
    desc.num_mip_levels = pick(8) ? 0 : number();
    desc.num_samples = pick(8) ? 0 : number();
    desc.mem_object = pick(3) ? NULL : mem();
    cl_int code = 12345;
    cl_mem made = clCreateImage(handle(CONTEXT), bits(), pick(16) ? &format : NULL,
                                pick(16) ? &desc : NULL, memory(), &code);
    if (created(made, code))
        CHECK_OK(clReleaseMemObject(made));
    cl_uint count = 0;
    static cl_image_format formats[512];
    check_code(clGetSupportedImageFormats(handle(CONTEXT), bits(), desc.image_type,
                                          pick(2) ? 512 : pick(3), pick(8) ? formats : NULL,
                                          pick(8) ? &count : NULL));
    cl_sampler sampler = clCreateSampler(handle(CONTEXT), number(), CL_ADDRESS_NONE - 1 + pick(7),
                                         CL_FILTER_NEAREST - 1 + pick(4), &code);
    if (created(sampler, code))
        CHECK_OK(clReleaseSampler(sampler));
}

static void call_program(void)
{
    static const char *const options[] = {NULL, "", "-bogus", "-D", "-cl-std=CL9", "\"", "-DX=1"};
    static const char *const texts[] = {source, "kernel void a(", "\n\n\n\n\n", NULL};
    const char *list[] = {texts[pick(4)], texts[pick(4)]};
    const size_t lengths[] = {pick(2) * 5, 0};
    cl_int code = 12345;
    cl_program made = clCreateProgramWithSource(handle(CONTEXT), pick(3), pick(8) ? list : NULL,
                                                pick(2) ? lengths : NULL, &code);
    created(made, code);
    cl_device_id devices[] = {handle(DEVICE)};
    cl_program program = pick(2) ? made : handle(PROGRAM), objects_[] = {program};
    if (pick(2))
        check_code(
            clBuildProgram(made, pick(2), pick(2) ? devices : NULL, options[pick(7)], NULL, NULL));
    else
        check_code(clCompileProgram(made, pick(2), pick(2) ? devices : NULL, options[pick(7)],
                                    pick(2), pick(2) ? objects_ : NULL, pick(2) ? list : NULL, NULL,
                                    NULL));
    code = 12345;
    cl_program linked =
        clLinkProgram(handle(CONTEXT), pick(2), pick(2) ? devices : NULL, options[pick(7)], pick(2),
                      pick(8) ? objects_ : NULL, NULL, NULL, &code);
    check_code(code);
    CHECK(linked || code);
    if (linked) // a failed link may return a program for its log
        CHECK_OK(clReleaseProgram(linked));
    cl_kernel kernel = clCreateKernel(program, pick(8) ? "hold" : NULL, &code);
    if (created(kernel, code))
        CHECK_OK(clReleaseKernel(kernel));
    size_t length = pick(200);
    const unsigned char *binary = (const unsigned char *)host;
    cl_int status;
    cl_program loaded = clCreateProgramWithBinary(handle(CONTEXT), pick(2), devices, &length,
                                                  &binary, pick(2) ? &status : NULL, &code);
    if (created(loaded, code))
        CHECK_OK(clReleaseProgram(loaded));
    loaded = clCreateProgramWithIL(handle(CONTEXT), memory(), pick(200), &code);
    if (created(loaded, code))
        CHECK_OK(clReleaseProgram(loaded));
    if (made)
        CHECK_OK(clReleaseProgram(made));
}

static void call_query(void)
{
    size_t got, *out = pick(4) ? &got : NULL;
    size_t room = size();
    void *value = memory();
    cl_uint what = 0x1000 + (pick(20) << 4) % 0x200 + pick(0x40);
    cl_device_id device = handle(DEVICE);
    switch (pick(15)) {
    case 0:
        check_code(clGetPlatformInfo(handle(PLATFORM), 0x900 + pick(16), room, value, out));
        break;
    case 1:
        check_code(clGetDeviceInfo(device, 0x1000 + pick(0x80), room, value, out));
        break;
    case 2:
        check_code(clGetContextInfo(handle(CONTEXT), 0x1080 + pick(8), room, value, out));
        break;
    case 3:
        check_code(clGetCommandQueueInfo(handle(QUEUE), 0x1090 + pick(12), room, value, out));
        break;
    case 4:
        check_code(clGetMemObjectInfo(mem(), 0x1100 + pick(16), room, value, out));
        break;
    case 5:
        check_code(clGetImageInfo(mem(), 0x1110 + pick(16), room, value, out));
        break;
    case 6:
        check_code(clGetSamplerInfo(handle(SAMPLER), 0x1150 + pick(12), room, value, out));
        break;
    case 7:
        check_code(clGetKernelInfo(handle(KERNEL), 0x1190 + pick(8), room, value, out));
        break;
    case 8:
        check_code(
            clGetKernelArgInfo(handle(KERNEL), number(), 0x1196 + pick(8), room, value, out));
        break;
    case 9:
        check_code(
            clGetKernelWorkGroupInfo(handle(KERNEL), device, 0x11b0 + pick(8), room, value, out));
        break;
    case 10:
        check_code(clGetEventInfo(handle(EVENT), 0x11d0 + pick(8), room, value, out));
        break;
    case 11:
        check_code(clGetEventProfilingInfo(handle(EVENT), 0x1280 + pick(8), room, value, out));
        break;
    case 12:
        check_code(clGetKernelSubGroupInfo(handle(KERNEL), device, 0x2033 + pick(4), pick(32),
                                           value, room, memory(), out));
        break;
    case 13:
        check_code(
            clGetProgramBuildInfo(handle(PROGRAM), device, 0x1181 + pick(8), room, value, out));
        break;
    default:
        check_code(clGetPipeInfo(mem(), what, room, value, out));
    }
}

static void call_counts(void)
{
    void *any = objects[pick(KINDS)][pick(LIST)];
    struct waits *w = waits();
    cl_device_id list[LIST];
    cl_uint count;
    if (!clRetainMemObject(any))
        CHECK_OK(clReleaseMemObject(any));
    if (!clRetainEvent(any))
        CHECK_OK(clReleaseEvent(any));
    if (!clRetainKernel(any))
        CHECK_OK(clReleaseKernel(any));
    if (!clRetainProgram(any))
        CHECK_OK(clReleaseProgram(any));
    if (!clRetainContext(any))
        CHECK_OK(clReleaseContext(any));
    if (!clRetainCommandQueue(any))
        CHECK_OK(clReleaseCommandQueue(any));
    if (!clRetainSampler(any))
        CHECK_OK(clReleaseSampler(any));
    check_code(clWaitForEvents(w->count, w->list));
    check_code(clFlush(handle(QUEUE)));
    check_code(clSetUserEventStatus(handle(EVENT), (cl_int)number()));
    check_code(clGetDeviceIDs(handle(PLATFORM), bits(), pick(LIST), pick(4) ? list : NULL,
                              pick(4) ? &count : NULL));
}

static void call_create(void)
{
    const intptr_t longer[] = {CL_QUEUE_PROPERTIES,
                               (intptr_t)bits(),
                               CL_QUEUE_SIZE,
                               5,
                               CL_QUEUE_PROPERTIES,
                               (intptr_t)bits(),
                               0};
    const intptr_t contexts[] = {CL_CONTEXT_PLATFORM,
                                 (intptr_t)handle(PLATFORM),
                                 CL_CONTEXT_PLATFORM,
                                 (intptr_t)handle(PLATFORM),
                                 number(),
                                 1,
                                 0};
    cl_device_id devices[] = {handle(DEVICE), handle(DEVICE)};
    cl_int code = 12345;
    cl_command_queue queue = clCreateCommandQueueWithProperties(
        handle(CONTEXT), handle(DEVICE), pick(2) ? (const void *)longer : NULL, &code);
    if (created(queue, code))
        CHECK_OK(clReleaseCommandQueue(queue));
    queue = clCreateCommandQueue(handle(CONTEXT), handle(DEVICE), bits(), &code);
    if (created(queue, code))
        CHECK_OK(clReleaseCommandQueue(queue));
    cl_context context = clCreateContext(pick(2) ? (const void *)contexts : NULL, pick(3),
                                         pick(8) ? devices : NULL, NULL, NULL, &code);
    if (created(context, code))
        CHECK_OK(clReleaseContext(context));
    cl_event event = clCreateUserEvent(handle(CONTEXT), &code);
    if (created(event, code))
        CHECK_OK(clReleaseEvent(event));
    cl_mem pipe = clCreatePipe(handle(CONTEXT), bits(), number(), number(), NULL, &code);
    if (created(pipe, code))
        CHECK_OK(clReleaseMemObject(pipe));
}

static const struct {
    void (*fn)(void);
    const char *name;
} calls[] = {
    {call_transfer, "transfer"}, {call_image_transfer, "image_transfer"},
    {call_map, "map"},           {call_kernel, "kernel"},
    {call_svm, "svm"},           {call_buffer, "buffer"},
    {call_image, "image"},       {call_query, "query"},
    {call_counts, "counts"},     {call_create, "create"},
    {call_program, "program"},   {call_usm, "usm"},
};

// ---- the objects --------------------------------------------------------------------------------

static cl_mem new_image(cl_mem_object_type type)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {type,
                                16,
                                type == CL_MEM_OBJECT_IMAGE1D ? 1 : 16,
                                type == CL_MEM_OBJECT_IMAGE3D ? 16 : 1,
                                3,
                                0,
                                0,
                                0,
                                0,
                                {NULL}};
    return clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
}

static void fill_up(enum kind kind, void *a, void *b, void *c)
{
    void *const list[LIST] = {a, b ? b : a, c ? c : a, a};
    memcpy(objects[kind], list, sizeof list);
}

static void make_objects(void)
{
    cl_buffer_region region = {4096, 4096};
    cl_program program = test_build(source, "-cl-kernel-arg-info");
    cl_mem buffer = test_buffer(0, 65536, NULL);
    cl_event done = clCreateUserEvent(test_context, NULL),
             failed = clCreateUserEvent(test_context, NULL);
    cl_event command = NULL;
    const char *text = source;
    CHECK_OK(clSetUserEventStatus(done, CL_COMPLETE));
    CHECK_OK(clSetUserEventStatus(failed, -5));
    CHECK_OK(clEnqueueMarkerWithWaitList(test_queue, 0, NULL, &command));
    fill_up(PLATFORM, test_platform, NULL, NULL);
    fill_up(DEVICE, test_device, NULL, NULL);
    fill_up(CONTEXT, test_context, clCreateContext(NULL, 1, &test_device, NULL, NULL, NULL),
            test_context);
    fill_up(QUEUE, clCreateCommandQueue(test_context, test_device, 0, NULL),
            clCreateCommandQueue(test_context, test_device, 3, NULL),
            clCreateCommandQueue(objects[CONTEXT][1], test_device, 0, NULL));
    fill_up(BUFFER, buffer,
            clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL),
            test_buffer(CL_MEM_USE_HOST_PTR, 65536, host));
    fill_up(IMAGE, new_image(CL_MEM_OBJECT_IMAGE2D), new_image(CL_MEM_OBJECT_IMAGE3D),
            new_image(CL_MEM_OBJECT_IMAGE1D));
    if (!objects[IMAGE][0])
        fill_up(IMAGE, buffer, NULL, NULL);
    fill_up(PROGRAM, program, clCreateProgramWithSource(test_context, 1, &text, NULL, NULL), NULL);
    fill_up(KERNEL, test_kernel(program, "hold"), clCreateKernel(program, "look", NULL), NULL);
    fill_up(EVENT, done, failed, command);
    fill_up(SAMPLER, clCreateSampler(test_context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL),
            NULL, NULL);
    if (!objects[SAMPLER][0])
        fill_up(SAMPLER, buffer, NULL, NULL);
}

static void check_works(void)
{
    int in = 42, out = 0;
    cl_mem fresh = test_buffer(0, 4, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clFinish(objects[QUEUE][i]));
    CHECK_OK(clEnqueueWriteBuffer(test_queue, fresh, CL_FALSE, 0, 4, &in, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, fresh, CL_TRUE, 0, 4, &out, 0, NULL, NULL));
    CHECK_EQ(out, 42);
    CHECK_OK(clReleaseMemObject(fresh));
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : CALLS;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    host = calloc(1, HOST_BYTES);
    test_open();
    if (!test_has_images()) {
        printf("no images\n");
        return 77;
    }
    if (!usm_open())
        return test_close();
    make_objects();
    for (long i = 0; i < count && test_failures < 20; i++) {
        const unsigned which = pick(sizeof calls / sizeof *calls);
        if (calls[which].fn == call_program && pick(8))
            continue; // builds are slow
        name = calls[which].name;
        calls[which].fn();
    }
    check_works();
    free(host);
    return test_close();
}
