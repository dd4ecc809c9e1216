# SPDX-License-Identifier: Apache-2.0
# pumice_embed(target symbol file): links the bytes of `file` into `target` as
#   const unsigned char symbol[]; const unsigned char symbol_end[];
# The assembly is for the assemblers of GCC and clang, and for ELF, COFF and Mach-O object files.
function(pumice_embed target symbol file)
    set(asm ${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.S)
    file(WRITE ${asm}.in
        "#ifdef __USER_LABEL_PREFIX__\n#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
        "#define NAME(x) JOIN(__USER_LABEL_PREFIX__, x)\n#else\n#define NAME(x) x\n#endif\n"
        "#if defined(__ELF__)\n.section .rodata\n.hidden NAME(${symbol})\n.hidden NAME(${symbol}_end)\n"
        "#elif defined(__APPLE__)\n.const\n.private_extern NAME(${symbol})\n.private_extern NAME(${symbol}_end)\n"
        "#else\n.section .rdata,\"dr\"\n#endif\n"
        ".global NAME(${symbol})\n.global NAME(${symbol}_end)\n"
        ".balign 16\nNAME(${symbol}):\n.incbin \"${file}\"\nNAME(${symbol}_end):\n.byte 0\n"
        "#ifdef __ELF__\n.section .note.GNU-stack,\"\",%progbits\n#endif\n"
        "#ifdef __CET__\n#include <cet.h>\n#endif\n")
    configure_file(${asm}.in ${asm} COPYONLY)
    set_source_files_properties(${asm} PROPERTIES OBJECT_DEPENDS ${file} LANGUAGE ASM)
    target_sources(${target} PRIVATE ${asm})
endfunction()
