# SPDX-License-Identifier: Apache-2.0
# SPIR-V modules of il/*.spvasm for api/il and api/il_small_floats, if spirv-as is installed.
find_program(SPIRV_AS spirv-as)
file(GLOB il_texts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/il/*.spvasm)
set(il_folder ${CMAKE_CURRENT_BINARY_DIR}/il)
set(il_modules)
if(NOT SPIRV_AS)
    message(STATUS "no spirv-as: api/il is left out")
    return()
endif()
foreach(text ${il_texts})
    get_filename_component(name ${text} NAME_WE)
    add_custom_command(OUTPUT ${il_folder}/${name}.spv
        COMMAND ${CMAKE_COMMAND} -E make_directory ${il_folder}
        COMMAND ${SPIRV_AS} --target-env spv1.2 ${text} -o ${il_folder}/${name}.spv DEPENDS ${text} VERBATIM)
    list(APPEND il_modules ${il_folder}/${name}.spv)
endforeach()
add_custom_target(api_il_modules DEPENDS ${il_modules})

function(use_il_modules) # programs...
    foreach(name ${ARGN})
        add_dependencies(${name} api_il_modules)
        target_compile_definitions(${name} PRIVATE IL_DIR="${il_folder}")
    endforeach()
endfunction()
