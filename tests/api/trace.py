#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# PUMICE_TRACE of tests/api/trace.c is valid JSON, even if the program crashes; rows have names,
# spans have sizes, builds are included, arrows connect waiting commands with those they wait for,
# and nothing is included that the program did not do.
# Usage: trace.py PROGRAM [EMULATOR]

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import fcntl
except ImportError:
    fcntl = None

KINDS = {"write": 16384, "write by the host": 16384, "fill": 1024, "copy": 2048, "read": 4096, "read by the host": 4096}
ARROWS = 3 # write, launch, fill, copy
failed = []


def check(what, ok, *found):
    if not ok:
        failed.append(what)
        print("%s: not so" % what, *found)


def trace_of(program, name, *arguments, **more):
    run = subprocess.run([*sys.argv[2:], program, *arguments], env=dict(os.environ, PUMICE_TRACE=name, **more), capture_output=True)
    if run.returncode == 77:
        sys.exit(77)
    with open(name) as file:
        return run.returncode, json.load(file)


# The keys of each phase in the trace event format, and their types; no others are written.
FORMAT = {
    "M": {"name": str, "ph": str, "pid": int, "tid": int, "args": dict},
    "X": {"name": str, "cat": str, "ph": str, "pid": int, "tid": int, "ts": float, "dur": float, "args": dict},
    "C": {"name": str, "ph": str, "pid": int, "ts": float, "args": dict},
    "s": {"name": str, "cat": str, "ph": str, "id": int, "pid": int, "tid": int, "ts": float},
    "f": {"name": str, "cat": str, "ph": str, "id": int, "pid": int, "tid": int, "ts": float, "bp": str},
}
OPTIONAL = {("M", "tid"), ("X", "args")}


def check_format(events):
    check("an array of objects", isinstance(events, list) and all(isinstance(e, dict) for e in events))
    for e in events:
        keys = FORMAT.get(e.get("ph"), {})
        check("the format of events", keys and all(type(e[k]) is keys.get(k) for k in e) and
              all(k in e or (e["ph"], k) in OPTIONAL for k in keys), e)
    check("counters are numbers", all(type(v) is int for e in events if e["ph"] == "C" for v in e["args"].values()))
    check("arrows end at the enclosing span", all(e["bp"] == "e" for e in events if e["ph"] == "f"))
    check("names of rows and processes", all(list(e["args"]) == ["name"] and e["name"] in ("process_name", "thread_name")
                                             for e in events if e["ph"] == "M"))


def check_rows(events, program):
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    processes = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    check("one process, by its name", processes == [os.path.basename(program)], processes)
    check("each row has a name", all(e["tid"] in names for e in events if e["ph"] not in "MC"), names)
    for word in ("out-of-order queue ", "queue ", "builds "):
        check("a row of %s" % word, any(n.startswith(word) for n in names.values()), names)


def check_spans(spans):
    sizes = {e["cat"]: e["args"]["bytes"] for e in spans if "bytes" in e.get("args", {})}
    check("sizes", all(KINDS.get(kind) == size for kind, size in sizes.items()) and len(sizes) == 4, sizes)
    kernels = [e for e in spans if e["cat"] == "ndrange"]
    check("the program's kernel and no other", [e["name"] for e in kernels] == ["twice"], kernels)
    check("sizes of the kernel", [(e["args"]["global size"], e["args"]["local size"]) for e in kernels] ==
          [([64, 64, 1], [8, 8, 1])], kernels)
    builds = [e["name"] for e in spans if e["cat"] == "build"]
    check("builds", "build a program" in builds and "pipeline of twice" in builds, builds)
    check("no time goes back", all(e["dur"] >= 0 for e in spans))


def check_counters(events):
    counters = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "C":
            counters[e["name"]].append(list(e["args"].values())[0])
    queues = {name: values for name, values in counters.items() if name.startswith("commands of queue ")}
    check("a counter for each queue", len(queues) == 2, counters)
    check("counters rise and end at 0", all(max(values) > 0 and values[-1] == 0 for values in queues.values()), queues)
    check("the counter of memory", max(counters["device memory"]) >= 32768, counters["device memory"])


def check_arrows(events, spans):
    ends = collections.defaultdict(dict)
    for e in events:
        if e["ph"] in "sf":
            ends[e["id"]][e["ph"]] = e

    def span_at(e):
        return [s["cat"] for s in spans if s["tid"] == e["tid"] and s["ts"] <= e["ts"] <= s["ts"] + s["dur"]]
    check("arrows have both ends", ends and all(len(pair) == 2 for pair in ends.values()), ends)
    found = [(span_at(pair["s"]), span_at(pair["f"])) for pair in ends.values()]
    for start, end in (("write", "ndrange"), ("ndrange", "fill"), ("fill", "copy")):
        check("an arrow from %s to %s" % (start, end), any(any(k.startswith(start) for k in a) and end in b for a, b in found),
              found)


# A file that another process is writing is left alone.
def check_in_use(program, name):
    if not fcntl or sys.argv[2:]: # Windows under Wine has other locks
        return
    with open(name, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("[]")
        file.flush()
        check("the file in use", trace_of(program, name)[1] == [])
    found = [f for f in os.listdir(os.path.dirname(name)) if re.fullmatch(r"shared\.json\.[0-9]+", f)]
    check("a file by the process's number", len(found) == 1, found)
    for f in found:
        with open(os.path.join(os.path.dirname(name), f)) as file:
            check("events in it", len(json.load(file)) > 3)


# Nothing waits for a command that is complete already: on a busy machine the trace is taken again.
def whole_trace(program, name):
    for _ in range(5):
        status, events = trace_of(program, name, LC_ALL="de_DE.UTF-8", PUMICE_CACHE_DIR="none")
        if sum(e["ph"] == "f" for e in events) >= ARROWS:
            break
    return status, events


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        status, events = whole_trace(program, folder + "/whole.json")
        check("the program's own checks", status == 0, status)
        spans = [e for e in events if e["ph"] == "X"]
        check_format(events)
        check_rows(events, program)
        check_spans(spans)
        check_arrows(events, spans)
        check_counters(events)
        status, events = trace_of(program, folder + "/cut.json", "die")
        check("killed", status in (-9, 9), status) # 9: under Wine
        check_format(events)
        check("spans of a process that died", len([e for e in events if e["ph"] == "X"]) > 3, events)
        check_in_use(program, folder + "/shared.json")
    sys.exit(bool(failed))


main()
