# SPDX-License-Identifier: Apache-2.0
# PUMICE_HARDENING: checks by the compiler and by libc without a measurable cost. Flags for one of
# them in CMAKE_C_FLAGS take precedence.
include(CheckCCompilerFlag)
set(hardening ON)
if(PUMICE_SANITIZE OR WIN32)
    set(hardening OFF) # sanitizers check the same and report more; mingw-w64 has other means
endif()
option(PUMICE_HARDENING "Stack protector, fortified functions of libc, control-flow protection" ${hardening})
if(PUMICE_HARDENING)
    set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns about an option that the target does not
                                      # support
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
