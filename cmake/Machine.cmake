# SPDX-License-Identifier: Apache-2.0
# Requirements on the machine, and settings common to all build types. PUMICE_FAST: all build types
# but Debug.
if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    message(FATAL_ERROR "Pumice supports little-endian processors only: SPIR-V words, pipeline caches and buffers shared with "
        "a device are read and written in the processor's own order")
endif()
set(PUMICE_FAST $<NOT:$<CONFIG:Debug>>)
# Distributions use the build type None and pass all flags themselves: the code is the same as that
# of Release.
add_compile_definitions($<$<CONFIG:None>:NDEBUG>)
if(CMAKE_BUILD_TYPE STREQUAL "None" AND NOT CMAKE_C_FLAGS MATCHES "(^| )-O")
    add_compile_options(-O2)
endif()
