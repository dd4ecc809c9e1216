// SPDX-License-Identifier: Apache-2.0
// Names in scope. Ordinary names and tags are separate name spaces; labels belong to the function.
#ifndef KC_AST_SCOPE_H
#define KC_AST_SCOPE_H

#include "ast/ast.h"

struct scope {
    struct scope *outer; // NULL at file scope
    struct map names;    // interned name -> struct decl *
    struct map tags;     // interned name -> struct type *
};

void scope_push(struct ast *ast);
void scope_pop(struct ast *ast);
struct decl *scope_find(const struct ast *ast, const char *name); // searches outwards from the innermost scope; NULL: unknown
struct decl *scope_find_here(const struct ast *ast, const char *name);
void scope_add(struct ast *ast, struct decl *decl);
struct type *scope_find_tag(const struct ast *ast, const char *name, bool here_only);
void scope_add_tag(struct ast *ast, const char *name, struct type *type);
// A predefined type name of OpenCL C (uint, float4, size_t, image2d_t, event_t ...), looked up only after all scopes
// failed; NULL: none. If the target or version lacks the type, *why is set and the caller reports it.
bool scope_is_type_keyword(const struct ast *ast, const char *name); // an image type name, which is reserved
struct type *scope_predefined_type(struct ast *ast, const char *name, const char **why);

// size_t and similar types have 32 bits if pointers have 4 bytes.
enum type_kind scope_narrowed(const struct ast *ast, enum type_kind kind);
bool scope_type_available(const struct ast *ast, enum type_kind kind, const char **why);

#endif
