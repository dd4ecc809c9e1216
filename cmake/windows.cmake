# SPDX-License-Identifier: Apache-2.0
# Toolchain file for Windows on x86-64: mingw-w64. PUMICE_ROOT: the folder whose include/ has the
# headers of OpenCL, Vulkan and SPIR-V (tests/windows/root.sh); ctest runs programs under Wine if
# that is installed.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(PUMICE_ROOT "" CACHE PATH "Folder with the headers")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PUMICE_ROOT)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${PUMICE_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
include_directories(SYSTEM ${PUMICE_ROOT}/include)
find_program(PUMICE_WINE NAMES wine64 wine)
if(PUMICE_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${PUMICE_WINE})
endif()
