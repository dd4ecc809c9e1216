#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of a room call each other in one direction, but for those where the grammar recurs.

Usage: circles.py NM LIBRARY.a...: the calls between the object files of each library, by their symbols.
"""
import collections
import os
import re
import subprocess
import sys

# Circles that are meant: a file belongs to the first pattern that fits its name.
MEANT = [
    r"parse",  # declarations hold expressions, those types, those declarations
    r"pp",  # macros end in directives, those expand macros
    r"sema_(call|gnu|pipe|spirv)",  # functions of GNU C and of pipes, instructions of SPIR-V are calls of others
    r"gen_(?!round|convert|type|kernel)",  # the tree is walked; a call's arguments are expressions
    r"(value|widths|constants|variables|builtin)$",  # an id may be anything: a constant the address of a variable, that of constants
    r"(build|fold)$",  # what is built is folded, what is folded is built
]


def calls(nm, library):
    """File -> file -> the symbols that it takes from there."""
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
