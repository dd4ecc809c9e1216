// SPDX-License-Identifier: Apache-2.0
// Litmus tests: which outcomes of a few atomic operations by work-items of different work-groups
// occur, with sequentially consistent operations, and with relaxed ones between sequentially
// consistent fences.
//
// A shape defines what each work-item does with x and y, and the outcome that no interleaving
// allows. A launch runs many instances of a shape; the work-groups of an instance synchronise
// before each round, as far as the device runs them concurrently. Relaxed operations without fences
// also run; their outcomes are printed, and are not failures.
//
//   api_litmus [LAUNCHES [GROUPS]]
#include "test.h"

enum { ITEMS = 64, ROUNDS = 32, ROLES = 4, RESULTS = 4 };

static const struct shape {
    const char *name;
    const char *roles[ROLES]; // NULL: unused
    const char *forbidden;
} shapes[] = {
    {"store buffering", {"W(x, 1); F; r[0] = R(y);", "W(y, 1); F; r[1] = R(x);"}, "!r[0] && !r[1]"},
    {"message passing", {"W(x, 1); F; W(y, 1);", "r[0] = R(y); F; r[1] = R(x);"}, "r[0] && !r[1]"},
    {"load buffering", {"r[0] = R(x); F; W(y, 1);", "r[1] = R(y); F; W(x, 1);"}, "r[0] && r[1]"},
    {"independent reads of independent writes",
     {"W(x, 1);", "r[0] = R(x); F; r[1] = R(y);", "W(y, 1);", "r[2] = R(y); F; r[3] = R(x);"},
     "r[0] && !r[1] && r[2] && !r[3]"},
    {"two writes each", {"W(x, 1); F; W(y, 2);", "W(y, 1); F; W(x, 2);"}, "*x == 1 && *y == 1"},
    {"write and read", {"W(x, 1); F; W(y, 1);", "W(y, 2); F; r[0] = R(x);"}, "*y == 2 && !r[0]"},
    {"read and write", {"W(x, 2); F; W(y, 1);", "r[0] = R(y); F; W(x, 1);"}, "r[0] && *x == 2"},
    {"write to read causality", {"W(x, 1);", "r[0] = R(x); F; W(y, 1);", "r[1] = R(y); F; r[2] = R(x);"}, "r[0] && r[1] && !r[2]"},
    {"read to write causality", {"W(x, 1);", "r[0] = R(x); F; r[1] = R(y);", "W(y, 1); F; r[2] = R(x);"}, "r[0] && !r[1] && !r[2]"},
};

static const struct kind {
    const char *name, *macros;
    bool strict;
} kinds[] = {
    {"sequentially consistent operations",
     "#define W(p, v) atomic_store(p, v)\n"
     "#define R(p) atomic_load(p)\n"
     "#define F\n", true},
    {"the same with explicit orders and scopes",
     "#define W(p, v) atomic_exchange_explicit(p, v, memory_order_seq_cst, memory_scope_device)\n"
     "#define R(p) atomic_load_explicit(p, memory_order_seq_cst, memory_scope_device)\n"
     "#define F\n", true},
    {"relaxed ones with fences",
     "#define W(p, v) atomic_store_explicit(p, v, memory_order_relaxed, memory_scope_device)\n"
     "#define R(p) atomic_load_explicit(p, memory_order_relaxed, memory_scope_device)\n"
     "#define F atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)\n", true},
    {"relaxed ones",
     "#define W(p, v) atomic_store_explicit(p, v, memory_order_relaxed, memory_scope_device)\n"
     "#define R(p) atomic_load_explicit(p, memory_order_relaxed, memory_scope_device)\n"
     "#define F\n", false},
};

// The distance between locations varies, so that x and y may be in the same cache line or not.
static const char head[] =
    "#define PLACE(i) ((i) * 16 + (i) / 64 % 16)\n"
    "static void meet(global atomic_uint *counter, uint roles, uint round) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (!get_local_id(0)) {\n"
    "        atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_device);\n"
    "        for (uint i = 0; i < 2000; i++)\n"
    "            if (atomic_load_explicit(counter, memory_order_relaxed, memory_scope_device) >= roles * (round + 1)) break;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "}\n"
    "kernel void count(global uint *xs, global uint *ys, global uint *rs, volatile global uint *seen) {\n"
    "    global uint *x = xs + PLACE(get_global_id(0)), *y = ys + PLACE(get_global_id(0)), *r = rs + 4 * get_global_id(0);\n"
    "    if (FORBIDDEN) atomic_inc(seen);\n"
    "}\n"
    "kernel void go(global atomic_uint *xs, global atomic_uint *ys, global uint *rs, global atomic_uint *counters) {\n"
    "    uint set = get_group_id(0) / ROLES, role = get_group_id(0) % ROLES;\n"
    "    for (uint round = 0; round < ROUNDS; round++) {\n"
    "        uint i = (set * ROUNDS + round) * get_local_size(0) + (get_local_id(0) + role * round) % get_local_size(0);\n"
    "        global atomic_uint *x = xs + PLACE(i), *y = ys + PLACE(i);\n"
    "        global uint *r = rs + 4 * i;\n"
    "        meet(counters + set, ROLES, round);\n"
    "        switch (role) {\n";

