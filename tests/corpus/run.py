#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles folders of OpenCL C programs and reports the results, by file and in total.

    run.py --cc PUMICE-CC [--clang CLANG] [--repeat N] [--expected FILE] [--write FILE] FOLDER...

Each FOLDER has a `manifest` (or is a manifest file itself). Its lines, with shell quoting:
    FILE OPTION...      a program and its build options; paths are relative to the manifest
    options: OPTION...  options inserted before those of the following files
    group: NAME         the following files have a separate total
    # ...               a comment
For each file: whether it is accepted, whether every module is valid, whether clang agrees, the CPU time (of the
compiler, median of N; of clang's process), the number of non-blank lines after preprocessing, bytes of SPIR-V, peak
memory.

Results are written to --write as TSV or, if the name ends in .json, as JSON. --expected is such a TSV, or only its
first two columns: a file with a different verdict is a regression. Exit status 1: there is a regression; or, without
--expected, a crash, invalid IR, an invalid module or a verdict that differs from clang's.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile

COLUMNS = ["file", "verdict", "clang", "modules", "invalid", "ms", "clang_ms", "lines", "spirv_bytes", "peak_kb",
           "group", "message"]


def read_manifest(path):
    """[(folder, file, options, group, label)]; a repeated file has the label FILE#2"""
    if os.path.isdir(path):
        path = os.path.join(path, "manifest")
    entries, common, group, seen = [], [], "", collections.Counter()
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = shlex.split(line, comments=True)
            if not words:
                continue
            if words[0] == "options:":
                common = words[1:]
            elif words[0] == "group:":
                group = " ".join(words[1:])
            else:
                seen[words[0]] += 1
                label = os.path.join(os.path.basename(folder), words[0])
                if seen[words[0]] > 1:
                    label += "#%d" % seen[words[0]]
                entries.append((folder, words[0], common + words[1:], group, label))
    return entries


def execute(words, folder, seconds, gigabytes=0):
    """(exit status, None for a timeout; standard output; messages; CPU ms; peak kB)"""
    def limit():
        if gigabytes:
            resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as messages:
        child = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=messages,
                                 preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        ms = (usage.ru_utime + usage.ru_stime) * 1e3
        texts = []
        for stream in (out, messages):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return (None if late else -os.WTERMSIG(status), *texts, ms, usage.ru_maxrss)
    return (os.WEXITSTATUS(status), *texts, ms, usage.ru_maxrss)


def first_error(text):
    for line in text.splitlines():
        if "error" in line:
            return line[:200]
    return text.splitlines()[0][:200] if text else ""


def verdict_of(status, messages=""):
    if status == 1 and re.search("^error: .*(after p(ass|reparation)|internal:)", messages, re.M):
        return "broken"  # our own intermediate form
    return {0: "accepted", 1: "rejected", 2: "options", None: "timeout"}.get(status, "crash")


def validate(folder, seconds):
    """(number of modules, bytes, how many are invalid, first complaint)"""
    size = invalid = count = 0
    message = ""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        size += os.path.getsize(path)
        count += 1
        status, out, errors, _, _ = execute(["spirv-val", "--target-env", "vulkan1.3", path],
                                            folder, seconds)
        if status != 0:
            invalid += 1
            message = message or "spirv-val: " + first_error(out + errors)
    return count, size, invalid, message


def compile_one(settings, entry):
    folder, name, options, group, label = entry
    row = dict.fromkeys(COLUMNS, "")
    row.update(file=label, group=group, modules=0, invalid=0)
    cc = [settings.cc, "--target=" + settings.target]
    with tempfile.TemporaryDirectory() as into:
        status, _, errors, _, peak = execute(
            cc + ["--time", "--repeat=%d" % settings.repeat, "--all", "-o", into + "/", *options, name], folder,
            settings.timeout, settings.memory)
        row.update(verdict=verdict_of(status, errors), peak_kb=peak, message=first_error(errors) if status else "")
        if status == 0:
            row["ms"] = float(re.search(r"^total +([0-9.]+) ms", errors, re.M).group(1))
            if settings.validate:
                row["modules"], row["spirv_bytes"], row["invalid"], row["message"] = validate(into, settings.timeout)
    if status == 0:
        text = execute(cc + ["-E", *options, name], folder, settings.timeout)[1]
        row["lines"] = sum(1 for line in text.splitlines() if line.strip() and not line.startswith("#"))
    if settings.clang:
        words = [w for w in options if not w.startswith("--")]
        status, _, errors, ms, _ = execute(
            [settings.clang, "-x", "cl", "-target", "spir64", "-w", "-O0", "-emit-llvm", "-c", "-o", os.devnull, *words,
             name], folder, settings.timeout)
        row.update(clang=verdict_of(status), clang_ms=round(ms, 3))
        if row["verdict"] == "accepted" and status:
            row["message"] = "clang: " + first_error(errors)
    return row


def speed(row, column="ms"):
    """ms per 100 lines"""
    return row[column] * 100 / max(row["lines"], 1)


def summarize(name, rows, clang):
    accepted = [r for r in rows if r["verdict"] == "accepted"]
    parts = ["%s: %d files, %d accepted" % (name, len(rows), len(accepted))]
    if clang:
        theirs = sum(r["clang"] == "accepted" for r in rows)
        both = sum(r["clang"] == "accepted" for r in accepted)
        parts.append("clang %d, of these we %d (%.2f %%), verdicts alike %d" %
                     (theirs, both, 100 * both / max(theirs, 1), sum(r["clang"] == r["verdict"] for r in rows)))
    parts.append("%d modules, %d invalid" % (sum(r["modules"] for r in rows), sum(r["invalid"] for r in rows)))
    if accepted:
        parts.append("%.3f ms (median), %.3f ms at most, %.3f ms per 100 lines (median), %.0f MB at most" %
                     (statistics.median(r["ms"] for r in accepted), max(r["ms"] for r in accepted),
                      statistics.median(map(speed, accepted)), max(r["peak_kb"] for r in accepted) / 1024))
        if clang:
            parts.append("clang %.1f ms (median), %.3f ms per 100 lines (median)" %
                         (statistics.median(r["clang_ms"] for r in rows),
                          statistics.median(speed(r, "clang_ms") for r in accepted)))
    print("; ".join(parts))


def write_results(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        if path.endswith(".json"):
            json.dump(rows, out, indent=1)
            return
        out.write("\t".join(COLUMNS) + "\n")
        for row in rows:
            out.write("\t".join(str(row[c]).replace("\t", " ") for c in COLUMNS) + "\n")


def read_expected(path):
    with open(path, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t")[:2] for line in lines if line.strip() and line[0] != "#")


def complaints(rows, expected, clang):
    """The problems, one in each line."""
    for row in rows:
        wanted = expected.get(row["file"]) if expected else row["clang"] if clang else None
        if row["verdict"] in ("crash", "timeout", "broken"):
            yield "%s: %s %s" % (row["file"], row["verdict"], row["message"])
        elif wanted and wanted != row["verdict"]:
            yield "%s: %s, not %s: %s" % (row["file"], row["verdict"], wanted, row["message"])
        elif row["invalid"]:
            yield "%s: %s" % (row["file"], row["message"])
    for name in set(expected or ()) - {row["file"] for row in rows} - {"file"}:
        yield "%s: expected, but in no manifest" % name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True, help="pumice-cc")
    parser.add_argument("--clang", help="the compiler to compare with")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--expected")
    parser.add_argument("--write")
    parser.add_argument("--target", default="full", help="as for pumice-cc")
    parser.add_argument("--timeout", type=int, default=60, help="CPU seconds a file")
    parser.add_argument("--memory", type=int, default=4, help="GB a process may take; 0: no limit, for sanitizers")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--match", default="", help="only files that this regular expression finds")
    parser.add_argument("--no-validate", dest="validate", action="store_false")
    parser.add_argument("folders", nargs="+")
    settings = parser.parse_args()
    settings.cc = os.path.abspath(settings.cc)
    everything, wrong = [], []
    expected = read_expected(settings.expected) if settings.expected else None
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        for folder in settings.folders:
            entries = [e for e in read_manifest(folder) if re.search(settings.match, e[1])]
            rows = list(pool.map(lambda entry: compile_one(settings, entry), entries))
            everything += rows
            for group in dict.fromkeys(row["group"] for row in rows):
                name = os.path.basename(os.path.abspath(folder)) + (" (%s)" % group if group else "")
                summarize(name, [r for r in rows if r["group"] == group], settings.clang)
            sys.stdout.flush()
    if len(settings.folders) > 1:
        summarize("all", everything, settings.clang)
    wrong = list(complaints(everything, expected, settings.clang))
    for line in wrong:
        print(line)
    if settings.write:
        write_results(settings.write, everything)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
