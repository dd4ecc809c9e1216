#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Folder of built CTS binaries + ICD -> one verdict a test -> difference from what is expected of the device.
#
# A suite runs in one process. Its output says which test is running ("NAME...") and how it ended, so a crash or
# a test over its time limit costs that test alone: the suite goes on in a new process with the tests that are left.
# The verdicts: pass, fail, skip as the suite says; empty: passed without having tested anything; crash, timeout; notrun when
# the suite's own limit was over, or the run was ended. SIGINT, SIGTERM and SIGHUP end the suites' processes too, and what has
# been found is written.
# This program neither fetches nor builds the CTS.
# With --il the suites' programs come as SPIR-V: offline.sh makes a module of each source that the cache has none of.

import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time

# suite -> (program, what it needs in front of the names of tests; None behind it: it takes no names)
SUITES = {
    "api": ("api/test_api", []),
    "basic": ("basic/test_basic", []),
    "compiler": ("compiler/test_compiler", []),
    "buffers": ("buffers/test_buffers", []),
    "mem_host_flags": ("mem_host_flags/test_mem_host_flags", []),
    "events": ("events/test_events", []),
    "computeinfo": ("computeinfo/test_computeinfo", []),
    "profiling": ("profiling/test_profiling", []),
    "vectors": ("vectors/test_vectors", []),
    "select": ("select/test_select", []),
    "integer_ops": ("integer_ops/test_integer_ops", []),
    "thread_dimensions": ("thread_dimensions/test_thread_dimensions", []),
    "atomics": ("atomics/test_atomics", []),
    "relationals": ("relationals/test_relationals", []),
    "commonfns": ("commonfns/test_commonfns", []),
    "geometrics": ("geometrics/test_geometrics", []),
    "allocations": ("allocations/test_allocations", ["single", "5%"]),
    "device_timer": ("device_timer/test_device_timer", []),
    "multiple_device_context": ("multiple_device_context/test_multiples", []),
    "half": ("half/test_half", []),
    "conversions": ("conversions/test_conversions", ["-1", None]),
    "contractions": ("contractions/test_contractions", []),
    "math_brute_force": ("math_brute_force/test_bruteforce", ["-1"]),
    "device_partition": ("device_partition/test_device_partition", []),
    "c11_atomics": ("c11_atomics/test_c11_atomics", []),
    "generic_address_space": ("generic_address_space/test_generic_address_space", []),
    "non_uniform_work_group": ("non_uniform_work_group/test_non_uniform_work_group", ["first"]),
    "printf": ("printf/test_printf", []),
    "SVM": ("SVM/test_svm", []),
    "subgroups": ("subgroups/test_subgroups", []),
    "workgroups": ("workgroups/test_workgroups", []),
    "device_execution": ("device_execution/test_device_execution", []),
    "pipes": ("pipes/test_pipes", []),
    "buffer_device_address": ("extensions/cl_ext_buffer_device_address/test_cl_ext_buffer_device_address", []),
    "command_buffer": ("extensions/cl_khr_command_buffer/test_cl_khr_command_buffer", []),
    "spirv_new": ("spirv_new/test_spirv_new", []),
    "semaphore": ("extensions/cl_khr_semaphore/test_cl_khr_semaphore", []),
    "external_semaphore": ("extensions/cl_khr_external_semaphore/test_cl_khr_external_semaphore", []),
    "external_memory_dma_buf": ("extensions/cl_khr_external_memory_dma_buf/test_cl_khr_external_memory_dma_buf", []),
    "kernel_clock": ("extensions/cl_khr_kernel_clock/test_cl_khr_kernel_clock", []),
    "cxx_for_opencl": ("extensions/cl_ext_cxx_for_opencl/test_cl_ext_cxx_for_opencl", []),
    "vulkan": ("vulkan/test_vulkan", []),
    "mutable_dispatch": ("extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch/test_cl_khr_mutable_dispatch", []),
    "image_info": ("images/clGetInfo/test_cl_get_info", []),
    "image_methods": ("images/kernel_image_methods/test_kernel_image_methods", []),
    "image_copy": ("images/clCopyImage/test_cl_copy_images", []),
    "image_fill": ("images/clFillImage/test_cl_fill_images", []),
    "image_read_write": ("images/clReadWriteImage/test_cl_read_write_images", []),
    "image_samplerless": ("images/samplerlessReads/test_samplerless_reads", []),
    "image_streams": ("images/kernel_read_write/test_image_streams", []),
}
# What comes last in wimpy mode, where suites look for it: the suite itself knows none, and takes hours on a CPU.
SHORT = {
    "image_info": ["small_images"],
    "image_methods": ["small_images"],
    "image_copy": ["small_images"],
    "image_fill": ["small_images"],
    "image_read_write": ["small_images"],
    "image_samplerless": ["small_images"],
    "image_streams": ["CL_RGBA", "CL_UNORM_INT8"],
    "c11_atomics": ["-internalIterations", "100"],
}
# What a test that has tested something says; without it a pass is empty.
EVIDENCE = {"device_partition": "Testing with "}
# A test that says nothing but this has tested nothing either.
SKIPS = re.compile(r"""\bskip(s|ped|ping)?\b | \bnot\ supported\b | \bunsupported\b | \b(does\ not|doesn't|do\ not|cannot)\ support\b
    | \bnot\ +(be\ )?(run|executed|tested|implemented|applicable)\b | \bcan\ ?not\ (run|test)\b | \bimplicitly\ pass(es|ing)\b
    | \btest\ disabled\b | \bmissing\ implementation\b | \bescape\ testing\b | \bonly\ run\ on\b | \bno\ [\w\ ]*\bpossible\b
    | \bonly\ one\ device\b | \bunable\ to\ (get|run|find)\b | \bcould\ not\ find\ a\b | \bfailed\ to\ obtain\ two\b
    | \bnot\ a\ valid\ test\b""", re.I | re.X)
