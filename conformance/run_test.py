#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# run.py against a suite made up here: every verdict, going on after a crash and a hang, what counts as a regression.

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
VERDICTS = {"good": "pass", "bad": "fail", "absent": "skip", "dies": "crash", "hangs": "timeout", "last": "pass"}


def run(folder, *arguments):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
    return subprocess.run([sys.executable, script, folder, "--work", folder + "/work", "--limit", "4"] +
                          list(arguments), capture_output=True, text=True)


def check(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, wanted %r" % (what, got, wanted))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + "/api")
        with open(folder + "/api/test_api", "w") as file:
            file.write(SUITE)
        os.chmod(folder + "/api/test_api", 0o755)
        out, expected = folder + "/out.json", folder + "/expected.json"
        check("status with failures", run(folder, "--out", out).returncode, 1)
        with open(out) as file:
            check("verdicts", json.load(file), {"api": VERDICTS})
        check("status as expected", run(folder, "--expected", out).returncode, 0)
        with open(expected, "w") as file:
            json.dump({"api": dict(VERDICTS, bad="pass", good="fail")}, file)
        compared = run(folder, "--expected", expected)
        check("status with a regression", compared.returncode, 1)
        check("regressions", [l.split()[2] for l in compared.stdout.splitlines() if l.startswith("REG")], ["bad:"])
        run(folder, "--out", out, "--suite-limit", "2", "api:hangs,last")
        with open(out) as file:
            check("over the suite's time", json.load(file), {"api": {"hangs": "notrun", "last": "notrun"}})
        check("one test", run(folder, "--expected", expected, "api:good").stdout.split()[1:3], ["1", "pass"])


main()
