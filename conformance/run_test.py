#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# run.py against suites made up here: every verdict, going on after a crash and a hang, what counts as a regression, what it
# refuses to begin with; shards, going on with results that are there, times, and how it ends on a signal.
# Usage: run_test.py [an ICD that loads]

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

SUITE = r"""#!/bin/sh
if [ "$1" = --list ]; then printf 'Test names:\n\tgood\n\tbad\n\tabsent\n\tdies\n\thangs\n\tlast\n'; exit; fi
for name; do
    echo "$name..."
    case $name in
    good|last) echo "$name passed" ;;
    bad) printf 'text without an end'; echo "$name FAILED" ;;
    absent) echo "$name test not supported" ;;
    dies) kill -9 $$ ;;
    hangs) exec sleep 60 ;;
    esac
done
"""
PARTITION = r"""#!/bin/sh
if [ "$1" = --list ]; then printf '\tone\n\ttwo\n'; exit; fi
echo "words: $*"
for name; do
    echo "$name..."
    [ $name = one ] && echo 'Testing with 2 queues on 2 devices' || echo 'not supported. Skipping test...'
    echo "icds: $OCL_ICD_VENDORS $OCL_ICD_FILENAMES"
    echo "$name passed"
done
"""
# What tests say that test nothing, and what those say that only seem to.
EMPTY = {
    "subgroups": "cl_khr_subgroups is not supported on this platform. Skipping test.",
    "wimpy": "Running in wimpy mode, skipping long test",
    "dimensions": "Wimpy mode enabled, skipping test",
    "two_devices": "WARNING: two device test unable to get two devices via CL_DEVICE_TYPE_ALL (got 1 devices). Skipping test...",
    "dual": "Note: Unable to run dual-device sub-buffer test (only one device available). Skipping test (implicitly passing).",
    "fence": "Device does not support extended async copies fence. Skipping test.",
    "longs": "read_long_array: Long types unsupported, skipping.",
    "scope": "memory_scope_all_svm_devices not supported, test not executed.",
    "native": "Device does not support CL_EXEC_NATIVE_KERNEL.",
    "double": "Double is not supported, test not run.",
    "gpu": "Vulkan tests can only run on a GPU device.",
    "disabled": "\tglobal memory_order_relaxed...\n\t\tTest disabled\n\tlocal memory_order_relaxed...\n\t\tTest disabled",
    "mipmaps": "-------------------\nThis device does not support cl_khr_mipmap_image.\nSkipping mipmapped image test. \n-------",
    "out_of_order": "WARNING: Device does not support out-of-order exec mode; skipping test.",
    "divergence": "Only 1 subgroup per workgroup for the kernel. Hence no divergence among subgroups possible. Skipping test.",
    "queue": "extension cl_khr_create_command_queue is not supported.",
    "handles": "Could not find a handle type that supports both import and export.",
    "resources": "Testing 1 byte element\nSkipping due to resource requirements local:16380b\nTesting 2 byte element\n"
                 "Skipping due to resource requirements local:16380b",
    "valid": "Running test for baseline results...\nFailed to obtain two devices. Test can not run.\n"
             "WARNING: this test is not a valid test of dependencies\n\tTesting with waitlists.\nFailed to obtain two devices. Test can not run.",
    "events": "Failed to obtain two devices. Test can not run.",
}
TESTING = {
    "silent": "",
    "formats": "Skipping image format: CL_R CL_FLOAT\nread_image (sampled) CL_RGBA CL_FLOAT passed with 12 texels",
    "some": "\tglobal memory_order_relaxed...\n\t\tTest disabled\n\tlocal memory_order_relaxed...\n\t\t4096 values compared",
    "size": "WARNING: kernel reported CL_OUT_OF_RESOURCES. Skipping this size.\n\tTesting 512 x 1 x 1",
    "last": "Testing 1 byte element\nSkipping due to resource requirements local:16380b\nTesting 2 byte element",
    "first": "Testing 1 byte element\nTesting 2 byte element\nSkipping due to resource requirements local:16380b",
    "error": "    build of an unknown option fails as it should",
}
VERDICTS = {"good": "pass", "bad": "fail", "absent": "skip", "dies": "crash", "hangs": "timeout", "last": "pass"}


def run(folder, *arguments):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
    return subprocess.run([sys.executable, script, folder, "--work", folder + "/work", "--limit", "4"] +
                          list(arguments), capture_output=True, text=True)


