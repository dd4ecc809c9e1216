# SPDX-License-Identifier: Apache-2.0
# PUMICE_ATOMIC: libatomic if the compiler calls it for atomics of one or eight bytes (riscv64
# before GCC 13), otherwise empty.
include(CheckCSourceCompiles)
set(source "
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
atomic_bool flag;
_Atomic(uint64_t) count;
int main(void) { return atomic_exchange(&flag, 1) + (int)atomic_fetch_add(&count, 1); }")
check_c_source_compiles("${source}" PUMICE_ATOMICS_ARE_INSTRUCTIONS)
set(PUMICE_ATOMIC)
if(NOT PUMICE_ATOMICS_ARE_INSTRUCTIONS)
    set(CMAKE_REQUIRED_LIBRARIES atomic)
    check_c_source_compiles("${source}" PUMICE_ATOMICS_ARE_IN_LIBATOMIC)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NOT PUMICE_ATOMICS_ARE_IN_LIBATOMIC)
        message(FATAL_ERROR "the compiler has no atomics, and there is no libatomic")
    endif()
    set(PUMICE_ATOMIC atomic)
endif()
