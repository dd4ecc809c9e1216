#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A map over the blocks of a Dask array, each computed by OpenCL in one of several processes: escape times of the Mandelbrot set.

    dask_map.py [--workers=N] [--blocks=N] [--size=N]

The array has BLOCKS x BLOCKS blocks of SIZE x SIZE points. Each worker opens OpenCL itself, and uses the device
whose index is the worker's number, modulo the number of devices. Prints the rate, and compares some points with the
host's."""
import argparse
import functools
import itertools
import multiprocessing
import sys
import time

import numpy

SOURCE = """
kernel void escape(global uint *times, float left, float top, float step) {
    float re = left + get_global_id(0) * step, im = top + get_global_id(1) * step, x = 0, y = 0;
    uint n = 0;
    for (; n < 200 && x * x + y * y < 4; n++) {
        float t = x * x - y * y + re;
        y = 2 * x * y + im;
        x = t;
    }
    times[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;
}
"""
numbers = all_there = None  # of started workers; shared by all


def begin_worker(*shared):
    global numbers, all_there
    numbers, all_there = shared


@functools.cache
def worker_device():
    """Context, queue and kernel of this process."""
    import pyopencl
    with numbers.get_lock():
        number = numbers.value
        numbers.value += 1
    devices = pyopencl.get_platforms()[0].get_devices()
    context = pyopencl.Context([devices[number % len(devices)]])
    return pyopencl, context, pyopencl.CommandQueue(context), pyopencl.Program(context, SOURCE).build().escape


def open_device(_):
    worker_device()
    all_there.wait()  # so that each worker gets one of these calls


def escape_times(block, step, block_info=None):
    cl, context, queue, kernel = worker_device()
    (y, _), (x, _) = block_info[None]["array-location"]
    times = numpy.empty(block.shape, numpy.uint32)
    memory = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, times.nbytes)
    kernel(queue, block.shape[::-1], None, memory, numpy.float32(-2 + x * step), numpy.float32(-1.5 + y * step), numpy.float32(step))
    cl.enqueue_copy(queue, times, memory)
    return times


def on_host(x, y, step):
    c, z, n = complex(-2 + x * step, -1.5 + y * step), 0j, 0
    while n < 200 and abs(z) < 2:
        z, n = z * z + c, n + 1
    return n


def main():
    parser = argparse.ArgumentParser()
    for name, value in (("--workers", 2), ("--blocks", 8), ("--size", 512)):
        parser.add_argument(name, type=int, default=value)
    wanted = parser.parse_args()
    try:
        import dask
        import dask.array
        import pyopencl
    except ImportError as error:
        print(error)
        return 77
    side = wanted.blocks * wanted.size
    step = 3 / side
    blocks = dask.array.zeros((side, side), chunks=wanted.size, dtype=numpy.uint32)
    times = blocks.map_blocks(escape_times, step, dtype=numpy.uint32)
    processes = multiprocessing.get_context("spawn")  # a forked process could not use its parent's OpenCL objects
    shared, barrier = processes.Value("i", 0), processes.Barrier(wanted.workers, timeout=600)
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor(wanted.workers, processes, begin_worker, (shared, barrier)) as pool, dask.config.set(
            pool=pool, scheduler="processes", chunksize=1):
        list(pool.map(open_device, range(wanted.workers)))
        begin = time.monotonic()
        result = times.compute()
        seconds = time.monotonic() - begin
    print(f"{shared.value} workers, {wanted.blocks ** 2} blocks of {wanted.size} x {wanted.size} points: "
          f"{seconds:.3f} s, {1e3 * seconds / wanted.blocks ** 2:.2f} ms a block")
    points = list(itertools.product(range(side // 7, side, side // 3), repeat=2))
    far = [(x, y) for x, y in points if abs(int(result[y, x]) - on_host(x, y, step)) > 2]
    if far:
        print(f"wrong at {far}: {[int(result[y, x]) for x, y in far]}, not {[on_host(x, y, step) for x, y in far]}")
    return bool(far)


if __name__ == "__main__":
    sys.exit(main())
