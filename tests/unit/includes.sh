#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Includes follow the arrows of the house: each room may include only the rooms listed here.
# Usage: includes.sh SOURCE_DIR
cd "$1" || exit 2
passed=0
failed=0

check() { # folder, allowed first path components of #include "..."
    room=$1
    shift
    allowed=$(printf '%s|' "$@")
    wrong=$(grep -rnE '^#include "' "$room" --include='*.[ch]' |
        grep -vE "#include \"(${allowed%|})/" |
        grep -vE '#include "[a-z_0-9]+\.(h|def)"')
    if [ -n "$wrong" ]; then
        printf '%s includes against the arrows:\n%s\n' "$room" "$wrong"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

forbid() { # folder, pattern of system headers it must not know
    wrong=$(grep -rnE "^#include <($2)" "$1" --include='*.[ch]')
    if [ -n "$wrong" ]; then
        printf '%s must not know:\n%s\n' "$1" "$wrong"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

check src/util util
check kernels-compiler/text util text pumice
check kernels-compiler/ast util text ast pumice
check kernels-compiler/ir util ir pumice
check kernels-compiler/passes util ir passes pumice
check kernels-compiler/spirv util ir spirv pumice
check kernels-compiler/gen util text ast ir gen pumice
check kernels-compiler/reader util ir reader pumice
check src/vulkan util vulkan pumice
check src/command util vulkan command pumice
check src/object util vulkan command object pumice
check src/api util vulkan object command api pumice
forbid kernels-compiler 'CL/|vulkan/'
forbid src/util 'CL/|vulkan/'
forbid src/vulkan 'CL/'

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
