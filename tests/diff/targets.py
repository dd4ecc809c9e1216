#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles random kernels for device presets; the devices need not be present.

    targets.py --cc PUMICE-CC --diff DIFF [--first N] [--count N] [--options TEXT]... TARGET...

Each seed's program is compiled for each target with each option text (once without options if none is given), the IR
is verified after every pass, and every module is checked by spirv-val. A target may refuse a program that uses features
that it lacks. With --objects the program is also compiled to an object and linked, which must give the same modules.
Ends with 'N modules valid, N refused, N failed'. Exit status 1: something failed, or nothing was compiled.
"""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile

LACKS = ("which the device does not support", "which the device lacks")


def execute(words, seconds):
    """(exit status, None on timeout; standard output and error)"""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, b"runs for more than %d s" % seconds
    return done.returncode, done.stdout


def modules_in(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".spv"))


def last_line(text):
    return text.decode(errors="replace").strip().rpartition("\n")[2][:200]


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Run:
    def __init__(self, settings):
        self.settings = settings
        self.valid = self.refused = self.failed = 0

    def fail(self, what, text):
        self.failed += 1
        print("%s: %s" % (what, last_line(text)), flush=True)

    def compile(self, what, options, source, into):
        """Whether modules were written."""
        status, text = execute([self.settings.cc, *options, "-o", into, *source], self.settings.timeout)
        if status == 1 and any(words in text.decode(errors="replace") for words in LACKS):
            self.refused += 1
        elif status != 0:
            self.fail(what, text or b"exit status %d" % status)
        return status == 0

    def check(self, what, folder):
        for name in modules_in(folder):
            status, text = execute(["spirv-val", "--target-env", "vulkan1.3", os.path.join(folder, name)],
                                   self.settings.timeout)
            self.valid += status == 0
            if status != 0:
                self.fail(what, text)

    def by_object(self, what, target, options, source, folder):
        part, again = os.path.join(folder, "part.o"), os.path.join(folder, "again")
        os.mkdir(again)
        if not self.compile(what, [*target, *options, "-w", "-c"], [source], part) or \
                not self.compile(what, [*target, "--all"], [part], again + "/"):
            return
        if [read(os.path.join(folder, n)) for n in modules_in(folder)] != \
                [read(os.path.join(again, n)) for n in modules_in(again)]:
            self.check(what, again)

    def one(self, seed, target, options, source):
        what = "seed %d, %s, '%s'" % (seed, target, options)
        target, options = ["--target=" + target], ["-cl-std=CL3.0", *shlex.split(options)]
        with tempfile.TemporaryDirectory() as folder:
            if not self.compile(what, [*target, *options, "-w", "--all"], [source], folder + "/"):
                return
            self.check(what, folder)
            if self.settings.objects:
                self.by_object(what + ", by an object", target, options, source, folder)

    def seed(self, seed):
        printed = subprocess.run([self.settings.diff, "--print", str(seed)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if printed.returncode:  # grew too large
            return
        with tempfile.NamedTemporaryFile(suffix=".cl") as source:
            source.write(printed.stdout)
            source.flush()
            for target in self.settings.targets:
                for options in self.settings.options or [""]:
                    self.one(seed, target, options, source.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True, help="pumice-cc")
    parser.add_argument("--diff", required=True, help="the generator")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--options", action="append", help="build options; repeatable")
    parser.add_argument("--objects", action="store_true")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one compilation")
    parser.add_argument("targets", nargs="+")
    run = Run(parser.parse_args())
    for seed in range(run.settings.first, run.settings.first + run.settings.count):
        run.seed(seed)
    print("%d modules valid, %d refused, %d failed" % (run.valid, run.refused, run.failed))
    return 1 if run.failed or not run.valid else 0


if __name__ == "__main__":
    sys.exit(main())
