#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Declarations that Pumice makes for older headers equal those of this machine's headers.

Compares values of constants, and sizes and offsets of structs, in a program that includes only the
system's headers. Names that these lack are counted.
Usage: headers.py SOURCE_DIR CC"""
import re
import subprocess
import sys
import tempfile

FILES = {
    "src/vulkan/vk_1_3.h": ["vulkan/vulkan_core.h"],
    "src/vulkan/vk.h": ["vulkan/vulkan_core.h"],
    "src/object/cl.h": ["CL/cl_ext.h", "CL/cl_gl.h"],
    "src/object/cl_older.h": ["CL/cl_ext.h", "CL/cl_gl.h"],
    "include/pumice/spirv.h": ["spirv/unified1/spirv.h"],
    "kernels-compiler/spirv/clspv_reflection.h": ["spirv/unified1/NonSemanticClspvReflection.h"],
}
CONSTANT = re.compile(r"^#define ((?:VK|CL|Spv|NonSemanticClspv)\w+) +(.*\d.*)$", re.M)
STRUCT = re.compile(r"typedef struct \w+ \{(.*?)\} (\w+);", re.S)
HELPER = re.compile(r"^#define (\w+\(.*)$", re.M)


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def members(compiler, helpers, body):
    text = run([compiler, "-E", "-P", "-x", "c", "-"], helpers + body)
    for declaration in filter(str.strip, text.split(";")):
        for name in declaration.split(","):
            yield re.search(r"(\w+)\s*$", name).group(1)


def check(compiler, path, headers):
    source = re.sub(r"//.*", "", open(path, encoding="utf-8").read())
    source = re.sub(r"\\\n\s*", "", source)
    includes = "#define VK_NO_PROTOTYPES\n#define CL_TARGET_OPENCL_VERSION 300\n#include <stdint.h>\n#include <stddef.h>\n#include <stdio.h>\n"
    includes += "".join(f"#include <{header}>\n" for header in headers)
    there = set(re.findall(r"\w+", run([compiler, "-E", "-dD", "-x", "c", "-"], includes)))
    helpers = "".join(f"#define {text}\n" for text in HELPER.findall(source) if "DOT_PRODUCTS" in text)
    rows, lacking, count = [], 0, 0
    types = helpers
    for name, value in CONSTANT.findall(source):
        if name not in there or '"' in value:
            lacking += name not in there
            continue
        count += 1
        rows.append(f'    if ((uint64_t)({name}) != (uint64_t)({value}))\n        puts("{name}"), bad = 1;\n')
    for body, name in STRUCT.findall(source):
        if name not in there:
            lacking += 1
            continue
        count += 1
        types += f"struct our_{name} {{{body}}};\n"
        same = [f"sizeof({name}) == sizeof(struct our_{name})"]
        same += [f"offsetof({name}, {member}) == offsetof(struct our_{name}, {member})" for member in members(compiler, helpers, body)]
        rows.append(f"    if (!({' && '.join(same)}))\n        puts(\"{name}\"), bad = 1;\n")
    with tempfile.TemporaryDirectory() as folder:
        run([compiler, "-w", "-x", "c", "-o", f"{folder}/compare", "-"], f"{includes}{types}int main(void)\n{{\n    int bad = 0;\n{''.join(rows)}    return bad;\n}}\n")
        done = subprocess.run([f"{folder}/compare"], capture_output=True, text=True)
    print(f"{path}: {count} compared, {lacking} not in these headers")
    for name in done.stdout.split():
        print(f"{path}: {name} differs from the headers")
    return done.returncode == 0 and count + lacking > 0


def main():
    source, compiler = sys.argv[1:3]
    results = [check(compiler, f"{source}/{path}" if source else path, headers) for path, headers in FILES.items()]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


sys.exit(main())
