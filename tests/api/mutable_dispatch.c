// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer_mutable_dispatch: what can be updated in a recorded launch, when updates
// take effect, errors, and that a failed update changes nothing.
#include "command_buffer.h"

enum { N = 256, BYTES = N * sizeof(int) };

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void where(global int *p) {\n"
    "    p[get_global_id(0)] = (int)(get_global_size(0) * 10000 + get_local_size(0) * 100 + get_global_offset(0)); }\n"
    "kernel void room(global int *p, local int *l, int n) { l[n - 1] = n; p[get_global_id(0)] = l[n - 1]; }\n";
static cl_program program;
static cl_kernel add;
static cl_mem memory, other;
static const size_t size = N;
static const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;

typedef cl_mutable_dispatch_config_khr config;
typedef cl_mutable_dispatch_arg_khr argument;

static cl_mutable_command_khr record(cl_command_buffer_khr buffer, cl_kernel kernel, cl_mutable_dispatch_fields_khr fields,
                                     const size_t *offset, const size_t *global, const size_t *local)
{
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields, 0};
    cl_mutable_command_khr handle = NULL;
    CHECK_OK(cb.clCommandNDRangeKernelKHR(buffer, NULL, fields ? list : NULL, kernel, 1, offset, global, local, 0, NULL,
                                          NULL, &handle));
    CHECK(handle != NULL);
    return handle;
}

static cl_int update(cl_command_buffer_khr buffer, const config *c)
{
    const void *list[1] = {c};
    return cb.clUpdateMutableCommandsKHR(buffer, 1, &type, list);
}

static cl_int update_argument(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, cl_uint index, size_t bytes,
                              const void *value)
{
    const argument arg = {index, bytes, value};
    return update(buffer, &(config){.command = handle, .num_args = 1, .arg_list = &arg});
}

static void set(cl_kernel kernel, cl_mem mem, int value)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof value, &value));
}

static void release(cl_command_buffer_khr buffer)
{
    CHECK_OK(cb.clReleaseCommandBufferKHR(buffer));
}

// ---- arguments ----------------------------------------------------------------------------------

static void check_arguments(void)
{
    const int ten = 10;
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    set(add, memory, 1);
    cl_mutable_command_khr first = record(buffer, add, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, NULL, &size, NULL);
    cl_mutable_command_khr second = record(buffer, add, 0, NULL, &size, NULL);
    cb_finish(buffer);
    cb_set(memory, 0, N);
    cb_set(other, 0, N);
    cb_replay(buffer); // memory 2
    CHECK_OK(update_argument(buffer, second, 1, sizeof ten, &ten));
    cb_replay(buffer); // memory 13
    CHECK_OK(update_argument(buffer, first, 0, sizeof other, &other));
    cb_replay(buffer); // memory 23, other 1: earlier updates persist
    // memory 24: the kernel's arguments are unchanged
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, add, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_EQ(cb_wrong(memory, N, 24, 0), 0);
    CHECK_EQ(cb_wrong(other, N, 1, 0), 0);
    release(buffer);
}

static void check_local_argument(void)
{
    const int many = 500;
    const argument args[2] = {{1, many * sizeof(int), NULL}, {2, sizeof many, &many}};
    int n = 4;
    cl_kernel room = test_kernel(program, "room");
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    CHECK_OK(clSetKernelArg(room, 0, sizeof memory, &memory));
    CHECK_OK(clSetKernelArg(room, 1, n * sizeof(int), NULL));
    CHECK_OK(clSetKernelArg(room, 2, sizeof n, &n));
    cl_mutable_command_khr handle = record(buffer, room, 0, NULL, &size, NULL);
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, N, 4, 0), 0);
    CHECK_OK(update(buffer, &(config){.command = handle, .num_args = 2, .arg_list = args}));
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, N, many, 0), 0);
    release(buffer);
    CHECK_OK(clReleaseKernel(room));
}

