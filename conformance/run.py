#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Folder of built CTS binaries + ICD -> one verdict a test -> difference from what is expected of the device.
#
# A suite runs in one process. Its output says which test is running ("NAME...") and how it ended, so a crash or
# a test over its time limit costs that test alone: the suite goes on in a new process with the tests that are left.
# The verdicts: pass, fail, skip as the suite says; empty: passed without having tested anything; crash, timeout; notrun when
# the suite's own limit was over.
# This program neither fetches nor builds the CTS.
# With --il the suites' programs come as SPIR-V: offline.sh makes a module of each source that the cache has none of.

import argparse
import concurrent.futures
import glob
import json
import os
import queue
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
        run = subprocess.run([sys.executable, "-c", LOAD_ICD, library], capture_output=True, text=True, errors="replace")
        if run.returncode:
            return "%s: %s" % (library, run.stderr.strip() or "loading it ends with status %d" % run.returncode)
    return None if libraries else "%s holds no .icd file" % icd


def icd_environment(icd):
    """For ocl-icd, and for Khronos's loader, which takes libraries by another variable."""
    return {"OCL_ICD_VENDORS": icd, "OCL_ICD_FILENAMES": ":".join(libraries_of(icd))} if icd else {}


def test_names(program):
    """The suite's own list; asking for it needs no device."""
    out = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=60,
                         cwd=os.path.dirname(program), errors="replace").stdout
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


def end_process(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Process:
    """One process of a suite, watched line by line."""

    def __init__(self, suite, names, options, log):
        program, first = SUITES[suite]
        self.program = os.path.join(options.folder, program)
        self.names, self.options, self.log = set(names), options, log
        self.results_file = os.path.join(options.work, suite + ".cts.json")
        self.done, self.current, self.timed_out = {}, None, False
        self.evidence, self.tested = EVIDENCE.get(suite), set()
        if os.path.exists(self.results_file):
            os.unlink(self.results_file)
        environment = dict(os.environ, CL_CONFORMANCE_RESULTS_FILENAME=self.results_file, **icd_environment(options.icd))
        if not options.full:
            environment["CL_WIMPY_MODE"] = "1"
        takes_names = None not in first
        command = [self.program] + (first + names if takes_names else first[:-1])
        command += il_options(options)
        command += [] if options.full else SHORT.get(suite, [])
        self.process = subprocess.Popen(command, cwd=os.path.dirname(self.program),
                                        env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace", start_new_session=True)

    def take(self, line):
        self.log.write(line)
        line = line.rstrip("\n")
        if line.endswith("...") and line[:-3] in self.names - self.done.keys():
            self.current = line[:-3]
            return True
        if self.evidence and self.evidence in line:
            self.tested.add(self.current)
        for ending, verdict in ENDINGS.items():
            if self.current and line.endswith(self.current + ending):
                self.done[self.current] = verdict
                self.current = None
                return True
        return False

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
                end_process(self.process)
                return False
            if line is None:
                break
            if self.take(line):
                deadline = time.monotonic() + self.options.limit
        try:
            self.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            end_process(self.process)
        return True

    def results(self):
        """What the suite wrote at its end is the truth, where it came that far."""
        try:
            with open(self.results_file, errors="replace") as file:
                found = json.load(file)["results"]
        except (OSError, ValueError, KeyError):
            found = {}
        self.done.update((name, verdict) for name, verdict in found.items() if name in self.names)
        if self.evidence:
            self.done.update((name, "empty") for name, verdict in self.done.items()
                             if verdict == "pass" and name not in self.tested)
        return self.done


def run_suite(suite, wanted, options):
    program = os.path.join(options.folder, SUITES[suite][0])
    names = test_names(program)
    if wanted:
        names = [name for name in names if name in wanted]
    results, left = {}, names
    start = time.monotonic()
    suite_end = start + (options.suite_limit or 10 ** 9)
    with open(os.path.join(options.work, suite + ".log"), "w", errors="replace") as log:
        while left and time.monotonic() < suite_end:
            process = Process(suite, left, options, log)
            ended = process.run(suite_end)
            results.update(process.results())
            culprit = process.current if process.current not in results else None
            if culprit and (ended or process.timed_out):
                results[culprit] = "crash" if ended else "timeout"
            rest = [name for name in left if name not in results]
            if len(rest) == len(left) and time.monotonic() < suite_end:  # not even one test began
                results.update((name, "crash" if ended else "timeout") for name in rest)
                rest = []
            left = rest
    results.update((name, "notrun") for name in left)
    seconds = time.monotonic() - start
    print("%-24s %s  %d s" % (suite, summary(results), seconds), flush=True)
    return suite, dict(sorted(results.items()))


def summary(results):
    counts = [sum(v == verdict for v in results.values()) for verdict in VERDICTS]
    return ", ".join("%d %s" % pair for pair in zip(counts, VERDICTS) if pair[0]) or "nothing"


def write_results(name, got):
    if name:
        with open(name, "w") as file:
            json.dump(got, file, indent=1)
            file.write("\n")


def word_for(old, verdict):
    if verdict == "pass" or (old not in ("pass", "absent") and verdict in ("skip", "empty")):
        return "better"
    return "REGRESSION" if old in ("pass", "absent") else "differs"


def compare(expected, got, wanted):
    """Prints each difference; how many of them are regressions."""
    regressions = 0
    for suite, results in got.items():
        before = expected.get(suite, {})
        if not wanted[suite]:  # all of its tests: those that are gone as well
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
    p.add_argument("--il", metavar="CACHE", help="programs as SPIR-V by clang and llvm-spirv; they are kept in this folder")
    options = p.parse_intermixed_args(arguments)
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
    """suite -> set of tests wanted, empty for all of them"""
    built = [s for s, (program, _) in SUITES.items()
             if os.access(os.path.join(options.folder, program), os.X_OK)]
    wanted = {}
    for word in options.suites or built:
        suite, _, tests = word.partition(":")
        if suite not in SUITES:
            parser.error("there is no suite '%s'; there are: %s" % (suite, " ".join(SUITES)))
        if suite not in built:
            parser.error("'%s' is not built in %s" % (suite, options.folder))
        wanted[suite] = set(filter(None, tests.split(",")))
        names = test_names(os.path.join(options.folder, SUITES[suite][0]))
        if not names:
            parser.error("'%s' lists no tests" % suite)
        for name in sorted(wanted[suite] - set(names)):
            parser.error("there is no test '%s' in '%s'" % (name, suite))
    if not wanted:
        parser.error("no suite is built in %s" % options.folder)
    return wanted


def tell_left_out(options, wanted):
    if options.suites:
        return
    for what, names in (("not built", [s for s in SUITES if s not in wanted]),
                        ("not known here, not run", unknown_programs(options.folder))):
        if names:
            print("%s: %s" % (what, " ".join(names)), flush=True)


def main(arguments):
    parser, options = options_of(arguments)
    wanted = suites_of(parser, options)
    fault = icd_fault(options.icd) if options.icd else None
    if fault:
        parser.error("the ICD does not load: " + fault)
    tell_left_out(options, wanted)
    expected = {}
    if options.expected:
        with open(options.expected) as file:
            expected = json.load(file)
    os.makedirs(options.work, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        runs = [pool.submit(run_suite, s, tests, options) for s, tests in wanted.items()]
        got = {}
        for run in runs:
            suite, got[suite] = run.result()
            write_results(options.out, got)
    if options.expected:
        regressions = compare(expected, got, wanted)
        print("%d regressions" % regressions)
        return 1 if regressions else 0
    return 1 if any(v in ("fail", "crash", "timeout") for r in got.values() for v in r.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
