// SPDX-License-Identifier: Apache-2.0
// Large copies are complete, also several at the same time.
#include "check.h"

#include <stdlib.h>

#include "util/parallel.h"
#include "util/thread.h"

enum { SIZE = 9 << 20, THREADS = 3, ROUNDS = 5 };

static void *copy(void *data)
{
    unsigned char first = *(unsigned char *)data, *from = malloc(SIZE), *to = malloc(SIZE);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = SIZE - (size_t)round * 1001;
        for (size_t i = 0; i < size; i++)
            from[i] = (unsigned char)(first + round + i * 7 / 3);
        memset(to, 0, SIZE);
        parallel_copy(to, from, size);
        CHECK(!memcmp(to, from, size));
        CHECK(size == SIZE || to[size] == 0);
    }
    free(from);
    free(to);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned char numbers[THREADS] = {1, 50, 99};
    copy(&numbers[0]);
    for (int i = 0; i < THREADS; i++)
        CHECK(thread_start(&threads[i], "copy", copy, &numbers[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return check_result();
}