def check(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, wanted %r" % (what, got, wanted))


def results_of(name):
    """Without what is kept of the run itself."""
    with open(name) as file:
        results = json.load(file)
    check("the run is told of", sorted(results.pop("run")), ["build", "mode", "seconds"])
    return results


def write_program(name, text):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w") as file:
        file.write(text)
    os.chmod(name, 0o755)


def check_refusals(folder):
    def refused(what, *arguments):
        done = run(folder, *arguments)
        check("status of " + what, done.returncode, 2)
        check(what + " runs nothing", done.stdout, "")
        return done.stderr.splitlines()[-1]
    check("no such test", "there is no test 'nothing' in 'api'" in refused("no such test", "api:good,nothing"), True)
    check("no such suite", "there is no suite 'abi'" in refused("no such suite", "abi"), True)
    write_program(folder + "/no.so", "no library")
    write_program(folder + "/one.icd", "libnone.so\n")
    for icd in ("/none.so", "/no.so", "/one.icd", "/api"):
        check("an ICD that does not load", "the ICD does not load: " in refused(icd, "--icd", folder + icd, "api:good"), True)


def check_partition(folder, icd):
    write_program(folder + "/device_partition/test_device_partition", PARTITION)
    out = folder + "/partition.json"
    run(folder, "--out", out, "device_partition", *(["--icd", icd] if icd else []))
    check("a pass that tests nothing", results_of(out), {"device_partition": {"one": "pass", "two": "empty"}})
    with open(folder + "/work/device_partition.log") as file:
        check("both loaders' variables", "icds: %s %s\n" % (icd, icd) in file.read(), True) if icd else None
    write_program(folder + "/new/test_new", PARTITION)
    done = run(folder, "--expected", out)
    check("suites that are not known", "not known here, not run: new/test_new" in done.stdout, True)
    check("suites that are not built", " basic " in done.stdout.splitlines()[0], True)


def words_of(folder, suite):
    write_program("%s/%s/test_%s" % (folder, suite, suite), PARTITION)
    run(folder, "--il", folder + "/cache", suite)
    with open("%s/work/%s.log" % (folder, suite)) as file:
        return file.readline().split()


def check_il(folder):
    words = words_of(folder, "device_partition")
    check("programs as SPIR-V", words[1:-1], ["one", "two", "--compilation-mode", "spir-v", "--compilation-cache-path",
                                              folder + "/cache", "--disable-spirv-validation",
                                              "--compilation-program"])
    check("their compiler", os.access(words[-1], os.X_OK), True)
    check("what is last with it too", words_of(folder, "c11_atomics")[-2:], ["-internalIterations", "100"])
    check("their place", os.path.isdir(folder + "/cache"), True)


def check_regressions(folder, expected):
    def regressions(before, *suites):
        with open(expected, "w") as file:
            json.dump({"api": before}, file)
        done = run(folder, "--expected", expected, *suites)
        found = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("REG")]
        check("status with regressions", done.returncode, int(bool(found)))
        return sorted(found)
    check("passed before", regressions(dict(VERDICTS, bad="pass", absent="pass", good="fail", old="pass"), "api"),
          ["absent:", "bad:", "old:"])
    check("only those asked for", regressions(dict(VERDICTS, old="pass"), "api:good"), [])


def suite_of(said, more=""):
    """A suite of tests that say these words and pass."""
    names = "".join("\\t%s\\n" % name for name in said)
    cases = "".join("    %s) printf '%%s\\n' '%s' ;;\n" % (name, words) for name, words in said.items() if words)
    return ("#!/bin/sh\nif [ \"$1\" = --list ]; then printf '%s'; exit; fi\n%s\nfor name; do\n    echo \"$name...\"\n"
            "    case $name in\n%s    esac\n    echo \"$name passed\"\ndone\n" % (names, more, cases))


def check_empty(folder):
    """Each by itself, and what the suite wrote at its end does not make it a pass."""
    write_program(folder + "/pipes/test_pipes", suite_of(dict(EMPTY, **TESTING), """
printf '{"results": {' >"$CL_CONFORMANCE_RESULTS_FILENAME"
for name; do printf '"%s": "pass", ' $name; done >>"$CL_CONFORMANCE_RESULTS_FILENAME"
echo '"": "pass"}}' >>"$CL_CONFORMANCE_RESULTS_FILENAME\""""))
    run(folder, "--out", folder + "/empty.json", "pipes")
    wanted = dict({name: "empty" for name in EMPTY}, **{name: "pass" for name in TESTING})
    check("empty passes", results_of(folder + "/empty.json"), {"pipes": wanted})
    write_program(folder + "/geometrics/test_geometrics",
                  suite_of({"part": "Extension cl_khr_fp64 not supported; skipping double tests."}))
    run(folder, "--out", folder + "/empty.json", "geometrics")
    check("where a part is skipped", results_of(folder + "/empty.json"), {"geometrics": {"part": "pass"}})


