# SPDX-License-Identifier: Apache-2.0
# pumice_embed(target symbol file): links the bytes of `file` into `target` as
#   const unsigned char symbol[]; const unsigned char symbol_end[];
function(pumice_embed target symbol file)
    set(asm ${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.S)
    file(WRITE ${asm}.in
        ".section .rodata\n.global ${symbol}\n.hidden ${symbol}\n.global ${symbol}_end\n.hidden ${symbol}_end\n"
        ".balign 16\n${symbol}:\n.incbin \"${file}\"\n${symbol}_end:\n.byte 0\n"
        ".section .note.GNU-stack,\"\",%progbits\n")
    configure_file(${asm}.in ${asm} COPYONLY)
    set_source_files_properties(${asm} PROPERTIES OBJECT_DEPENDS ${file} LANGUAGE ASM)
    target_sources(${target} PRIVATE ${asm})
endfunction()
