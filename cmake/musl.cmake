# SPDX-License-Identifier: Apache-2.0
# Toolchain: x86-64 with musl, by Debian's musl-gcc. PUMICE_ROOT: a folder with the headers of Vulkan, OpenCL and SPIR-V, because
# musl-gcc does not read /usr/include.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER musl-gcc)
set(PUMICE_ROOT "" CACHE PATH "Folder of those headers")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PUMICE_ROOT)
set(CMAKE_C_FLAGS_INIT "-idirafter ${PUMICE_ROOT}")
set(PUMICE_PACK_RELOCATIONS OFF CACHE BOOL "The loader of musl before 1.2.4 does not know DT_RELR")
