#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the includes: each room may only include the rooms that the table in MAP.md names.
# Usage: includes.sh SOURCE_DIR
cd "$1" || exit 2
passed=0
failed=0

checked=
check() { # folder, allowed first path components of #include "..."; a name without a folder is a
          # file in the same folder
    room=$1
    shift
    checked="$checked $room"
    allowed=$(printf '%s/|' "$@" | sed 's/\.h\//.h"/g')
    wrong=$(grep -rnE '^#include "' "$room" --include='*.[ch]' |
        grep -vE "#include \"(${allowed%|})" |
        while IFS= read -r line; do
            name=$(echo "$line" | sed 's/.*#include "\(.*\)".*/\1/')
            case $name in */*) ;; *) [ ! -e "$(dirname "${line%%:*}")/$name" ] || continue ;; esac
            echo "$line"
        done)
    if [ -n "$wrong" ]; then
        printf '%s includes against the arrows:\n%s\n' "$room" "$wrong"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

below() { # files, pattern of headers of higher layers in their room
    wrong=$(grep -nE "^#include \"($2)\"" $1)
    if [ -n "$wrong" ]; then
        printf 'includes what stands above it:\n%s\n' "$wrong"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

forbid() { # folder, pattern of system headers that it must not include
    wrong=$(grep -rnE "^#include <($2)" "$1" --include='*.[ch]')
    if [ -n "$wrong" ]; then
        printf '%s must not know:\n%s\n' "$1" "$wrong"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

while IFS='|' read -r _ room allowed _; do # one word for each room:
    # shellcheck disable=SC2086
    check "$room" "${room##*/}" $allowed
done <<ROWS
$(sed -n 's/^| `\([a-z/-]*\)` |/|\1|/p' MAP.md)
ROWS
# Only src/platform may include headers of the operating system; everywhere else they must be those
# of C and of the implemented APIs.
wrong=$(grep -rnE '^ *# *include <' src kernels-compiler icd include --include='*.[ch]' | grep -v '^src/platform/' |
    grep -vE '<((assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|std[a-z]+|string|tgmath|time|uchar|wchar|wctype)\.h|(CL|vulkan|spirv)/.*|immintrin\.h)>')
if [ -n "$wrong" ]; then
    printf 'headers of a system outside of src/platform:\n%s\n' "$wrong"
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
# Each operating system's folder defines every function of platform.h.
for name in $(grep -oE '\b[a-z]+_[a-z_]+\(' src/platform/platform.h | tr -d '(' | sort -u); do
    for system in posix windows; do
        grep -qE "^[A-Za-z_][A-Za-z_ *0-9]*\b$name\(" src/platform/$system/*.c && continue
        grep -qE "^[^/]*\b$name\(.*\);" src/platform/platform.h || continue
        echo "src/platform/$system has no $name()"
        failed=$((failed + 1))
    done
done
forbid kernels-compiler 'CL/|vulkan/'
forbid src/platform 'CL/|vulkan/'
forbid src/util 'CL/|vulkan/'
forbid src/vulkan 'CL/'

# Layers of the room ast: types, scopes, constants, overloads and built-in functions do not depend
# on the semantics of operators, and these do not depend on the parser.
ast=kernels-compiler/ast
below "$ast/ast.[ch] $ast/types.[ch] $ast/layout.c $ast/type_print.c $ast/scope.[ch]" 'ast/(sema.*|const_eval|overload|builtins|parse)\.h'
below "$ast/sema_base.[ch] $ast/const_eval.[ch] $ast/overload.[ch] $ast/builtins.[ch]" 'ast/(sema|sema_impl|parse)\.h'
below "$ast/sema*.[ch]" 'ast/parse\.h'

# Every room must be in the table; outside the rooms the compiler only has its driver.
for room in kernels-compiler/*/ src/*/; do
    case " $checked kernels-compiler/lib " in
    *" ${room%/} "*) ;;
    *) echo "$room is not in the table of MAP.md" && failed=$((failed + 1)) ;;
    esac
done
loose=$(ls kernels-compiler/*.[ch] | grep -vxE 'kernels-compiler/(kc\.c|kernels\.c|build\.h|(driver|environment|result)\.[ch])')
[ -z "$loose" ] || { printf 'in no room:\n%s\n' "$loose" && failed=$((failed + 1)); }

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
