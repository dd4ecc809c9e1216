// SPDX-License-Identifier: Apache-2.0
// Hashes for in-memory tables and for checksums of our own files; not cryptographic.
#ifndef PUMICE_UTIL_HASH_H
#define PUMICE_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Finaliser of SplitMix64 (Steele, Lea, Flood 2014).
static inline uint64_t hash_u64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t hash_combine(uint64_t seed, uint64_t x)
{
    return hash_u64(seed ^ (x + UINT64_C(0x9e3779b97f4a7c15)));
}

// A quicker step, for tables that compare the entries of a chain anyway
static inline uint64_t hash_step(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

// Eight bytes a step. The values depend on the byte order of the machine.
static inline uint64_t hash_bytes64(const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t hash = size, word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = hash_u64(hash ^ word);
    }
    for (word = 0; size; size--)
        word = word << 8 | *at++;
    return hash_u64(hash ^ word);
}

static inline uint32_t hash_bytes(const void *data, size_t size)
{
    return (uint32_t)hash_bytes64(data, size);
}

#endif
