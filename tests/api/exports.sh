#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh libpumice.so libOpenCL.so.1 loader entry_points.def
# The ICD exports three names; the drop-in exports every row of the table, and every cl* name of the
# installed loader with its version; neither needs a library other than libc, libm, libdl and
# pthread, nor exports or needs a name of Vulkan, which the program might define.
set -u
export LC_ALL=C
icd=$1 dropin=$2 loader=$3 table=$4
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exports() { nm -D --defined-only "$1" | awk '$2 == "T" && $3 ~ /^cl[A-Z]/ {print $3}' | sort; }
differ() {
    if [ -s "$1" ]; then
        echo "$2:"
        sed 's/^/  /' "$1"
        failed=1
    fi
}

printf '%s\n' clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR \
    > "$work/icd.want"
exports "$icd" > "$work/icd"
diff "$work/icd.want" "$work/icd" > "$work/d"
differ "$work/d" "exports of the ICD"

sed -n -E 's/^(ENTRY|LATER)\((.*)\)$/\2/p' "$table" | sort > "$work/rows"
exports "$dropin" > "$work/dropin"
sed 's/@.*//' "$work/dropin" | sort > "$work/names"
comm -23 "$work/rows" "$work/names" > "$work/d"
differ "$work/d" "entry points that the drop-in does not export"

# The loader's own helpers (clGetICDLoaderInfoOCLICD) are not part of the API.
exports "$loader" | grep -v OCLICD > "$work/loader"
comm -23 "$work/loader" "$work/dropin" > "$work/d"
differ "$work/d" "exports of the loader that the drop-in lacks"

known='libc|libm|libdl|libpthread|libatomic|ld-linux.*|lib(a|ub|t)san'
for library in "$icd" "$dropin"; do
    readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -v -E "^($known)\.so" > "$work/d"
    differ "$work/d" "$library needs"
    nm -D --undefined-only "$library" | sed -n 's/.* \(vk[A-Z].*\)/\1/p' > "$work/d"
    differ "$work/d" "$library takes from whoever defines them"
done
exit $failed
