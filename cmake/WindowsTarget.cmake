# SPDX-License-Identifier: Apache-2.0
# Settings for compilers and libraries for Windows: pumice_library_windows() replaces export maps.
# printf() as C defines it, and a setjmp() that needs no unwind tables.
add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 __USE_MINGW_SETJMP_NON_SEH _WIN32_WINNT=0x0A00)
add_compile_options(-Wno-format) # it checks formats against Microsoft's oldest C library
add_link_options(-static -Wl,--gc-sections)

function(pumice_library_windows name map)
    file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/icd/${map} names REGEX "^ +cl[A-Za-z0-9_]+;")
    list(TRANSFORM names REPLACE "[ ;]" "")
    list(REMOVE_DUPLICATES names)
    list(JOIN names "\n" names)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/icd/${map})
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${name}.def)
    file(GENERATE OUTPUT ${exports} CONTENT "EXPORTS\n${names}\n")
    target_sources(${name} PRIVATE ${exports})
    target_link_options(${name} PRIVATE -Wl,--build-id -Wl,--exclude-all-symbols)
endfunction()
