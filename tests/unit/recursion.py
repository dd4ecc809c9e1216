#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every recursion in the compiler checks the remaining stack.

Usage: recursion.py CC SOURCE_DIR: CC (GCC) writes the call graph of each file; without the functions that call stack_check(),
it must have no cycles. A call by pointer may reach every function whose address is taken in its file or in the file of a
function that calls its function. Status 77: CC cannot write call graphs.
"""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

CHECKS = {"stack_check", "ast_enter"}

NODE = re.compile(r'node: \{ title: "([^"]+)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
NOT_TAKEN = re.compile(r"\s*(call|bl|jal|\.type|\.globl|\.global|\.size|\.hidden|\.weak)\b|\S+:")


def compile_file(cc, root, folder, path):
    out = os.path.join(folder, path.replace("/", "_"))
    command = [cc, "-std=gnu11", "-O0", "-S", "-w", "-fcallgraph-info", '-DPUMICE_VERSION="0"', "-Iinclude", "-Isrc", "-Ikernels-compiler",
               "-o", out + ".s", path]
    subprocess.run(command, check=True, cwd=root)
    with open(out + ".ci") as calls, open(out + ".s") as code:
        return path, calls.read(), code.read()


def read(files):
    """Caller -> the functions that it may call."""
    graph, callers, taken, home = collections.defaultdict(set), collections.defaultdict(set), {}, {}
    known = {name for _, calls, _ in files for name in NODE.findall(calls)}
    for path, calls, code in files:
        for caller, callee in EDGE.findall(calls):
            home[caller] = path
            graph[caller].add(callee)
            callers[callee].add(caller)
        words = {word for line in code.splitlines() if not NOT_TAKEN.match(line) for word in re.findall(r"[A-Za-z_]\w*", line)}
        taken[path] = {name for word in words for name in (f"{path}:{word}", word) if name in known}
    for name in callers["__indirect_call"]:
        graph[name] |= set().union(*(taken[home[caller]] for caller in callers[name] | {name}))
    return graph


def circles(graph, left_out):
    """Strongly connected components of several functions, or of one that calls itself (Tarjan's algorithm, without recursion)."""
    index, low, path, found = {}, {}, [], []
    for root in list(graph):
        if root in index or root in left_out:
            continue
        todo = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        path.append(root)
        while todo:
            name, callees = todo[-1]
            for callee in callees:
                if callee in left_out:
                    continue
                if callee not in index:
                    index[callee] = low[callee] = len(index)
                    path.append(callee)
                    todo.append((callee, iter(sorted(graph.get(callee, ())))))
                    break
                if callee in path:
                    low[name] = min(low[name], index[callee])
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[name])
                if low[name] == index[name]:
                    part = path[path.index(name):]
                    del path[path.index(name):]
                    if len(part) > 1 or name in graph.get(name, ()):
                        found.append(part)
    return found


def main():
    cc, root = sys.argv[1:3]
    rooms = (room for room in glob.glob(f"{root}/kernels-compiler/*/") if not room.endswith(("/cc/", "/lib/")))
    paths = sorted(os.path.relpath(path, root) for room in rooms for path in glob.glob(f"{room}*.c"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        probe = [cc, "-fcallgraph-info", "-S", "-x", "c", "-o", f"{folder}/probe.s", os.devnull]
        if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
            return 77
        files = list(pool.map(lambda path: compile_file(cc, root, folder, path), paths))
    graph = read(files)
    checking = {name for name in graph if any(callee.split(":")[-1] in CHECKS for callee in graph[name])}
    found = circles(graph, checking)
    for part in sorted(found):
        print("no stack_check() in this circle of calls:", ", ".join(sorted(part)))
    print(f"{len(paths)} files, {len(checking)} functions check, {len(found)} faults")
    return found != [] or not checking


sys.exit(main())