# What tells that something is tested, unless the next line skips it.
HEADINGS = re.compile(r"^\s*(Testing|Running test)\b")
# Lines that say neither: rules, what each sub-test begins with, what goes on from a line that skips.
NEUTRAL = re.compile(r"^[\W_]*$|\.\.\.$|^\s*(This is only valid|Device (is not|version)|Using small test images)|wimpy mode", re.I)
# Where a part is skipped, the rest says nothing.
PARTS = {"geometrics": re.compile(r"skipping double tests"), "basic": re.compile(r"Copy overlap reported")}
RUN = "run"  # in a file of results, beside the suites: the build, the mode, and the seconds that tests took
SAVE_S = 5   # results are written that often
VERDICTS = ("pass", "fail", "skip", "empty", "crash", "timeout", "notrun")
ENDINGS = {" passed": "pass", " FAILED": "fail", " test not supported": "skip",
           " test currently not implemented": "skip"}
GRACE_S = 30  # for what a process does before its first test and after its last


# Loads an ICD as a loader does, in a process of its own.
LOAD_ICD = """
import ctypes, sys
try:
    icd, count = ctypes.CDLL(sys.argv[1]), ctypes.c_uint(0)
    code = icd.clIcdGetPlatformIDsKHR(0, None, ctypes.byref(count))
except (OSError, AttributeError) as error:
    sys.exit(str(error))
if code or not count.value:
    sys.exit("it has no platform (error %d)" % code)
"""


class Ended(Exception):
    """The run was told to end."""


class Processes:
    """Those that run now, each the first of a group of its own; a signal ends them all."""

    def __init__(self):
        self.lock, self.live, self.signal = threading.Lock(), set(), None

    def start(self, command, **how):
        with self.lock:
            if self.signal:
                raise Ended()
            process = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL, text=True, errors="replace", **how)
            self.live.add(process)
        if self.signal:  # it came meanwhile, and end_all() has not seen this process
            kill_group(process)
        return process

    def end(self, process):
        end_process(process)
        with self.lock:
            self.live.discard(process)

    def end_all(self, number, _frame):
        self.signal = number
        for process in list(self.live):
            kill_group(process)

    def output(self, command, **how):
        """Of a short one: its status and what it wrote, errors among it."""
        process = self.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
        try:
            out = process.communicate(timeout=60)[0]
        finally:
            self.end(process)
        return process.returncode, out


PROCESSES = Processes()


def libraries_of(icd):
    """The libraries that a library, an .icd file or a folder of such files stands for."""
    if os.path.isdir(icd):
        return [library for name in sorted(glob.glob(os.path.join(icd, "*.icd"))) for library in libraries_of(name)]
    if not icd.endswith(".icd"):
        return [icd]
    with open(icd) as file:
        return [file.read().strip()]


