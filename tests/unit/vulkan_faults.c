// SPDX-License-Identifier: Apache-2.0
// Faults: no driver, too much memory, a lost device, a fork, an exit with pending work. Each runs
// in its own child process, whose exit status is the result.
#include "vulkan_device.h"

#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"

enum { SKIP = 77, BYTES = 64 << 20 };

static int no_driver(void)
{
    struct vk_physical *list;
    uint32_t count = 5;
    setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
    setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
    for (int i = 0; i < 2; i++) {
        CHECK(vk_physical_list(&list, &count) == VK_ERROR_INITIALIZATION_FAILED);
        CHECK(count == 0 && !list);
    }
    return check_result();
}

static int no_such_device(void)
{
    struct vk_physical *list;
    uint32_t count;
    setenv("PUMICE_DEVICE", "no device has this name", 1);
    CHECK(vk_physical_list(&list, &count) == VK_ERROR_INITIALIZATION_FAILED && count == 0);
    return check_result();
}

static int too_much_memory(void)
{
    struct vk_device *device = test_device();
    struct vk_buffer *buffers = calloc(64, sizeof *buffers);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, UINT64_MAX / 2, &buffers[0]) ==
          VK_ERROR_OUT_OF_DEVICE_MEMORY);
    struct vk_buffer small;
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 1000, &small) == VK_SUCCESS);
    vk_buffer_destroy(&small);
    free(buffers);
    return test_result();
}

static int lost_device(void)
{
    struct vk_device *device = test_device(), *again;
    struct cmd_queue *queue;
    struct vk_buffer buffer;
    struct command *event, *user, *held;
    CHECK(cmd_queue_create(device, 0, &queue) == CL_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 4096, &buffer) == VK_SUCCESS);
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    struct cmd_request r = {.queue = queue, .out = &event};
    CHECK(cmd_fill(&r, &buffer, 0, 4096, "abcd", 4) == CL_SUCCESS);
    CHECK(cmd_flush(queue) == CL_SUCCESS);
    r = (struct cmd_request){.queue = queue, .out = &held, .waits = &user, .wait_count = 1};
    CHECK(cmd_fill(&r, &buffer, 0, 4096, "abcd", 4) == CL_SUCCESS);
    device->fn.DeviceWaitIdle(device->handle);
    vk_device_note(device, VK_ERROR_DEVICE_LOST, "a test");
    CHECK(cmd_wait(&event, 1) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
          cmd_status(event) == CL_COMPLETE);
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cmd_wait(&held, 1) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    r = (struct cmd_request){.queue = queue};
    CHECK(cmd_fill(&r, &buffer, 0, 4096, "abcd", 4) == CL_OUT_OF_RESOURCES);
    CHECK(cmd_finish(queue) == CL_OUT_OF_RESOURCES);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 1000, &(struct vk_buffer){0}) ==
          VK_ERROR_DEVICE_LOST);
    cmd_release(event), cmd_release(held), cmd_release(user);
    cmd_queue_release(queue);
    vk_buffer_destroy(&buffer);
    struct vk_physical *physical = device->physical;
    vk_device_close(device);
    CHECK(vk_device_open(physical, &again) == VK_SUCCESS); // a new device replaces it
    CHECK(vk_device_check(again) == VK_SUCCESS);
    CHECK(cmd_queue_create(again, 0, &queue) == CL_SUCCESS);
    CHECK(cmd_finish(queue) == CL_SUCCESS);
    cmd_queue_release(queue);
    vk_device_close(again);
    return check_result();
}

static void start_work(struct vk_device *device, struct cmd_queue **queue, struct vk_buffer *buffer)
{
    CHECK(cmd_queue_create(device, 0, queue) == CL_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, BYTES, buffer) == VK_SUCCESS);
    struct cmd_request r = {.queue = *queue};
    for (int i = 0; i < 20; i++)
        CHECK(cmd_fill(&r, buffer, 1, BYTES - 1, "x", 1) == CL_SUCCESS);
    CHECK(cmd_flush(*queue) == CL_SUCCESS);
}

static void note(struct command *command, cl_int status, void *data)
{
    (void)command, (void)status, (void)data;
}

static int exit_with_work(void)
{
    struct vk_device *device = test_device();
    static struct cmd_queue *queue; // static, so that it is not a leak at exit
    static struct vk_buffer buffer;
    static struct command *event;
    start_work(device, &queue, &buffer);
    struct cmd_request r = {.queue = queue, .out = &event};
    CHECK(cmd_fill(&r, &buffer, 0, BYTES, "abcd", 4) == CL_SUCCESS);
    // starts the completion thread
    CHECK(cmd_on_status(event, CL_COMPLETE, note, NULL, NULL) == CL_SUCCESS);
    return test_result();
}

static int fork_with_work(void)
{
    struct vk_device *device = test_device();
    struct cmd_queue *queue;
    struct vk_buffer buffer, more;
    int status;
    start_work(device, &queue, &buffer);
    pid_t child = fork();
    if (!child) {
        struct cmd_request r = {.queue = queue};
        struct vk_physical *list;
        uint32_t count;
        CHECK(cmd_fill(&r, &buffer, 0, BYTES, "abcd", 4) == CL_OUT_OF_RESOURCES);
        CHECK(cmd_flush(queue) == CL_OUT_OF_RESOURCES && cmd_finish(queue) == CL_OUT_OF_RESOURCES);
        CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 10, &more) == VK_ERROR_DEVICE_LOST);
        CHECK(vk_physical_list(&list, &count) == VK_ERROR_DEVICE_LOST && count == 0);
        cmd_queue_release(queue);
        vk_buffer_destroy(&buffer);
        vk_device_close(device);
        fflush(stderr);
        _exit(check_result()); // some drivers' exit handlers crash in a child
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
    CHECK(cmd_finish(queue) == CL_SUCCESS); // the parent is not affected
    cmd_queue_release(queue);
    vk_buffer_destroy(&buffer);
    vk_device_close(device);
    return test_result();
}

int main(void)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {
        {"no driver", no_driver},
        {"no such device", no_such_device},
        {"too much memory", too_much_memory},
        {"lost device", lost_device},
        {"exit with work", exit_with_work},
        {"fork with work", fork_with_work},
    };
    int skipped = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status;
        pid_t child = fork();
        if (!child) {
            alarm(300);
            exit(cases[i].run());
        }
        CHECK(waitpid(child, &status, 0) == child);
        skipped += WIFEXITED(status) && WEXITSTATUS(status) == SKIP;
        if (!WIFEXITED(status) || (WEXITSTATUS(status) && WEXITSTATUS(status) != SKIP)) {
            fprintf(stderr, "%s: status %x\n", cases[i].name, status);
            check_failures++;
        }
    }
    if (check_failures)
        return 1;
    return skipped ? SKIP : 0;
}
