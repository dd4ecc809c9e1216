# SPDX-License-Identifier: Apache-2.0
# When cross-compiling: builds the two tools that run during the build in host-tools/, with a
# compiler for the machine that builds.
find_program(PUMICE_HOST_COMPILER NAMES cc gcc clang NO_CMAKE_FIND_ROOT_PATH
    DOC "C compiler for the machine that builds")
if(NOT PUMICE_HOST_COMPILER)
    message(FATAL_ERROR "cross-compiling needs a compiler for this machine as well: -DPUMICE_HOST_COMPILER=")
endif()
set(PUMICE_HOST_FLAGS "" CACHE STRING "Flags of the compiler for the machine that builds")
include(ExternalProject)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/host-tools)
set(KC_BARE ${folder}/pumice-cc-bare)
set(KERNELS_MAIN ${folder}/kernels_main)
ExternalProject_Add(host_tools
    SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}
    BINARY_DIR ${folder}
    CMAKE_ARGS -DPUMICE_TOOLS_ONLY=ON -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${PUMICE_HOST_COMPILER}
        -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}
        # Not the flags from the environment, which are for the target.
        -DCMAKE_C_FLAGS=${PUMICE_HOST_FLAGS} -DCMAKE_ASM_FLAGS=${PUMICE_HOST_FLAGS} -DCMAKE_EXE_LINKER_FLAGS=
    BUILD_COMMAND ${CMAKE_COMMAND} --build ${folder} --target pumice-cc-bare kernels_main
    BUILD_ALWAYS ON
    BUILD_BYPRODUCTS ${KC_BARE} ${KERNELS_MAIN}
    INSTALL_COMMAND "")
set(PUMICE_HOST_TOOLS host_tools)