def check_shards(folder):
    """Together they are all tests, each once; what is there is not run again, but with another library or mode it is."""
    os.environ["LOG"] = folder + "/began"
    tests = ["t%d" % i for i in range(7)]
    write_program(folder + "/half/test_half", suite_of(dict.fromkeys(tests, ""), 'echo "$@" >>"$LOG"'))
    out, lists = folder + "/shards.json", []

    def began(*arguments):
        if os.path.exists(os.environ["LOG"]):
            os.unlink(os.environ["LOG"])
        done = run(folder, "--out", out, *arguments, "half")
        try:
            with open(os.environ["LOG"]) as file:
                return file.read().split(), done
        except FileNotFoundError:
            return [], done
    for k in (1, 2, 3):
        names, done = began("--resume", "--shard", "%d/3" % k)
        lists.append(names)
    check("shards", lists, [["t0", "t3", "t6"], ["t1", "t4"], ["t2", "t5"]])
    check("shards together", results_of(out), {"half": dict.fromkeys(tests, "pass")})
    names, done = began("--resume")
    check("nothing is left", (names, "half" in done.stdout, "7 pass already" in done.stdout), ([], True, True))
    check("another mode", began("--resume", "--full")[0], tests)
    check("what is not kept", began()[0], tests)
    check("one test is estimated", "all 7 tests: about" in began("--shard", "1/7")[1].stdout, True)
    done = run(folder, "--out", out, "--estimate", "half")
    check("estimate", ("7 tests, about" in done.stdout, done.returncode), (True, 0))
    for wrong in ("0/2", "3/2", "x"):
        check("shard " + wrong, run(folder, "--shard", wrong, "half").returncode, 2)
    check("--resume without a file", run(folder, "--resume", "half").returncode, 2)


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def check_signals(folder):
    """No process is left, and what was found is written: also where the suite has children and ignores signals."""
    write_program(folder + "/select/test_select", r"""#!/bin/sh
if [ "$1" = --list ]; then printf '\tfirst\n\tsecond\n\tthird\n'; exit; fi
trap '' INT TERM HUP
echo "first..."; echo "first passed"; echo "second..."
sleep 100 & echo $! $$ >"$LOG"; wait; wait
""")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if os.path.exists(os.environ["LOG"]):
            os.unlink(os.environ["LOG"])
        out = folder + "/ended.json"
        process = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py"), folder,
                                    "--work", folder + "/work", "--out", out, "select"], stdout=subprocess.PIPE, text=True)
        pids = []
        for _ in range(200):
            if os.path.exists(os.environ["LOG"]):
                with open(os.environ["LOG"]) as file:
                    pids = [int(word) for word in file.read().split()]
            if len(pids) == 2:
                break
            time.sleep(0.1)
        process.send_signal(number)
        said = process.communicate(timeout=30)[0]
        check("status after a signal", process.returncode, 128 + number)
        check("it says so", "ended by signal" in said, True)
        check("results so far", results_of(out), {"select": {"first": "pass", "second": "notrun", "third": "notrun"}})
        time.sleep(0.2)
        check("orphans", [pid for pid in pids if is_alive(pid)], [])


def main():
    icd = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder:
        write_program(folder + "/api/test_api", SUITE)
        out, expected = folder + "/out.json", folder + "/expected.json"
        check("status with failures", run(folder, "--out", out).returncode, 1)
        check("verdicts", results_of(out), {"api": VERDICTS})
        check("status as expected", run(folder, "--expected", out).returncode, 0)
        check_regressions(folder, expected)
        check_refusals(folder)
        run(folder, "--out", out, "--suite-limit", "2", "api:hangs,last")
        check("over the suite's time", results_of(out), {"api": {"hangs": "notrun", "last": "notrun"}})
        check("one test", run(folder, "--expected", expected, "api:good").stdout.split()[1:3], ["1", "pass"])
        check_partition(folder, icd)
        check_il(folder)
        check_empty(folder)
        check_shards(folder)
        check_signals(folder)


main()