def icd_fault(icd):
    """Why the ICD cannot be used; None: it can."""
    try:
        libraries = libraries_of(icd)
    except OSError as error:
        return str(error)
    for library in libraries:
        status, out = PROCESSES.output([sys.executable, "-c", LOAD_ICD, library])
        if status:
            return "%s: %s" % (library, out.strip() or "loading it ends with status %d" % status)
    return None if libraries else "%s holds no .icd file" % icd


def icd_environment(icd):
    """For ocl-icd, and for Khronos's loader, which takes libraries by another variable."""
    return {"OCL_ICD_VENDORS": icd, "OCL_ICD_FILENAMES": ":".join(libraries_of(icd))} if icd else {}


def test_names(program):
    """The suite's own list; asking for it needs no device."""
    out = PROCESSES.output([program, "--list"], cwd=os.path.dirname(program))[1]
    return [line.strip() for line in out.splitlines() if line.startswith("\t") and line.strip()]


def il_options(options):
    if not options.il:
        return []
    offline = os.path.join(os.path.dirname(os.path.abspath(__file__)), "offline.sh")
    return ["--compilation-mode", "spir-v", "--compilation-cache-path", options.il, "--disable-spirv-validation",
            "--compilation-program", offline]


def lines_of(stream, into):
    for line in stream:
        into.put(line)
    into.put(None)


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_process(process):
    kill_group(process)
    process.wait()


