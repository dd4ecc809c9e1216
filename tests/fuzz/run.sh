#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh pp|parse|ir|il|kc LIMIT FOLDER: builds a fuzz target with clang in FOLDER and runs it; 77 without clang.
# LIMIT: seconds; or build: nothing is run; or +N: the seeds and N inputs more, with what has been built.
# Writes inputs that fail to FOLDER as crash-*, timeout-*, oom-*; the corpus is in FOLDER/corpus-*, except with +N.
# All but `pp` and `parse` take the library's blob from $KC_BLOB where that is set; `ir` has more seeds where $PUMICE_CC names that
# program, `il` what spirv-as, and clang with llvm-spirv, make of other tests.
set -eu
what=$1 limit=$2 folder=$3
clang=$(command -v clang-14 || command -v clang) || exit 77
command -v ninja >/dev/null || exit 77
sources=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/corpus-$what" "$folder/objects"
cd "$folder"
[ "$(readlink root)" = "$sources" ] || ln -sfn "$sources" root # a name without spaces, as lists of files follow
here=root/tests/fuzz

flags="-g1 -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
flags="$flags -Iroot/include -Iroot/src -Iroot/kernels-compiler"
rooms="common text" blob= other_blob=
others= words=$here/fuzz_words.c length=4096
case $what in
pp) words= ;;
parse)
    rooms="common text ast"
    others=$here/fuzz_mutator.c
    ;;
*)
    rooms=$(cd root/kernels-compiler && ls -d */ | grep -v -e '^lib/' -e '^cc/')
    other_blob=blob_embedded
    [ -z "${KC_BLOB:-}" ] || other_blob=blob_none blob=blob.s
    others="$(ls root/kernels-compiler/*.c) root/kernels-compiler/cc/presets.c"
    case $what in
    il) others="$others $here/fuzz_il_mutator.c" ;;
    *) others="$others $here/fuzz_mutator.c" ;;
    esac
    ;;
esac
dictionary=-dict=$here/opencl.dict
case $what in
ir) words= length=16384 dictionary= ;;
il) words= length=32768 dictionary= ;;
esac
[ -e "probe-$what" ] || {
    echo 'int main(void) { return 0; }' >"probe-$what.c"
    $clang -fsanitize=fuzzer-no-link "probe-$what.c" -o "probe-$what" 2>/dev/null || exit 77
}

# The library's blob, in assembler.
write_blob() {
    [ "$(readlink kc_library.bin)" = "$KC_BLOB" ] || ln -sfn "$KC_BLOB" kc_library.bin
    [ -e "$blob" ] || cat >"$blob" <<END
.section .rodata; .balign 16; .global kc_library, kc_library_end
kc_library: .incbin "kc_library.bin"
kc_library_end: .byte 0
.section .note.GNU-stack,"",%progbits
END
}

# Objects are shared by the targets, one of which builds at a time.
build() {
    objects=
    [ -z "$blob" ] || write_blob
    {
        echo "builddir = objects"
        printf 'rule cc\n  command = %s %s -MMD -MF $out.d -c $in -o $out\n  depfile = $out.d\n' "$clang" "$flags"
        printf 'rule as\n  command = %s -c $in -o $out\n' "$clang"
        printf 'rule link\n  command = %s %s $in -lm -lpthread -o $out\n' "$clang" "$flags"
        for source in root/src/util/*.c root/src/platform/posix/*.c $(for room in $rooms; do ls "root/kernels-compiler/$room"/*.c; done) \
            $others $words "$here/fuzz_$what.c"; do
            case $source in */"$other_blob".c) continue ;; esac
            object=objects/$(echo "${source#root/}" | tr -c 'a-zA-Z0-9\n' _).o
            objects="$objects $object"
            echo "build $object: cc $source"
        done
        [ -z "$blob" ] || echo "build objects/blob.o: as blob.s | kc_library.bin"
        echo "build fuzz_$what: link $objects ${blob:+objects/blob.o}"
    } >"$what.ninja"
    ninja -f "$what.ninja" "fuzz_$what"
}
case $limit in
+*) ;;
*)
    exec 9>lock
    flock 9
    build
    flock -u 9
    ;;
esac
[ "$limit" != build ] || exit 0

# Kernels of other tests as further seeds; those of tests/malformed lie many in a file.
if [ ! -d "seeds-$what" ]; then
    mkdir "seeds-$what"
    for file in root/tests/malformed/*.cl; do
        [ "$what" != il ] || break
        awk -v start="seeds-$what/$(basename "$file" .cl)" '/^\/\/\/\/ / { close(out); out = start "-" ++n ".cl"; next } out { print >out }' "$file"
    done
fi
folders="root/tests/ir root/tests/passes"
if [ "$what" = il ]; then
    folders=
    # Some cases of the language: each takes the makers a second.
    for file in $(find root/tests/reader root/tests/api/il -name '*.spvasm') root/tests/exec/6.8_[s-u]*.cl \
        root/tests/exec/6.9_[rsu]*.cl root/tests/exec/6.13.1*.cl root/tests/exec/6.15.1[0256]_*[ceory].cl; do
        seed=seeds-il/$(basename "${file%.*}").spv
        case $file in
        *.spvasm) [ -e "$seed" ] || spirv-as "$file" -o "$seed" 2>/dev/null || rm -f "$seed" ;;
        *) [ -e "$seed" ] || "root/tests/il/module.sh" "$file" "$seed" -O1 -cl-std=CL3.0 2>/dev/null || rm -f "$seed" ;;
        esac
    done
elif [ "$what" = ir ]; then
    for file in root/tests/exec/*.cl; do
        seed=seeds-ir/$(basename "$file" .cl).ir
        [ -z "${PUMICE_CC:-}" ] || [ -e "$seed" ] ||
            "$PUMICE_CC" -w -cl-std=CL2.0 --dump=ir "$file" >"$seed" 2>/dev/null || rm -f "$seed"
    done
else
    folders="$here/seeds"
    for name in pp sema parse exec gen passes spirv apps; do
        [ ! -d "root/tests/$name" ] || folders="$folders root/tests/$name"
    done
fi
# The seeds count among the runs; those that need more time than a busy machine has are not what is sought.
case $limit in
+*)
    limit=-runs=$(($(find -L "seeds-$what" $folders -type f | wc -l) + ${limit#+}))
    corpus=corpus-new-$what
    rm -rf "$corpus"
    mkdir "$corpus"
    ;;
*) limit=-max_total_time=$limit corpus=corpus-$what ;;
esac
"./fuzz_$what" "$limit" -timeout=400 -rss_limit_mb=3000 -max_len=$length -verbosity=0 \
    -print_final_stats=1 $dictionary "$corpus" "seeds-$what" $folders
