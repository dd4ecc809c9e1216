// SPDX-License-Identifier: Apache-2.0
// The leak detector finds a block that nothing points to and objects that are not released, and
// nothing else.
#include "test.h"

int main(void)
{
    test_open();
    CHECK_EQ(leaks_count(true), 0);
#ifdef __SANITIZE_ADDRESS__
    uintptr_t lost = ~(uintptr_t)malloc(100), mem = ~(uintptr_t)test_buffer(0, 4096, NULL);
    CHECK(leaks_count(false) >= 2);
    free((void *)~lost);
    CHECK(leaks_count(false) >= 1);
    CHECK_OK(clReleaseMemObject((cl_mem)~mem));
    CHECK_EQ(leaks_count(true), 0);
#endif
    return test_close();
}
