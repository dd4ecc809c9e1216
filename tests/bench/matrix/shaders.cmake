# SPDX-License-Identifier: Apache-2.0
# bench_matrix's shaders: matrix_shaders is a source with all that GLSLANG could make, form by type.
set(types f16f32 f16f16 bf16f32 i8i32 f32f32)
set(defines_f16f32 -DAB=float16_t -DCD=float -DBITS=16)
set(defines_f16f16 -DAB=float16_t -DCD=float16_t -DBITS=16)
set(defines_bf16f32 -DAB=bfloat16_t -DCD=float -DBITS=16 -DBFLOAT)
set(defines_i8i32 -DAB=int8_t -DCD=int -DBITS=8)
set(defines_f32f32 -DAB=float -DCD=float -DBITS=32)
set(forms khr khr_sets nv2 plain)
set(source_khr gemm_khr)
set(source_khr_sets gemm_khr)
set(defines_khr_sets -DDESCRIPTORS)
set(source_nv2 gemm_nv2)
set(source_plain gemm_plain)

set(folder ${CMAKE_CURRENT_BINARY_DIR}/matrix)
file(MAKE_DIRECTORY ${folder})
set(includes "")
set(rows "")
foreach(form ${forms})
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/matrix/${source_${form}}.comp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    foreach(type ${types})
        set(name ${form}_${type}_spv)
        execute_process(COMMAND ${GLSLANG} -V --target-env vulkan1.3 ${defines_${type}}
            ${defines_${form}} --vn ${name} -o ${folder}/${name}.h ${source}
            RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        if(NOT failed)
            string(APPEND includes "#include \"${name}.h\"\n")
            string(APPEND rows "    {\"${form}\", \"${type}\", ${name}, sizeof ${name}},\n")
        endif()
    endforeach()
endforeach()
set(matrix_shaders ${folder}/shaders.c)
file(CONFIGURE OUTPUT ${matrix_shaders} CONTENT
"// Made by shaders.cmake.
#include \"${CMAKE_CURRENT_SOURCE_DIR}/matrix/glsl.h\"

${includes}
const struct shader shaders[] = {
${rows}    {\"\", \"\", NULL, 0},
};
const unsigned shader_count = sizeof shaders / sizeof *shaders - 1;
" @ONLY)
