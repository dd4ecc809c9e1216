#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes that start at the same time and share empty compile caches, compared with one process.

    OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES cold.py [--rounds=N] [--most=RATIO] COUNT PROGRAM [ARGUMENTS]

Runs one process of PROGRAM, then COUNT processes at once, alternately, each time with empty caches (Pumice's, Mesa's,
NVIDIA's). Prints medians of the wall time and of the CPU time per process. With a processor for each process the wall
times are equal if no process waits for another. --most: exit status 1 if the wall time grows by more than RATIO and
there are enough processors."""
import os
import statistics
import sys
import tempfile
import time


def run(count, command):
    """Wall seconds until the last process has ended, and CPU seconds of all."""
    with tempfile.TemporaryDirectory() as folder:
        caches = dict(os.environ, PUMICE_CACHE_DIR=f"{folder}/pumice", XDG_CACHE_HOME=folder, MESA_SHADER_CACHE_DIR=folder,
                      __GL_SHADER_DISK_CACHE_PATH=folder)
        output = os.open(f"{folder}/output", os.O_RDWR | os.O_CREAT | os.O_APPEND)
        begin, cpu = time.monotonic(), 0
        for _ in range(count):
            os.posix_spawnp(command[0], command, caches, file_actions=[(os.POSIX_SPAWN_DUP2, output, fd) for fd in (1, 2)])
        for _ in range(count):
            _, status, usage = os.wait3(0)
            cpu += usage.ru_utime + usage.ru_stime
            if status:
                sys.exit(f"{command[0]} failed:\n" + open(f"{folder}/output").read())
        wall = time.monotonic() - begin
        os.close(output)
    return wall, cpu


def main(arguments):
    rounds, most = 5, None
    while arguments and arguments[0].startswith("--"):
        name, _, value = arguments.pop(0).partition("=")
        if name == "--rounds":
            rounds = int(value)
        elif name == "--most":
            most = float(value)
        else:
            sys.exit(__doc__)
    if len(arguments) < 2:
        sys.exit(__doc__)
    count, command = int(arguments[0]), arguments[1:]
    one, all_of_them = [], []
    for _ in range(rounds):
        one.append(run(1, command))
        all_of_them.append(run(count, command))
    walls = [statistics.median(wall for wall, _ in runs) for runs in (one, all_of_them)]
    cpus = [statistics.median(cpu for _, cpu in runs) / n for runs, n in ((one, 1), (all_of_them, count))]
    processors = len(os.sched_getaffinity(0))
    print(f"1 process: {walls[0]:.3f} s, CPU {cpus[0]:.3f} s; {count} processes on {processors} processors: {walls[1]:.3f} s, "
          f"CPU {cpus[1]:.3f} s each; wall {walls[1] / walls[0]:.2f}, CPU {cpus[1] / cpus[0]:.2f}")
    if most and processors >= count and walls[1] > most * walls[0]:
        sys.exit(f"the wall time grows by more than {most}")


main(sys.argv[1:])
