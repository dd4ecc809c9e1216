#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# run.py against suites made up here: every verdict, going on after a crash and a hang, what counts as a regression, what it
# refuses to begin with.
# Usage: run_test.py [an ICD that loads]

import json
import os
import subprocess
import sys
import tempfile

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
VERDICTS = {"good": "pass", "bad": "fail", "absent": "skip", "dies": "crash", "hangs": "timeout", "last": "pass"}


def run(folder, *arguments):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
    return subprocess.run([sys.executable, script, folder, "--work", folder + "/work", "--limit", "4"] +
                          list(arguments), capture_output=True, text=True)


def check(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, wanted %r" % (what, got, wanted))


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
    with open(out) as file:
        check("a pass that tests nothing", json.load(file), {"device_partition": {"one": "pass", "two": "empty"}})
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


def main():
    icd = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder:
        write_program(folder + "/api/test_api", SUITE)
        out, expected = folder + "/out.json", folder + "/expected.json"
        check("status with failures", run(folder, "--out", out).returncode, 1)
        with open(out) as file:
            check("verdicts", json.load(file), {"api": VERDICTS})
        check("status as expected", run(folder, "--expected", out).returncode, 0)
        check_regressions(folder, expected)
        check_refusals(folder)
        run(folder, "--out", out, "--suite-limit", "2", "api:hangs,last")
        with open(out) as file:
            check("over the suite's time", json.load(file), {"api": {"hangs": "notrun", "last": "notrun"}})
        check("one test", run(folder, "--expected", expected, "api:good").stdout.split()[1:3], ["1", "pass"])
        check_partition(folder, icd)
        check_il(folder)


main()
