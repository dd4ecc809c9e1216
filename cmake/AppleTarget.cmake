# SPDX-License-Identifier: Apache-2.0
# Libraries for macOS: libpumice.1.dylib and libOpenCL.1.dylib. Programs find them by @rpath or by DYLD_LIBRARY_PATH.
# pumice_library_apple() replaces export maps.
include(Exports)
function(pumice_library_apple name map)
    pumice_exports(${map} names)
    list(TRANSFORM names PREPEND "_")
    list(JOIN names "\n" names)
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${name}.exports)
    file(GENERATE OUTPUT ${exports} CONTENT "${names}\n")
    target_link_options(${name} PRIVATE -Wl,-exported_symbols_list,${exports} -Wl,-dead_strip)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C LINK_DEPENDS ${exports})
endfunction()
