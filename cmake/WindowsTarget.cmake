# SPDX-License-Identifier: Apache-2.0
# Settings for compilers and libraries for Windows: pumice_library_windows() replaces export maps.
# printf() as C defines it, and a setjmp() that needs no unwind tables.
add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 __USE_MINGW_SETJMP_NON_SEH _WIN32_WINNT=0x0A00)
add_compile_options(-Wno-format) # it checks formats against Microsoft's oldest C library
add_link_options(-static -Wl,--gc-sections)

include(Exports)
function(pumice_library_windows name map)
    pumice_exports(${map} names)
    list(JOIN names "\n" names)
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${name}.def)
    file(GENERATE OUTPUT ${exports} CONTENT "EXPORTS\n${names}\n")
    target_sources(${name} PRIVATE ${exports})
    target_link_options(${name} PRIVATE -Wl,--build-id -Wl,--exclude-all-symbols)
endfunction()