static void check_svm_argument(void)
{
    int *shared = clSVMAlloc(test_context, CL_MEM_READ_WRITE, BYTES, 0);
    if (!shared)
        return;
    const argument arg = {0, 0, shared};
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    set(add, memory, 3);
    cl_mutable_command_khr handle = record(buffer, add, 0, NULL, &size, NULL);
    cb_finish(buffer);
    const int one = 1;
    CHECK_OK(clEnqueueSVMMemFill(test_queue, shared, &one, sizeof one, BYTES, 0, NULL, NULL));
    CHECK_OK(update(buffer, &(config){.command = handle, .num_svm_args = 1, .arg_svm_list = &arg}));
    cb_replay(buffer);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, shared, BYTES, 0, NULL, NULL));
    CHECK(shared[0] == 4 && shared[N - 1] == 4);
    CHECK_OK(clEnqueueSVMUnmap(test_queue, shared, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    release(buffer);
    clSVMFree(test_context, shared);
}

// ---- sizes --------------------------------------------------------------------------------------

static void check_sizes(void)
{
    const size_t start = 0, half = 64, quarter = 32, eight = 8, four = 4, five = 5;
    size_t got[3] = {0};
    cl_kernel where = test_kernel(program, "where");
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    CHECK_OK(clSetKernelArg(where, 0, sizeof memory, &memory));
    cl_mutable_command_khr handle = record(buffer, where, 0, &start, &half, &eight);
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, 64, 640800, 0), 0);
    CHECK_OK(update(buffer, &(config){.command = handle, .global_work_size = &quarter}));
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, 32, 320800, 0), 0);
    CHECK_OK(update(buffer, &(config){.command = handle, .work_dim = 1, .local_work_size = &four}));
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, 32, 320400, 0), 0);
    cb_set(memory, 7, N);
    CHECK_OK(update(buffer, &(config){.command = handle, .global_work_offset = &eight}));
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, 8, 7, 0), 0);
    int value;
    CHECK_OK(clEnqueueReadBuffer(test_queue, memory, CL_TRUE, 8 * sizeof value, sizeof value, &value, 0, NULL, NULL));
    CHECK_EQ(value, 320408);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, sizeof got, got, NULL));
    CHECK_EQ(got[0], 8);
    CHECK_EQ(update(buffer, &(config){.command = handle, .local_work_size = &five}), CL_INVALID_OPERATION);
    CHECK_EQ(update(buffer, &(config){.command = handle, .work_dim = 2, .global_work_size = &quarter}),
             CL_INVALID_OPERATION);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(handle, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizeof got, got, NULL));
    CHECK_EQ(got[0], 4);
    release(buffer);
    CHECK_OK(clReleaseKernel(where));
}

// ---- when updates take effect -------------------------------------------------------------------

// A replay uses the arguments at the time when it was enqueued, even if it starts later.
static void check_in_flight(cl_command_queue_properties bits)
{
    cl_int error;
    cl_event hold = clCreateUserEvent(test_context, &error), done[2];
    cl_command_queue queue = cb_queue(bits);
    cl_command_buffer_khr buffer = cb_new(queue, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    set(add, memory, 1);
    cl_mutable_command_khr handle = record(buffer, add, 0, NULL, &size, NULL);
    cb_finish(buffer);
    cb_set(memory, 0, N);
    cb_set(other, 0, N);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &hold, &done[0]));
    CHECK_OK(update_argument(buffer, handle, 0, sizeof other, &other));
    const int hundred = 100;
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &hold, &done[1]));
    CHECK_OK(update_argument(buffer, handle, 1, sizeof hundred, &hundred));
    CHECK_OK(clSetUserEventStatus(hold, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(2, done));
    CHECK_EQ(cb_wrong(memory, N, 1, 0), 0);
    CHECK_EQ(cb_wrong(other, N, 1, 0), 0);
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(cb_wrong(other, N, 101, 0), 0);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseEvent(done[i]));
    CHECK_OK(clReleaseEvent(hold));
    release(buffer);
    CHECK_OK(clReleaseCommandQueue(queue));
}

// Updates one of many launches before each replay; no replay waits for the previous one.
static void check_stream(void)
{
    enum { LAUNCHES = 100, REPLAYS = 300 };
    cl_mutable_command_khr handles[LAUNCHES];
    int values[LAUNCHES], want = 0;
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    for (int i = 0; i < LAUNCHES; i++) {
        values[i] = i % 7;
        set(add, memory, values[i]);
        handles[i] = record(buffer, add, 0, NULL, &size, NULL);
    }
    cb_finish(buffer);
    cb_set(memory, 0, N);
    for (int r = 0; r < REPLAYS; r++) {
        int at = r * 37 % LAUNCHES;
        values[at] = r % 11;
        CHECK_OK(update_argument(buffer, handles[at], 1, sizeof r, &values[at]));
        cb_replay(buffer);
        for (int i = 0; i < LAUNCHES; i++)
            want += values[i];
    }
    CHECK_EQ(cb_wrong(memory, N, want, 0), 0);
    release(buffer);
}

static void CL_CALLBACK note_gone(cl_mem mem, void *data)
{
    (void)mem;
    *(volatile bool *)data = true;
}