static cl_uint role_count(const struct shape *shape)
{
    cl_uint count = 0;
    while (count < ROLES && shape->roles[count])
        count++;
    return count;
}

static cl_program build(const struct shape *shape, const struct kind *kind)
{
    static char source[16384];
    char *p = source;
    p += sprintf(p, "%s#define FORBIDDEN (%s)\n#define ROLES %uu\n#define ROUNDS %uu\n%s", kind->macros, shape->forbidden,
                 role_count(shape), (unsigned)ROUNDS, head);
    for (cl_uint i = 0; i < role_count(shape); i++)
        p += sprintf(p, "        case %u: %s break;\n", i, shape->roles[i]);
    strcpy(p, "        }\n    }\n}\n");
    return test_build(source, "-cl-std=CL2.0");
}

static void zero(cl_mem mem, size_t size)
{
    cl_uint nothing = 0;
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &nothing, sizeof nothing, 0, size, 0, NULL, NULL));
}

struct memory {
    cl_mem places[2], results, counters, seen;
    size_t place_bytes, result_bytes, counter_bytes;
};

static cl_uint run(cl_program program, const struct memory *m, cl_uint roles, cl_uint sets, int launches)
{
    cl_kernel go = test_kernel(program, "go"), count = test_kernel(program, "count");
    size_t items = ITEMS, all = (size_t)sets * roles * ITEMS, instances = (size_t)sets * ITEMS * ROUNDS;
    cl_uint seen = 0;
    zero(m->seen, sizeof seen);
    for (cl_uint i = 0; i < 4; i++) {
        const cl_mem of_go[] = {m->places[0], m->places[1], m->results, m->counters};
        const cl_mem of_count[] = {m->places[0], m->places[1], m->results, m->seen};
        CHECK_OK(clSetKernelArg(go, i, sizeof(cl_mem), &of_go[i]));
        CHECK_OK(clSetKernelArg(count, i, sizeof(cl_mem), &of_count[i]));
    }
    for (int i = 0; i < launches; i++) {
        zero(m->places[0], m->place_bytes);
        zero(m->places[1], m->place_bytes);
        zero(m->results, m->result_bytes);
        zero(m->counters, m->counter_bytes);
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, go, 1, NULL, &all, &items, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, count, 1, NULL, &instances, &items, 0, NULL, NULL));
    }
    CHECK_OK(clEnqueueReadBuffer(test_queue, m->seen, CL_TRUE, 0, sizeof seen, &seen, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(go));
    CHECK_OK(clReleaseKernel(count));
    return seen;
}

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 4;
    cl_uint groups = argc > 2 ? (cl_uint)atoi(argv[2]) : 16, sets = groups / 2;
    test_open();
    size_t instances = (size_t)sets * ITEMS * ROUNDS;
    struct memory m = {.place_bytes = (instances * 16 + 16) * sizeof(cl_uint),
                       .result_bytes = instances * RESULTS * sizeof(cl_uint),
                       .counter_bytes = sets * sizeof(cl_uint)};
    m.places[0] = test_buffer(CL_MEM_READ_WRITE, m.place_bytes, NULL);
    m.places[1] = test_buffer(CL_MEM_READ_WRITE, m.place_bytes, NULL);
    m.results = test_buffer(CL_MEM_READ_WRITE, m.result_bytes, NULL);
    m.counters = test_buffer(CL_MEM_READ_WRITE, m.counter_bytes, NULL);
    m.seen = test_buffer(CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            cl_uint roles = role_count(&shapes[i]);
            cl_program program = build(&shapes[i], &kinds[k]);
            cl_uint seen = run(program, &m, roles, groups / roles, launches);
            CHECK_OK(clReleaseProgram(program));
            if (seen)
                printf("%s, %s: %u of %zu instances\n", kinds[k].name, shapes[i].name, seen,
                       (size_t)(groups / roles) * ITEMS * ROUNDS * (size_t)launches);
            if (kinds[k].strict)
                CHECK_EQ(seen, 0);
        }
    const cl_mem all[] = {m.places[0], m.places[1], m.results, m.counters, m.seen};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK_OK(clReleaseMemObject(all[i]));
    return test_close();
}
