# SPDX-License-Identifier: Apache-2.0
# PUMICE_HARDENING: checks by the compiler and by libc that cost nothing measurable. The user's own flags for one win.
include(CheckCCompilerFlag)
set(hardening ON)
if(PUMICE_SANITIZE OR WIN32)
    set(hardening OFF) # sanitizers check the same, and tell more; mingw-w64 has other means
endif()
option(PUMICE_HARDENING "Stack protector, fortified functions of libc, control-flow protection" ${hardening})
if(PUMICE_HARDENING)
    set(CMAKE_REQUIRED_FLAGS -Werror) # clang warns of what a target lacks
    foreach(name stack-protector stack-clash-protection cf-protection)
        string(MAKE_C_IDENTIFIER "PUMICE_HAS_${name}" has)
        check_c_compiler_flag(-f${name} ${has})
        if(${has} AND NOT CMAKE_C_FLAGS MATCHES "-f(no-)?${name}")
            add_compile_options(-f${name})
        endif()
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)
    if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
        add_compile_options($<${PUMICE_FAST}:-U_FORTIFY_SOURCE> $<${PUMICE_FAST}:-D_FORTIFY_SOURCE=2>)
    endif()
endif()