// Memory that no replay uses any more is released before the command buffer.
static void check_replaced_memory(void)
{
    static volatile bool gone;
    cl_mem old = cb_memory(BYTES);
    CHECK_OK(clSetMemObjectDestructorCallback(old, note_gone, (void *)&gone));
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    set(add, old, 1);
    cl_mutable_command_khr handle = record(buffer, add, 0, NULL, &size, NULL);
    cb_finish(buffer);
    cb_replay(buffer);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(update_argument(buffer, handle, 0, sizeof memory, &memory));
    CHECK_OK(clReleaseMemObject(old));
    cb_replay(buffer);
    CHECK_OK(clFinish(test_queue));
    CHECK(gone);
    release(buffer);
}

// ---- arguments set after recording --------------------------------------------------------------

static void check_deferred(void)
{
    const int n = 4;
    cl_kernel fresh = test_kernel(program, "add");
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr handle = NULL;
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, (cl_command_properties_khr[]){CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                          CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0}, fresh, 1, NULL, &size, NULL, 0, NULL,
                                          NULL, &handle), CL_INVALID_KERNEL_ARGS);
    handle = record(buffer, fresh, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, NULL, &size, NULL);
    cb_finish(buffer);
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    CHECK_EQ(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(update_argument(buffer, handle, 0, sizeof memory, &memory));
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    CHECK_OK(update_argument(buffer, handle, 1, sizeof n, &n));
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    cb_set(memory, 1, N);
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, N, 5, 0), 0);
    release(buffer);
    CHECK_OK(clReleaseKernel(fresh));
}

// ---- refusals -----------------------------------------------------------------------------------

static void check_calls(cl_command_buffer_khr buffer, cl_mutable_command_khr handle)
{
    const config nothing = {.command = handle};
    const void *list[2] = {&nothing, NULL};
    const cl_command_buffer_update_type_khr types[2] = {type, type}, wrong = 77;
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(NULL, 1, types, list), CL_INVALID_COMMAND_BUFFER_KHR);
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 1, NULL, list), CL_INVALID_VALUE);
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 1, types, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 0, types, list), CL_INVALID_VALUE);
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 2, types, list), CL_INVALID_VALUE);
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 1, &wrong, list), CL_INVALID_VALUE);
    CHECK_OK(cb.clUpdateMutableCommandsKHR(buffer, 0, NULL, NULL));
    CHECK_OK(cb.clUpdateMutableCommandsKHR(buffer, 1, types, list));
}

static void check_configurations(cl_command_buffer_khr buffer, cl_mutable_command_khr handle)
{
    const int n = 1;
    const argument arg = {1, sizeof n, &n}, far = {7, sizeof n, &n}, large = {1, 8, &n};
    cl_command_buffer_khr another = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cb_finish(another);
    CHECK_EQ(update(buffer, &(config){.command = NULL}), CL_INVALID_MUTABLE_COMMAND_KHR);
    CHECK_EQ(update(buffer, &(config){.command = (cl_mutable_command_khr)test_queue}), CL_INVALID_MUTABLE_COMMAND_KHR);
    CHECK_EQ(update(another, &(config){.command = handle}), CL_INVALID_MUTABLE_COMMAND_KHR);
    CHECK_EQ(update(buffer, &(config){.command = handle, .num_args = 1}), CL_INVALID_VALUE);
    CHECK_EQ(update(buffer, &(config){.command = handle, .arg_list = &arg}), CL_INVALID_VALUE);
    CHECK_EQ(update(buffer, &(config){.command = handle, .num_svm_args = 1}), CL_INVALID_VALUE);
    CHECK_EQ(update(buffer, &(config){.command = handle, .num_exec_infos = 1}), CL_INVALID_VALUE);
    CHECK_EQ(update(buffer, &(config){.command = handle, .num_args = 1, .arg_list = &far}), CL_INVALID_ARG_INDEX);
    CHECK_EQ(update(buffer, &(config){.command = handle, .num_args = 1, .arg_list = &large}), CL_INVALID_ARG_SIZE);
    CHECK_EQ(update(buffer, &(config){.command = handle, .global_work_size = &size}), CL_INVALID_OPERATION);
    CHECK_EQ(update(buffer, &(config){.command = handle, .global_work_offset = &size}), CL_INVALID_OPERATION);
    CHECK_EQ(update(buffer, &(config){.command = handle, .local_work_size = &size}), CL_INVALID_OPERATION);
    release(another);
}

