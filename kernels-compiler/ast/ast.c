// SPDX-License-Identifier: Apache-2.0
// Which language features a program may use, given its OpenCL C version, the device and its pragmas.
#include "ast/ast.h"

// OpenCL C 2.x and SPIR-V allow every order and scope of atomic operations, OpenCL C 3.0 those that the device
// supports.
static bool is_of_language(const struct ast *ast, enum kc_extension extension)
{
    if (!ast->all_orders && (ast->version < 200 || ast->version >= 300))
        return false;
    return extension == KC_EXT_ATOMIC_ORDER_ACQ_REL || extension == KC_EXT_ATOMIC_ORDER_SEQ_CST ||
           extension == KC_EXT_ATOMIC_SCOPE_DEVICE || extension == KC_EXT_ATOMIC_SCOPE_ALL_DEVICES;
}

bool ast_has(const struct ast *ast, enum kc_extension extension)
{
    if (extension == KC_EXT_FP16 && ast->fp16_disabled)
        return false;
    return kc_extensions_have(&ast->target->extensions, extension) || is_of_language(ast, extension);
}

bool ast_has_half(const struct ast *ast)
{
    return ast->target->float16 && !ast->fp16_disabled;
}

bool ast_has_program_variables(const struct ast *ast)
{
    return ast->version >= 300 ? ast_has(ast, KC_EXT_PROGRAM_SCOPE_GLOBAL_VARIABLES) : ast->version >= 200;
}

bool ast_has_read_write_images(const struct ast *ast)
{
    return ast->version >= 200 && ast_has(ast, KC_EXT_READ_WRITE_IMAGES);
}

bool ast_has_matrices(const struct ast *ast)
{
    return ast->target->subgroups && ast->target->subgroup_size && !ast->library;
}

bool ast_has_blocks(const struct ast *ast)
{
    return ast->version >= 200 && ast->target->physical_addressing && !ast->target->mapping.on &&
           ast_has(ast, KC_EXT_DEVICE_ENQUEUE);
}

bool ast_has_pipes(const struct ast *ast)
{
    return ast->version >= 200 && ast_has(ast, KC_EXT_PIPES);
}

bool ast_has_generic(const struct ast *ast)
{
    return ast->version >= 300 ? ast_has(ast, KC_EXT_GENERIC_ADDRESS_SPACE) : ast->version >= 200;
}
