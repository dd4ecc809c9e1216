# SPDX-License-Identifier: Apache-2.0
# Toolchain file for 32-bit x86: Debian's cross compiler and a root of that architecture
# (tests/arm/root.sh). The processor that builds also runs the programs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(PUMICE_ROOT "" CACHE PATH "Root with the libraries of the architecture that is compiled for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PUMICE_ROOT)
set(CMAKE_SYSROOT ${PUMICE_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
set(CMAKE_C_FLAGS_INIT "-B${PUMICE_ROOT}/usr/lib/i386-linux-gnu -isystem ${PUMICE_ROOT}/usr/include/i386-linux-gnu -L${PUMICE_ROOT}/usr/lib/i386-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR ${PUMICE_ROOT}/lib/ld-linux.so.2 --library-path ${PUMICE_ROOT}/usr/lib/i386-linux-gnu)
