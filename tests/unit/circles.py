#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the files of a room call each other in one direction, except for the recursion of the grammar.

Usage: circles.py NM LIBRARY.a...: checks the calls between the object files of each library by their symbols.
"""
import collections
import os
import re
import subprocess
import sys

# Allowed cycles: a file belongs to the first pattern that matches its name.
MEANT = [
    r"parse",  # declarations contain expressions, these contain types, and these contain
               # declarations
    r"pp",  # macros end in directives, which expand macros
    r"sema_(call|gnu|pipe|spirv)",  # functions of GNU C and of pipes, and SPIR-V instructions, are
                                    # calls of other functions
    r"gen_(?!round|convert|type|kernel)",  # walks the tree; arguments of calls are expressions
    r"(value|widths|constants|variables|builtin)$",  # an id may refer to anything: a constant to
                                                     # the address of a variable, that to constants
    r"(build|fold)$",  # building folds, and folding builds
]


def calls(nm, library):
    """File -> other file -> the symbols of that file that it uses."""
    owner, wanted = {}, []
    lines = subprocess.run([nm, "-A", "-g", library], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        where, rest = line.rsplit(":", 1)
        name = os.path.basename(where.split(":")[-1]).split(".")[0]
        fields = rest.split()
        if fields[0] == "U":
            wanted.append((name, fields[1]))
        else:
            owner.setdefault(fields[-1], name)
    graph = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, symbol in wanted:
        if owner.get(symbol, name) != name:
            graph[name][owner[symbol]].append(symbol)
    return graph


def reach(graph, start):
    seen, todo = set(), [start]
    while todo:
        for name in graph.get(todo.pop(), ()):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return seen


def group(name):
    return next((pattern for pattern in MEANT if re.match(pattern, name)), name)


def main():
    failed = files = 0
    for library in sys.argv[2:]:
        graph = calls(sys.argv[1], library)
        reached = {name: reach(graph, name) for name in list(graph)}
        files += len(reached)
        for name in sorted(graph):
            for other, symbols in sorted(graph[name].items()):
                if name in reached.get(other, ()) and group(name) != group(other):
                    print(f"{os.path.basename(library)}: {name} calls {other} ({', '.join(symbols)}), which comes back to it")
                    failed += 1
    print(f"{files} files, {failed} calls in circles")
    return failed != 0 or not files


sys.exit(main())