class Process:
    """One process of a suite, watched line by line."""

    def __init__(self, suite, names, options, log, found):
        program, first = SUITES[suite]
        self.program = os.path.join(options.folder, program)
        self.names, self.options, self.log, self.found = set(names), options, log, found
        self.results_file = os.path.join(options.work, suite + ".cts.json")
        self.done, self.current, self.timed_out = {}, None, False
        self.evidence, self.part = EVIDENCE.get(suite), PARTS.get(suite)
        self.tested, self.skipped, self.seconds, self.heading = set(), set(), {}, False
        self.began = time.monotonic()
        if os.path.exists(self.results_file):
            os.unlink(self.results_file)
        environment = dict(os.environ, CL_CONFORMANCE_RESULTS_FILENAME=self.results_file, **icd_environment(options.icd))
        if not options.full:
            environment["CL_WIMPY_MODE"] = "1"
        takes_names = None not in first
        command = [self.program] + (first + names if takes_names else first[:-1])
        command += il_options(options)
        command += [] if options.full else SHORT.get(suite, [])
        self.process = PROCESSES.start(command, cwd=os.path.dirname(self.program), env=environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def judge(self, line):
        """Whether the line tells that the current test tests something, or that it does not."""
        heading, self.heading = self.heading, False
        if self.evidence:
            said = self.evidence in line
        elif self.part and self.part.search(line):
            said = True
        elif SKIPS.search(line):
            self.skipped.add(self.current)
            return
        elif NEUTRAL.search(line):
            said, self.heading = False, heading
        else:
            self.heading = bool(HEADINGS.search(line))
            said = heading or not self.heading
        if said:
            self.tested.add(self.current)

    def is_empty(self, name):
        return name not in self.tested and (name in self.skipped or bool(self.evidence))

    def take(self, line):
        self.log.write(line)
        line = line.rstrip("\n")
        if line.endswith("...") and line[:-3] in self.names - self.done.keys():
            self.current, self.began = line[:-3], time.monotonic()
            return True
        for ending, verdict in ENDINGS.items():
            if self.current and line.endswith(self.current + ending):
                self.end_test(verdict, line[:-len(self.current + ending)])
                return True
        if self.current:
            self.judge(line)
        return False

    def end_test(self, verdict, before):
        """`before`: what the test said at last, without an end of a line."""
        self.judge(before)
        if self.heading:
            self.tested.add(self.current)
        self.heading = False
        self.done[self.current] = "empty" if verdict == "pass" and self.is_empty(self.current) else verdict
        self.seconds[self.current] = round(time.monotonic() - self.began, 2)
        self.current = None

    def run(self, suite_end):
        """Fills self.done; whether the process ended by itself."""
        lines = queue.Queue()
        reader = threading.Thread(target=lines_of, args=(self.process.stdout, lines), daemon=True)
        reader.start()
        deadline = time.monotonic() + self.options.limit + GRACE_S
        while True:
            left = min(deadline, suite_end) - time.monotonic()
            try:
                line = lines.get(timeout=max(left, 0.01))
            except queue.Empty:
                self.timed_out = time.monotonic() >= deadline
                PROCESSES.end(self.process)
                return False
            if line is None:
                break
            if self.take(line):
                deadline = time.monotonic() + self.options.limit
                self.found(self.done, self.seconds)
        try:
            self.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            pass
        PROCESSES.end(self.process)
        return True

    def results(self):
        """What the suite wrote at its end is the truth, where it came that far."""
        try:
            with open(self.results_file, errors="replace") as file:
                found = json.load(file)["results"]
        except (OSError, ValueError, KeyError):
            found = {}
        for name, verdict in found.items():
            if name in self.names:
                self.done[name] = "empty" if verdict == "pass" and self.is_empty(name) else verdict
        return self.done


class Results:
    """What is found, suite by suite, and the file that it is kept in."""

    def __init__(self, options):
        self.name, self.lock, self.saved = options.out, threading.Lock(), 0.0
        self.run = {"build": build_id(options.icd), "mode": mode_of(options), "seconds": {}}
        self.suites = {}
        if options.resume:
            self.take_over(options.out)

    def take_over(self, name):
        """What the file has of this build, told in the same way."""
        before = read_results(name)
        run = before.pop(RUN, {})
        if not before:
            return
        if any(run.get(key) != self.run[key] for key in ("build", "mode")):
            print("%s is of another build or mode: all tests are run" % name, flush=True)
            return
        self.run["seconds"] = run.get("seconds", {})
        self.suites = {suite: {test: verdict for test, verdict in tests.items() if verdict != "notrun"}
                       for suite, tests in before.items()}

    def known(self, suite):
        return self.suites.get(suite, {})

    def add(self, suite, verdicts, seconds):
        with self.lock:
            self.suites.setdefault(suite, {}).update(verdicts)
            self.run["seconds"].setdefault(suite, {}).update(seconds)
            late = time.monotonic() - self.saved > SAVE_S
        if late:
            self.save()

    def save(self):
        with self.lock:
            self.saved = time.monotonic()
            got = {suite: dict(sorted(tests.items())) for suite, tests in self.suites.items()}
            write_results(self.name, dict(got, **{RUN: self.run}))

    def estimate(self, suite, count):
        """Seconds of all `count` tests of a suite, by those that have run; None: none has."""
        took = self.run["seconds"].get(suite, {})
        return sum(took.values()) / len(took) * count if took else None


def mode_of(options):
    return ("full" if options.full else "wimpy") + (", as SPIR-V" if options.il else "")


def build_id(icd):
    """Of the libraries' bytes."""
    digest = hashlib.sha256()
    for library in libraries_of(icd) if icd else []:
        try:
            with open(library, "rb") as file:
                digest.update(file.read())
        except OSError:
            digest.update(library.encode())
    return digest.hexdigest()[:16]


def read_results(name):
    try:
        with open(name) as file:
            return json.load(file)
    except (OSError, ValueError, TypeError):
        return {}


def run_suite(suite, names, options, results):
    """Runs `names`, which no earlier run has a verdict of; their verdicts."""
    got, left = {}, names
    start = time.monotonic()
    suite_end = start + (options.suite_limit or 10 ** 9)

    def found(verdicts, seconds):
        results.add(suite, verdicts, seconds)

    with open(os.path.join(options.work, suite + ".log"), "w", errors="replace") as log:
        while left and time.monotonic() < suite_end and not PROCESSES.signal:
            process = Process(suite, left, options, log, found)
            ended = process.run(suite_end)
            got.update(process.results())
            if PROCESSES.signal:
                break
            culprit = process.current if process.current not in got else None
            if culprit and (ended or process.timed_out):
                got[culprit] = "crash" if ended else "timeout"
                process.seconds[culprit] = round(time.monotonic() - process.began, 2)
            rest = [name for name in left if name not in got]
            if len(rest) == len(left) and time.monotonic() < suite_end:  # not even one test began
                got.update((name, "crash" if ended else "timeout") for name in rest)
                rest = []
            found(got, process.seconds)
            left = rest
    got.update((name, "notrun") for name in names if name not in got)
    found(got, {})
    print("%-24s %s  %d s%s" % (suite, summary(got), time.monotonic() - start, told_estimate(suite, got, options, results)), flush=True)
    return got


def told_estimate(suite, got, options, results):
    """Of the whole suite, where some of it has not run."""
    count = options.counts.get(suite, len(got))
    seconds = results.estimate(suite, count)
    whole = len(results.known(suite)) >= count and "notrun" not in got.values()
    return "" if whole or seconds is None else "; all %d tests: about %d s" % (count, seconds)


def summary(results):
    counts = [sum(v == verdict for v in results.values()) for verdict in VERDICTS]
    return ", ".join("%d %s" % pair for pair in zip(counts, VERDICTS) if pair[0]) or "nothing"


def write_results(name, got):
    """Whoever reads meanwhile sees the old file or the new one."""
    if name:
        with open(name + ".new", "w") as file:
            json.dump(got, file, indent=1)
            file.write("\n")
        os.replace(name + ".new", name)


def word_for(old, verdict):
    if verdict == "pass" or (old not in ("pass", "absent") and verdict in ("skip", "empty")):
        return "better"
    return "REGRESSION" if old in ("pass", "absent") else "differs"


def compare(expected, got, whole):
    """Prints each difference; how many of them are regressions."""
    regressions = 0
    for suite, results in got.items():
        before = expected.get(suite, {})
        if suite in whole:  # those that are gone as well
            results = dict(results, **{name: "missing" for name in before if name not in results})
        for name, verdict in results.items():
            old = before.get(name, "absent")
            if verdict == old:
                continue
            word = word_for(old, verdict)
            regressions += word == "REGRESSION"
            print("%-10s %s %s: %s, was %s" % (word, suite, name, verdict, old))
    return regressions


def options_of(arguments):
    p = argparse.ArgumentParser(description="Runs suites of the Khronos OpenCL CTS that you have built.")
    p.add_argument("folder", help="the build's test_conformance folder")
    p.add_argument("suites", nargs="*", metavar="SUITE[:TEST,...]",
                   help="default: every suite that is built")
    p.add_argument("--icd", help="library, .icd file or folder (OCL_ICD_VENDORS and OCL_ICD_FILENAMES)")
    p.add_argument("--expected", help="compare with this file; exit status 1 on a regression")
    p.add_argument("--out", help="write the results here, in the form --expected reads")
    p.add_argument("--work", default="cts-results", help="folder for the logs of the suites")
    p.add_argument("--jobs", type=int, default=1, help="suites at a time")
    p.add_argument("--limit", type=float, default=300, help="seconds for one test")
    p.add_argument("--suite-limit", type=float, default=0, help="seconds for one suite; 0: none")
    p.add_argument("--full", action="store_true", help="without the CTS's wimpy mode")
    p.add_argument("--resume", action="store_true",
                   help="keep what the file of --out has of this build and mode, run what is left")
    p.add_argument("--shard", metavar="K/N", default="1/1", help="run every Nth test, from the Kth on")
    p.add_argument("--estimate", action="store_true",
                   help="run nothing; tell how long each suite takes, by the times in the file of --out, or else of --expected")
    p.add_argument("--il", metavar="CACHE", help="programs as SPIR-V by clang and llvm-spirv; they are kept in this folder")
    options = p.parse_intermixed_args(arguments)
    shard = re.fullmatch(r"(\d+)/(\d+)", options.shard)
    options.shard = tuple(map(int, shard.groups())) if shard else (0, 0)
    if not 1 <= options.shard[0] <= options.shard[1]:
        p.error("--shard wants K/N, K from 1 to N")
    if options.resume and not options.out:
        p.error("--resume wants --out")
    options.folder = os.path.abspath(options.folder)
    options.work = os.path.abspath(options.work)
    if options.icd:
        options.icd = os.path.abspath(options.icd)
    if options.il:
        options.il = os.path.abspath(options.il)
        os.makedirs(options.il, exist_ok=True)
    return p, options


def unknown_programs(folder):
    known = {os.path.join(folder, program) for program, _ in SUITES.values()}
    return sorted(os.path.relpath(name, folder) for name in glob.glob(folder + "/**/test_*", recursive=True)
                  if os.path.isfile(name) and os.access(name, os.X_OK) and name not in known)


def suites_of(parser, options):
    """suite -> its tests that are wanted, in the suite's order; and the suites that all are wanted of"""
    built = [s for s, (program, _) in SUITES.items()
             if os.access(os.path.join(options.folder, program), os.X_OK)]
    wanted, whole, options.counts = {}, set(), {}
    for word in options.suites or built:
        suite, _, tests = word.partition(":")
        if suite not in SUITES:
            parser.error("there is no suite '%s'; there are: %s" % (suite, " ".join(SUITES)))
        if suite not in built:
            parser.error("'%s' is not built in %s" % (suite, options.folder))
        chosen = set(filter(None, tests.split(",")))
        names = test_names(os.path.join(options.folder, SUITES[suite][0]))
        if not names:
            parser.error("'%s' lists no tests" % suite)
        for name in sorted(chosen - set(names)):
            parser.error("there is no test '%s' in '%s'" % (name, suite))
        options.counts[suite] = len(names)
        wanted[suite] = [name for name in names if not chosen or name in chosen]
        if not chosen and options.shard == (1, 1):
            whole.add(suite)
    if not wanted:
        parser.error("no suite is built in %s" % options.folder)
    return shard_of(wanted, *options.shard), whole


def shard_of(wanted, k, n):
    """Tests are dealt one by one, so that a suite's long ones are spread; a suite that takes no names goes to one shard."""
    dealt, place = {}, 0
    for suite, names in wanted.items():
        units = [names] if None in SUITES[suite][1] else [[name] for name in names]
        mine = [name for i, unit in enumerate(units, place) if i % n == k - 1 for name in unit]
        place += len(units)
        if mine:
            dealt[suite] = mine
    return dealt


def tell_estimates(options, wanted):
    """By the times of earlier runs."""
    total, known = 0, read_results(options.out or options.expected).get(RUN, {})
    print("by times of build %s, %s:" % (known.get("build"), known.get("mode")))
    for suite, names in wanted.items():
        took = known.get("seconds", {}).get(suite, {})
        seconds = sum(took.values()) / len(took) * len(names) if took else 0
        total += seconds
        print("%-24s %d tests, %s" % (suite, len(names), "about %d s (%d have run)" % (seconds, len(took)) if took else "not known"))
    print("together about %d s" % total)


def tell_left_out(options, wanted):
    if options.suites:
        return
    for what, names in (("not built", [s for s in SUITES if s not in wanted]),
                        ("not known here, not run", unknown_programs(options.folder))):
        if names:
            print("%s: %s" % (what, " ".join(names)), flush=True)


def run_all(options, wanted, results):
    """suite -> test -> verdict: of those that are wanted, found now or before"""
    got = {}

    def run_one(suite):
        known = results.known(suite)
        kept = {name: known[name] for name in wanted[suite] if name in known}
        left = [name for name in wanted[suite] if name not in kept]
        if kept:
            print("%-24s %s already" % (suite, summary(kept)), flush=True)
        return dict(kept, **(run_suite(suite, left, options, results) if left else {}))

    with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        runs = {suite: pool.submit(run_one, suite) for suite in wanted}
        for suite, run in runs.items():
            try:
                got[suite] = dict(sorted(run.result().items()))
            except Ended:
                pass
            results.save()
    return got


def main(arguments):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, PROCESSES.end_all)
    parser, options = options_of(arguments)
    wanted, whole = suites_of(parser, options)
    if options.estimate:
        tell_estimates(options, wanted)
        return 0
    fault = icd_fault(options.icd) if options.icd else None
    if fault:
        parser.error("the ICD does not load: " + fault)
    tell_left_out(options, wanted)
    expected = {}
    if options.expected:
        with open(options.expected) as file:
            expected = json.load(file)
    os.makedirs(options.work, exist_ok=True)
    got = run_all(options, wanted, Results(options))
    if PROCESSES.signal:
        print("ended by signal %d" % PROCESSES.signal, flush=True)
        return 128 + PROCESSES.signal
    if options.expected:
        regressions = compare(expected, got, whole)
        print("%d regressions" % regressions)
        return 1 if regressions else 0
    return 1 if any(v in ("fail", "crash", "timeout") for r in got.values() for v in r.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Ended:
        sys.exit(128 + PROCESSES.signal)
