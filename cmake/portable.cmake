# SPDX-License-Identifier: Apache-2.0
# Toolchain: x86-64 with an older C library than this machine's, unpacked in PUMICE_ROOT (tests/arm/root.sh amd64 FOLDER SUITE).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER gcc)
set(PUMICE_ROOT "" CACHE PATH "Folder of that C library")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PUMICE_ROOT)
set(CMAKE_SYSROOT ${PUMICE_ROOT})
# The compiler would find this machine's library first.
set(CMAKE_C_FLAGS_INIT "-B${PUMICE_ROOT}/usr/lib/x86_64-linux-gnu -L${PUMICE_ROOT}/usr/lib/x86_64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(PUMICE_PACK_RELOCATIONS OFF CACHE BOOL "The loader of glibc before 2.36 does not know DT_RELR")
