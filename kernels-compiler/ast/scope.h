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
struct decl *scope_find(const struct ast *ast, const char *name); // innermost first; NULL: unknown
struct decl *scope_find_here(const struct ast *ast, const char *name);
void scope_add(struct ast *ast, struct decl *decl);
struct type *scope_find_tag(const struct ast *ast, const char *name, bool here_only);
void scope_add_tag(struct ast *ast, const char *name, struct type *type);
// A type name that OpenCL C predefines (uint, float4, size_t, image2d_t, event_t ...), looked up lazily after all
// scopes failed; NULL: none. Types that the target or version lacks are reported by the caller through `why`.
bool scope_is_type_keyword(const struct ast *ast, const char *name); // an image's: no name of anything else
struct type *scope_predefined_type(struct ast *ast, const char *name, const char **why);

// Whether objects and values of a scalar type may be used; false: *why completes "use of type 'double' ...".
// size_t and its like: 32 bits where pointers have 4 bytes.
enum type_kind scope_narrowed(const struct ast *ast, enum type_kind kind);
bool scope_type_available(const struct ast *ast, enum type_kind kind, const char **why);

#endif
