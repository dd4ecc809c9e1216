#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles to OpenCL SPIR-V with LLVM: module.sh IN.cl|IN.ll OUT.spv [options of clang]...
# Uses clang and llvm-spirv of one release: PUMICE_CLANG and PUMICE_LLVM_SPIRV, or the newest pair that is installed.
# A module that uses undefined ids is a failure; other errors of spirv-val are common in modules and are ignored.
# module.sh --release prints the release, --tools the versions of the tools.
# Exit status: 0 written; 1 clang or the translator fails, or the module is invalid, with the reason on stderr; 77 no such tools.
set -u
release=0
for n in 22 21 20 19 18 17 16 15; do
    if [ $release = 0 ] && command -v clang-$n >/dev/null && command -v llvm-spirv-$n >/dev/null; then release=$n; fi
done
clang=${PUMICE_CLANG:-clang-$release}
translator=${PUMICE_LLVM_SPIRV:-llvm-spirv-$release}
if ! command -v "$clang" >/dev/null || ! command -v "$translator" >/dev/null; then
    echo "no clang with llvm-spirv of its release" >&2
    exit 77
fi
[ -z "${PUMICE_CLANG:-}" ] || release=$("$clang" -dumpversion | sed 's/\..*//')
case ${1:-} in
--release)
    echo "$release"
    exit 0
    ;;
--tools)
    "$clang" --version
    "$translator" --version
    spirv-val --version
    exit 0
    ;;
esac

# The extensions that are enabled by default, and the one for integers of odd widths if LLVM has generated some.
extensions=+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,+SPV_KHR_float_controls,+SPV_KHR_integer_dot_product
extensions=$extensions,+SPV_KHR_linkonce_odr,+SPV_KHR_no_integer_wrap_decoration,+SPV_KHR_subgroup_rotate
extensions=$extensions,+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups
extensions=$extensions,+SPV_INTEL_optnone,+SPV_INTEL_unstructured_loop_controls,+SPV_INTEL_memory_access_aliasing
odd=+SPV_INTEL_arbitrary_precision_integers
# Older translators only support typed pointers.
pointers=
if [ "$release" -le 16 ]; then
    pointers="-Xclang -no-opaque-pointers"
else
    extensions=$extensions,+SPV_EXT_shader_atomic_float16_add,+SPV_EXT_relaxed_printf_string_address_space
fi
[ "$release" -lt 18 ] || extensions=$extensions,+SPV_KHR_cooperative_matrix

in=$1 out=$2
shift 2
bitcode=$out.bc
trap 'rm -f "$bitcode"' EXIT
rm -f "$out"
case $in in *.ll) language=ir ;; *) language=cl ;; esac
# shellcheck disable=SC2086
"$clang" -x $language -target spir64-unknown-unknown $pointers -w -ferror-limit=3 "$@" \
    -emit-llvm -c "$in" -o "$bitcode" || exit 1
if ! messages=$("$translator" --spirv-ext=$extensions "$bitcode" -o "$out" 2>&1); then
    case $messages in
    *InvalidBitWidth*) "$translator" --spirv-ext=$extensions,$odd "$bitcode" -o "$out" >&2 ;;
    *) echo "$messages" >&2 && false ;;
    esac
fi &&
    ! spirv-dis "$out" | grep -E 'OpTypeInt (6[5-9]|[7-9][0-9]|[0-9]{3,}) ' >&2 &&
    ! spirv-val --target-env spv1.6 "$out" 2>&1 | grep -E 'not been defined|out of bounds|requires SPIR-V version|storage class outside of a function' >&2 || {
    rm -f "$out"
    exit 1
}
