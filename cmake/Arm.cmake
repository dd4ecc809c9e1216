# SPDX-License-Identifier: Apache-2.0
# The common part of arm64.cmake and armhf.cmake. PUMICE_ROOT: the folder with the architecture's
# libraries; ctest runs programs with it under QEMU's user-mode emulation if that is installed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PUMICE_ARM_PROCESSOR})
set(CMAKE_C_COMPILER ${PUMICE_ARM}-gcc)
set(PUMICE_ROOT "" CACHE PATH "Root with the libraries of the architecture that is compiled for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PUMICE_ROOT)
set(CMAKE_SYSROOT ${PUMICE_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE ${PUMICE_ARM})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(PUMICE_QEMU qemu-${PUMICE_ARM_PROCESSOR})
if(PUMICE_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${PUMICE_QEMU} -L ${PUMICE_ROOT})
endif()