// Two launches in one call, the second of which is invalid: the first is not changed either.
static void check_refused_whole(cl_command_buffer_khr buffer, cl_mutable_command_khr a, cl_mutable_command_khr b)
{
    const int n = 50;
    const argument good = {1, sizeof n, &n}, bad = {0, sizeof add, &add};
    const config configs[2] = {{.command = a, .num_args = 1, .arg_list = &good},
                               {.command = b, .num_args = 1, .arg_list = &bad}};
    const void *list[2] = {&configs[0], &configs[1]};
    const cl_command_buffer_update_type_khr types[2] = {type, type};
    CHECK_EQ(cb.clUpdateMutableCommandsKHR(buffer, 2, types, list), CL_INVALID_MEM_OBJECT);
    cb_set(memory, 0, N);
    cb_replay(buffer);
    CHECK_EQ(cb_wrong(memory, N, 2, 0), 0);
}

static void check_refusals(void)
{
    const int n = 1;
    const size_t wide = 1 << 20;
    const cl_command_properties_khr twice[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0,
                                               CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
    const cl_command_properties_khr unknown[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, 0};
    cl_command_buffer_khr fixed = cb_new(test_queue, 0), buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    set(add, memory, 1);
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, twice, add, 1, NULL, &size, NULL, 0, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(cb.clCommandNDRangeKernelKHR(buffer, NULL, unknown, add, 1, NULL, &size, NULL, 0, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    cl_mutable_command_khr still = record(fixed, add, 0, NULL, &size, NULL);
    cl_mutable_command_khr a = record(buffer, add, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, NULL, &size, NULL);
    cl_mutable_command_khr b = record(buffer, add, 0, NULL, &size, NULL);
    CHECK_EQ(update_argument(buffer, a, 1, sizeof n, &n), CL_INVALID_OPERATION); // not finalized
    cb_finish(fixed);
    cb_finish(buffer);
    CHECK_EQ(update_argument(fixed, still, 1, sizeof n, &n), CL_INVALID_OPERATION);
    check_calls(buffer, a);
    check_configurations(buffer, a);
    CHECK(update(buffer, &(config){.command = b, .global_work_size = &wide, .local_work_size = &wide}) < 0);
    check_refused_whole(buffer, a, b);
    release(fixed);
    release(buffer);
}

static void check_queries(void)
{
    const size_t offset = 1, global = 64;
    cl_mutable_dispatch_fields_khr can = 0;
    cl_command_properties_khr list[4];
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR), in;
    size_t got[3], bytes;
    cl_command_queue queue;
    cl_command_type what;
    cl_kernel kernel;
    cl_uint dims;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, sizeof can, &can, NULL));
    CHECK_EQ(can, 31);
    set(add, memory, 1);
    cl_mutable_command_khr h = record(buffer, add, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, &offset, &global, NULL);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue, NULL));
    CHECK(queue == test_queue);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof in, &in, NULL));
    CHECK(in == buffer);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, sizeof what, &what, NULL));
    CHECK_EQ(what, CL_COMMAND_NDRANGE_KERNEL);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, sizeof list, list, &bytes));
    CHECK(bytes == 3 * sizeof *list && list[1] == CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof kernel, &kernel, NULL));
    CHECK(kernel == add);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, sizeof dims, &dims, NULL));
    CHECK_EQ(dims, 1);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, sizeof got, got, &bytes));
    CHECK(bytes == sizeof *got && got[0] == 1);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof got, got, NULL));
    CHECK_EQ(got[0], 64);
    CHECK_OK(cb.clGetMutableCommandInfoKHR(h, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizeof got, got, NULL));
    CHECK_EQ(got[0], 0);
    CHECK_EQ(cb.clGetMutableCommandInfoKHR(h, 0x4242, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(cb.clGetMutableCommandInfoKHR(NULL, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0, NULL, NULL),
             CL_INVALID_MUTABLE_COMMAND_KHR);
    release(buffer);
}

int main(void)
{
    cb_open("cl_khr_command_buffer_mutable_dispatch");
    program = test_build(source, "");
    add = test_kernel(program, "add");
    memory = cb_memory(BYTES);
    other = cb_memory(BYTES);
    check_queries();
    check_arguments();
    check_local_argument();
    check_svm_argument();
    check_sizes();
    check_in_flight(0);
    check_in_flight(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    check_stream();
    check_replaced_memory();
    check_deferred();
    check_refusals();
    CHECK_OK(clReleaseMemObject(memory));
    CHECK_OK(clReleaseMemObject(other));
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
