// SPDX-License-Identifier: Apache-2.0
// Address ranges that are added, found and removed in random order, compared with a plain list.
#include "object/address_map.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "object/memobj.h"

const struct api_table api_table; // not used here

enum { OBJECTS = 3000, STEPS = 60000, GAP = 64 };

static struct _cl_mem objects[OBJECTS];
static bool there[OBJECTS];
static struct address_map map;

static unsigned next_random(void)
{
    static unsigned seed = 12345;
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static void no_destroy(void *object)
{
    (void)object;
}

static uint64_t begin_of(unsigned i)
{
    return (uint64_t)(i + 1) * GAP;
}

static size_t size_of(unsigned i)
{
    return 1 + i % GAP;
}

// Compares the object found at an address with the list.
static void check_address(uint64_t address)
{
    size_t offset = 0;
    unsigned i = (unsigned)(address / GAP) - 1;
    bool inside = address >= GAP && i < OBJECTS && there[i] && address % GAP < size_of(i);
    struct _cl_mem *mem = address_map_find(&map, address, &offset);
    CHECK(mem == (inside ? &objects[i] : NULL));
    CHECK(!mem || offset == address % GAP);
    object_drop(mem);
}

static void step(unsigned i)
{
    if (there[i]) {
        CHECK(!address_map_remove(&map, begin_of(i) + 1, NULL));
        CHECK(!address_map_remove(&map, begin_of(i), &objects[(i + 1) % OBJECTS]));
        CHECK(address_map_remove(&map, begin_of(i), i % 2 ? &objects[i] : NULL) == &objects[i]);
    } else {
        CHECK(!address_map_remove(&map, begin_of(i), NULL));
        CHECK(!address_map_add(&map, begin_of(i), size_of(i), &objects[i]));
    }
    there[i] = !there[i];
}

static void check_all(void)
{
    size_t count = 0;
    for (unsigned i = 0; i < OBJECTS; i++) {
        count += there[i];
        check_address(begin_of(i));
        check_address(begin_of(i) + size_of(i) - 1);
        check_address(begin_of(i) + size_of(i));
    }
    CHECK(map.count == count);
    check_address(0);
    check_address(UINT64_MAX);
    CHECK(!count || map.block_count <= 1 + count / 16);
}

// Several objects at one address: each is found by its pointer.
static void check_equals(void)
{
    enum { EQUALS = 700 };
    for (unsigned i = 0; i < EQUALS; i++)
        CHECK(!address_map_add(&map, GAP, 1, &objects[i]));
    for (unsigned i = 0; i < EQUALS; i++) {
        unsigned which = i * 3 % EQUALS;
        CHECK(address_map_remove(&map, GAP, &objects[which]) == &objects[which]);
        CHECK(!address_map_remove(&map, GAP, &objects[which]));
    }
    CHECK(!map.count && !map.block_count);
}

int main(void)
{
    for (unsigned i = 0; i < OBJECTS; i++)
        object_init(&objects[i].base, OBJECT_MEM, no_destroy);
    address_map_init(&map);
    check_address(GAP);
    for (int i = 0; i < STEPS; i++) {
        step(next_random() % OBJECTS);
        check_address(next_random() % (GAP * (OBJECTS + 2)));
    }
    check_all();
    for (unsigned i = 0; i < OBJECTS; i++) // removes most of them, in ascending order
        if (there[i] && i % 100)
            step(i);
    check_all();
    for (unsigned i = OBJECTS; i-- > 0;)
        if (there[i])
            step(i);
    check_all();
    check_equals();
    address_map_finish(&map);
    return check_result();
}
