#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line of pumice-cc: valid uses, and errors.
# Usage: pumice_cc.sh PUMICE_CC
tool=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
passed=0 failed=0
echo 'kernel void k(global int *p) { p[0] = N; }' >k.cl
echo 'kernel void other(global int *p) { p[0] = 2; }' >other.cl
echo 'no object' >bad.o
: >empty.cl

expect() { # exit status, expected output, arguments; the output must end with a newline
    status=$1 pattern=$2
    shift 2
    "$tool" "$@" >out 2>&1
    got=$?
    if [ $got = "$status" ] && { [ -z "$pattern" ] || grep -q -e "$pattern" out; } && [ -z "$(tail -c 1 out | tr -d '\n')" ]; then
        passed=$((passed + 1))
    else
        printf 'pumice-cc %s: status %s, not %s, or not "%s":\n' "$*" $got "$status" "$pattern"
        cat out
        failed=$((failed + 1))
    fi
}

has() { # the last call has written the file
    if [ -s "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1 is not there"; fi
    rm -f "$1"
}

expect 0 '^usage: ' --help
expect 0 '^pumice-cc [0-9]' --version
expect 2 '^usage: '
expect 2 "No such file or directory 'none.cl'" none.cl
expect 2 "Is a directory '/'" /
expect 2 "only one input file .* 'other.cl'" -c k.cl other.cl
expect 2 "only one input file .* 'other.cl'" -E k.cl other.cl
expect 2 "missing value after '-o'" k.cl -o
expect 2 "cannot write '/none/x'" -DN=1 k.cl -o /none/x
expect 2 "no kernel 'j'" -DN=1 --kernel j k.cl
expect 2 "no kernel in 'empty.cl'" empty.cl -o x.spv
expect 2 "no kernel in 'empty.cl'" --vulkan empty.cl -o x.spv
expect 0 '^empty.cl: no kernel' --vulkan empty.cl
expect 0 '' -pod-ubo -o read.spv <other.cl && has read.spv
expect 1 "^<stdin>:1:39: error: use of undeclared identifier 'N'" -pod-ubo -o x.spv <k.cl
expect 2 '^usage' <other.cl
cat other.cl other.cl | sed '2s/other/third/' >two.cl
expect 2 "several kernels .*in 'two.cl'" two.cl -o x.spv
[ ! -e x.spv ] || { failed=$((failed + 1)); echo "x.spv is there"; }
expect 0 '' --kernel third two.cl -o x.spv && has x.spv
expect 0 '^two.cl: kernel third: [1-9][0-9]* bytes of SPIR-V$' two.cl
expect 0 '^two.cl: 2 kernels, not written' two.cl
expect 2 "unknown option '--bogus'" --bogus k.cl
expect 2 "unknown option '-cl-bogus'" -cl-bogus k.cl
expect 2 "did you mean '-cl-fast-relaxed-math'" -cl-fast-relax-math k.cl
expect 2 "did you mean '--output-format=FORM'" --outputformat=c k.cl
expect 2 "unknown option '-O7'" -O7 k.cl
expect 2 "unknown target .*'none'" --target=none k.cl
expect 0 "^lavapipe  *Mesa" --target help
expect 2 "not an optional pass in 'opt_none'" --skip=opt_cse,opt_none k.cl
expect 2 "not an optional pass in 'lower_args'" --skip=lower_args k.cl
expect 2 "unknown pass in 'none'" --stop-after=none k.cl
expect 2 "unknown stage in --dump: 'none'" --dump=none k.cl
expect 1 "k.cl:1:39: error: use of undeclared identifier 'N'" k.cl
expect 0 '= 3;' -E -DN=3 k.cl
expect 0 '' -E -DN=3 k.cl -o k.i && has k.i
expect 0 '' -D N=3 --skip=opt_cse k.cl -o k.spv && has k.spv
expect 0 '' -DN=3 --all k.cl && has k.spv
mkdir modules && expect 0 '' -DN=3 --all k.cl -o modules && has modules/k.spv
expect 0 '' -DN=3 -c k.cl -o k.o
expect 0 '' -c other.cl -o other.o
expect 0 "note: option '-cl-nv-verbose' has no effect" -O3 -cl-nv-verbose -c other.cl -o other.o
expect 0 '' -O2 other.o -o other.spv
expect 0 '^kernel other:' --info k.o other.o
expect 0 '' -create-library k.o other.o -o lib.o && has lib.o
expect 1 "'k' is defined in programs 1 and 2" k.o k.o
expect 1 'program 1 is unusable: not an object file' bad.o

# Extensions that the device lacks are not predefined.
for name in cl_khr_fp16 cl_khr_fp64 __opencl_c_fp64 __opencl_c_images __IMAGE_SUPPORT__ cl_khr_subgroup_ballot __opencl_c_subgroups; do
    printf '#ifdef %s\nint has_%s;\n#endif\n' $name $name
done >extensions.cl
without=$("$tool" -E -cl-std=CL3.0 -fp16=0 -fp64=0 -images=0 extensions.cl | grep -c has_)
with=$("$tool" -E -cl-std=CL3.0 -spv-version=1.3 extensions.cl | grep -c has_)
if [ "$without $with" = '0 7' ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "extensions: $without, not 0, and $with, not 7"; fi

# --help and the manual page list the same options, including all options of the compiler proper and
# those for Vulkan modules.
source=$here/../../kernels-compiler
"$tool" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | sort -u >help
sed -n 's/^\.B \(\\-[^ ]*\).*/\1/p' "$source/cc/pumice-cc.1" | sed 's/\\-/-/g' | sort -u >manual
if [ -s help ] && diff help manual; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "--help and the manual page differ"; fi
{
    sed -n 's/^OPTION("\([^"]*\)".*/\1/p' "$source/text/options.def" | grep -v zeroes
    sed -n 's/^ *{"\([a-z0-9-]*\)", \(read_\|offsetof\).*/-\1/p' "$source/cc/mapping.c" | grep -v target-env
} >known
while read -r option; do
    if grep -qE -- "^$option(=|$)" help; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "--help lacks $option"; fi
done <known

for bad in '' CLK_FILTER_NEAREST 'CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_NONE|CLK_ADDRESS_REPEAT|CLK_FILTER_LINEAR'; do
    printf '%s' "$bad" >samplers.map
    expect 2 'expected a file of samplers' -samplermap=samplers.map other.cl
done
expect 2 'expected a file of samplers' -samplermap=. other.cl

# Several sources are one program; files included before each; languages and output forms.
echo '#define N 7' >n.h
echo 'int twice(int); kernel void calls(global int *p) { p[0] = twice(N); }' >calls.cl
echo 'int twice(int x) { return 2 * x; }' >callee.cl
expect 0 '^kernel calls:' --info -DN=1 calls.cl callee.cl
expect 0 '' -include n.h -DM calls.cl callee.cl -o x.spv && has x.spv
expect 0 '' -DN=1 -create-library calls.cl callee.cl -o lib.o && has lib.o
expect 1 "undefined reference to 'twice'" --vulkan -include n.h calls.cl
expect 1 '^k.cl:1:1: error: unknown type' -include n.h -Dkernel=nothing k.cl
echo 'struct three { int a, b, c; }; int twice(int); kernel void k(local struct three *l) { l->a = twice(l->b); }' >local.cl
expect 0 'arg,l,argOrdinal,0,argKind,local,arrayElemSize,12,' -descriptormap=- local.cl callee.cl
printf 'int twice(int);\nkernel void wide(long16 a, global int *p) { p[0] = twice((int)a.x); }' >wide.cl
expect 1 "^wide.cl:2:13: error: kernel 'wide' needs 128 bytes of push" -pod-pushconstant -max-pushconstant-size=64 callee.cl wide.cl
expect 1 "'twice' is defined in programs 2 and 3" --vulkan wide.cl callee.cl callee.cl
expect 0 '' -c callee.cl -o callee.o
expect 0 '^kernel calls:' --info -DN=1 calls.cl callee.o
cp other.cl source.txt
expect 0 '^{0x07230203' -x cl source.txt -mfmt=c -o -
expect 0 '^source.txt: kernel other' -xcl source.txt
expect 2 "not 'ir'" -x ir k.cl
expect 2 "not 'll'" --output-format=ll other.cl
if command -v spirv-dis >/dev/null; then
    expect 0 'OpEntryPoint GLCompute %[0-9]* "main"' -S other.cl -o -
    expect 0 '' --output-format text other.cl -o "an 'other'.txt" && has "an 'other'.txt"
fi
expect 2 'spirv-dis' -S other.cl -o /none/x

# Modules for any Vulkan program.
expect 0 "^two.cl: kernel third: 1 argument, 1 binding, 0 bytes of push constants$" --vulkan two.cl
expect 0 "^two.cl: 2 kernels, [1-9][0-9]* bytes of SPIR-V 1.3, not written" -spv-version 1.3 two.cl
expect 0 "^two.cl: 1 kernel, .* SPIR-V 1.5" --target-env=vulkan1.2 --kernel=third two.cl
expect 0 "^two.cl: 2 kernels" -arch=spir --kernel=third,other two.cl
expect 1 "no kernel 'fourth'" --vulkan --kernel third,fourth two.cl
expect 0 '' --cl-native-math -O0 --vec3-to-vec4 -use-native-builtins=fma,exp -w --vulkan two.cl -o x.spv && has x.spv
expect 2 "cannot be combined with '--physical'" --physical --vulkan two.cl
expect 0 '' --physical --kernel=third two.cl -o x.spv && has x.spv
expect 2 'requires -arch=spirv64' -physical-storage-buffers two.cl
expect 2 'SPV_KHR_untyped_pointers is not supported' -untyped-pointers two.cl
expect 2 "did you mean '-pod-pushconstant'" -pod-pushconstants two.cl
expect 2 "1.6 in '-spv-version=1.9'" -spv-version=1.9 two.cl
expect 2 "expected .* in '-reflection=8'" -reflection=8 two.cl
expect 2 "missing value after '-spv-version'" two.cl -spv-version
expect 1 'up to 3.0, not 3.1' --target=minimal -cl-std=CL3.1 two.cl
expect 0 '' --kernel=third -cl-std=CL3.1 two.cl -o x.spv && has x.spv
expect 2 '-cl-std=CL3.0 is required' -enable-feature-macros=__opencl_c_int64 two.cl
expect 2 'unknown OpenCL C feature' -cl-std=CL3.0 -enable-feature-macros=__opencl_c_int65 two.cl
echo 'kernel void k(global int *p) {' >features.cl
for name in __opencl_c_int64 __opencl_c_images __opencl_c_subgroups; do
    printf '#ifdef %s\nint has%s;\n#endif\n' $name $name >>features.cl
done
echo '}' >>features.cl
expect 0 '' -E -cl-std=CL3.0 -enable-feature-macros=__opencl_c_int64 features.cl -o features.i
if grep -q __opencl_c_int64 features.i && grep -q __opencl_c_images features.i && ! grep -q __opencl_c_subgroups features.i; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "features that were not asked for are there, or the others not" && cat features.i
fi

# For each device that there is a table of, as addresses and descriptors go.
targets=$("$tool" --target=help | sed 's/ .*//')
for name in $targets; do
    expect 0 "^target $name: " --show --target "$name"
    expect 0 '' --target="$name" other.cl -o x.spv
    command -v spirv-val >/dev/null || continue
    # too new for Debian 12's spirv-val
    if spirv-val --target-env vulkan1.3 x.spv >out 2>&1 || grep -q 'execution mode operand: 6023' out; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && echo "wrong for $name: $(cat out)"
    fi
done
for file in "$here"/../devices/*.txt; do
    name=$(basename "$file" .txt)
    [ "$name" = CMakeLists ] || echo "$targets" | grep -qx "$name" || { failed=$((failed + 1)) && echo "no target $name"; }
done

# Reflection does not depend on the device, and pointers have 32 bits.
echo 'kernel void k(global size_t *p) { p[0] = sizeof(size_t); p[1] = get_work_dim(); }' >size.cl
expect 0 '^spec_constant,work_dim,spec_id,3' --target=radv_rdna -descriptormap=- size.cl -o x.spv
if grep -q 'NonSemantic.ClspvReflection.5' x.spv; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "no reflection"; fi
expect 0 'store.* i32 4' --vulkan --target=radv_rdna --dump=lowered size.cl
expect 0 'store.* i64 8' --vulkan --target=radv_rdna -arch=spirv64 --dump=lowered size.cl

# Required features of a launch: every capability that a module may declare has its name there.
mkdir json
expect 0 '"module": "third.spv",' --physical --all two.cl -o json/ --json -
expect 0 '"module": null,' two.cl --json=-
expect 0 '"module": "other.spv",' --kernel other two.cl -o json/other.spv --json -
cat >step.cl <<'END'
kernel void k(global int *p)
{
    local int sums[64];
    volatile local int *sum = sums + get_local_id(0);
    *sum = p[get_global_id(0)];
    *sum += sum[16];
    p[get_global_id(0)] = *sum;
}
END
expect 0 '"lockstep": true,' --target=h200 step.cl --json=-
expect 0 '"lockstep": false,' --target=h200 two.cl --json=-
cat >rows.cl <<'END'
kernel void k(global int *p) { p[get_global_id(0)] = sub_group_shuffle_xor(p[get_global_id(0)], MASK); }
END
expect 0 '"sub_groups": false,' --target=anv_dg2 -DMASK=7 rows.cl --json=-
expect 0 '"sub_groups": true,' --target=anv_dg2 -DMASK=8 rows.cl --json=-
expect 0 '"sub_groups": true,' --target=h200 -DMASK=7 rows.cl --json=-
expect 2 "cannot be combined with '--json'" --vulkan two.cl --json x.json
expect 2 "cannot write '/none/x'" two.cl --json /none/x
for name in $(sed -n 's/^CAP([A-Z0-9_]*, SpvCapability\([A-Za-z0-9]*\),.*/\1/p' "$here/../../kernels-compiler/spirv/caps.def"); do
    if grep -q "NAMED($name, " "$here/../../kernels-compiler/cc/json.c"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && echo "$name has no name in cc/json.c"
    fi
done

# SPIR-V input: a module with a specialization constant, and an invalid one.
if command -v spirv-as >/dev/null; then
    spirv-as --target-env spv1.2 "$here/../api/il/specs.spvasm" -o specs.spv
    spirv-as --target-env spv1.2 "$here/../api/il/imports.spvasm" -o imports.spv
    expect 0 '^kernel specs:' --info specs.spv
    expect 0 '^specialization constant 32: 4 bytes' --info specs.spv
    expect 0 '' specs.spv -o k.spv && has k.spv
    expect 0 '' -c imports.spv -o imports.o
    echo 'int twice(int x) { return 2 * x; } global int shared_word = 4;' >twice.cl
    expect 0 '' -cl-std=CL3.0 -c twice.cl -o twice.o
    expect 0 '^kernel calls:' --info imports.o twice.o
    expect 1 "undefined reference to 'twice'" imports.o
    expect 0 'i64 19088743' --dump=ir --spec=32:0x1234567 specs.spv
    expect 2 "no specialization constant 7 in 'specs.spv'" --spec=7:1 specs.spv
    expect 2 "expected NUMBER=VALUE in --spec, not '7'" --spec=7 specs.spv
    expect 2 "nothing to preprocess in 'specs.spv'" -E specs.spv
    cp k.cl wrong.spv
    expect 1 '^wrong.spv: error: ' wrong.spv
fi

expect 0 '^target full: .*sub-groups of 32$' --show
expect 0 '^extensions:.* cl_khr_cooperative_matrix' --show
expect 0 '^  16 x 16  A 16 x 16 half, B 16 x 16 half, C float, result float$' --show --target=h200
expect 0 '^  16 x 16  A 16 x 16 __bf16, B 16 x 16 __bf16, C float, result float$' --show --target=h200
expect 0 '^  16 x  8  A 16 x 32 char, B 32 x 8 char, C int, result int$' --target=h200 --show
expect 0 '^cooperative matrices: none$' --show --target=minimal
expect 0 '^k.cl: kernel k' --show -DN=1 k.cl
expect 2 "unknown target .*'h2'" --show --target=h2

long=$(printf 'n%.0s' $(seq 300))
echo "kernel void $long(global int *p) { *p = 1; } kernel void ${long}2(global int *p) { *p = 2; }" >long.cl
mkdir long && expect 0 '' --all long.cl -o long/ && [ "$(ls long | wc -l)" = 2 ] && passed=$((passed + 1)) || failed=$((failed + 1))

# The limits in pumice(7): repeat COUNT TEXT, many.cl from BEFORE COUNT TEXT BETWEEN COUNT TEXT AFTER.
repeat() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'; }
many() { { printf '%s' "$1"; repeat "$2" "$3"; printf '%s' "$4"; repeat "$5" "$6"; printf '%s\n' "$7"; } >many.cl; }
kernel='kernel void k(global int *p) { '
many "$kernel p[0] = p[0]" 9990 ' + p[1]' ';' 0 '' '}' && expect 0 '' many.cl -o k.spv
many "$kernel p[0] = p[0]" 6000 ' && p[1]' ';' 0 '' '}' && expect 0 '' many.cl -o k.spv
many "$kernel p[0] = p[0]" 10010 ' + p[1]' ';' 0 '' '}' && expect 1 'more than 10000 operators deep' many.cl
many "$kernel" 900 'if (p[0]) { ' 'p[0]++;' 900 '}' '}' && expect 0 '' many.cl -o k.spv
many "$kernel" 900 '{ ' 'p[0]++;' 900 '}' '}' && expect 0 '' many.cl -o k.spv
many "$kernel" 450 'if (p[0]) { } else { ' 'p[0]++;' 450 '}' '}' && expect 0 '' many.cl -o k.spv
many "$kernel" 1010 'if (p[0]) { ' 'p[0]++;' 1010 '}' '}' && expect 1 'more than 1000 levels' many.cl
many "$kernel" 1010 '{ ' 'p[0]++;' 1010 '}' '}' && expect 1 'more than 1000 levels' many.cl
many "$kernel p[0] = " 990 '(' 'p[1]' 990 ')' ';}' && expect 0 '' many.cl -o k.spv

# A kernel that the driver's compiler would work on for more than ten minutes.
awk 'BEGIN {
    print "kernel void k(global int *p, local int *l) {"
    for (i = 0; i < 3500; i++)
        printf "l[p[%d]] = l[p[%d]];\n", i, i + 1
    print "}"
}' >large.cl
expect 1 'PUMICE_LIMIT=none compiles it anyway' --target=lavapipe large.cl -o k.spv
PUMICE_LIMIT=none
export PUMICE_LIMIT
expect 0 '' --target=lavapipe large.cl -o k.spv
unset PUMICE_LIMIT

# On its own, the first kernel is small enough for the driver. Together with the second one, which calls some of its
# functions, other functions were inlined more often.
cat >together.cl <<'END'
#define X4(x) x x x x
#define STEP(n) v = (v << n) ^ (v >> 3) ^ (w + v); w += v;
#define STEPS(n) X4(X4(X4(X4(STEP(n) STEP(n) STEP(n) STEP(n) STEP(n)))))
#define PART(n) \
    uint shared_##n(uint v, uint w) { STEPS(n) return v; } \
    void often_##n(uint *p, uint w) { uint v = *p; STEPS(n + 8) *p = v; } \
    uint part_##n(uint v, uint w) { v = shared_##n(v, w); often_##n(&v, w); often_##n(&v, v); return v; }
PART(1) PART(2) PART(3) PART(4)
#define CALLS(n) X4(v += part_##n(v, w++);)
kernel void large(global uint *g)
{
    uint v = g[0], w = g[1];
    CALLS(1) CALLS(2) CALLS(3) CALLS(4)
    g[2] = v;
}
kernel void other(global uint *g) { g[0] = shared_1(g[0], 1) + shared_2(g[0], 2) + shared_3(g[0], 3) + shared_4(g[0], 4); }
END
expect 0 '' --target=anv_dg2 --all together.cl

if [ -c /dev/full ]; then
    "$tool" -E -DN=3 k.cl >/dev/full 2>out
    [ $? = 2 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "a full disk goes unnoticed"; }
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
