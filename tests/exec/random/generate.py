#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels in the runner's form, for comparing two implementations: generate.py SEED > case.cl

Every operation is defined for every value (shifts are masked, divisors are odd, indices are masked, floats stay in
operations that are correctly rounded everywhere), so any two correct compilers agree on all 64 results.
"""
import random
import sys

BASES = {"char": (8, True), "uchar": (8, False), "short": (16, True), "ushort": (16, False),
         "int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False)}
LANES = [1, 1, 1, 2, 3, 4, 8, 16]


class Kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.out, self.depth, self.count = [], 1, 0
        self.vars = []  # (name, base, lanes, writable)
        self.functions = []

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def line(self, text):
        self.out.append("    " * self.depth + text)

    @staticmethod
    def type(base, lanes):
        return base if lanes == 1 else f"{base}{lanes}"

    def literal(self, base):
        bits, signed = BASES[base]
        kind = self.r.random()
        if kind < 0.5:
            value = self.r.randrange(0, 10)
        elif kind < 0.8:
            value = self.r.choice([0, 1, (1 << (bits - 1)) - 1, (1 << (bits - 2)) + 3, 85])
        else:
            value = self.r.getrandbits(bits - 1)
        if signed and self.r.random() < 0.3:
            value = -value
        suffix = {64: "l", 32: ""}.get(bits, "")
        return f"({base})({value}{suffix}{'' if signed or not suffix else 'u'})"

    def leaf(self, base, lanes):
        same = [v for v in self.vars if v[1] == base and v[2] == lanes]
        other = [v for v in self.vars if v[2] == lanes]
        wide = [v for v in self.vars if v[1] == base and v[2] > lanes]
        kind = self.r.random()
        if same and kind < 0.55:
            return self.r.choice(same)[0]
        if wide and kind < 0.7 and lanes != 16:
            v = self.r.choice(wide)
            picks = "".join("0123456789abcdef"[self.r.randrange(v[2])] for _ in range(lanes))
            return f"{v[0]}.s{picks}"
        if other and kind < 0.85:
            v = self.r.choice(other)
            sat = "_sat" if self.r.random() < 0.3 else ""
            return f"convert_{self.type(base, lanes)}{sat}({v[0]})"
        if lanes == 1:
            return self.literal(base)
        return f"({self.type(base, lanes)})(" + ", ".join(self.literal(base) for _ in range(lanes)) + ")"

    def expr(self, base, lanes, depth):
        if depth <= 0:
            return self.leaf(base, lanes)
        t, (bits, signed) = self.type(base, lanes), BASES[base]
        a = lambda: self.expr(base, lanes, depth - 1)
        kind = self.r.randrange(16)
        if kind < 4:
            return f"({t})({a()} {self.r.choice('+-*')} {a()})"
        if kind < 6:
            return f"({t})({a()} {self.r.choice('&|^')} {a()})"
        if kind == 6:
            return f"({t})({a()} {self.r.choice(['<<', '>>'])} ({a()} & ({base})({bits - 1})))"
        if kind == 7:
            divisor = f"({t})(({a()} & ({base})(63)) | ({base})(1))"
            return f"({t})({a()} {self.r.choice('/%')} {divisor})"
        if kind == 8:
            return f"({t})({self.r.choice('-~')}{a()})"
        if kind == 9:
            f = self.r.choice(["min", "max", "add_sat", "sub_sat", "mul_hi", "hadd", "rhadd", "rotate"])
            return f"{f}({a()}, {a()})"
        if kind == 10:
            f = self.r.choice(["clz", "popcount"])
            return f"{f}({a()})"
        if kind == 11:
            return f"{self.r.choice(['bitselect', 'mad_hi'])}({a()}, {a()}, {a()})"
        if kind == 12 and lanes == 1:
            return f"({t})({a()} {self.r.choice(['<', '<=', '==', '!=', '>', '>='])} {a()} ? {a()} : {a()})"
        if kind == 12:
            mask = base.lstrip("u") if not signed else base
            return f"select({a()}, {a()}, as_{self.type(mask, lanes)}({a()}))"
        if kind == 13:
            other = self.r.choice(list(BASES))
            return f"convert_{t}({self.expr(other, lanes, depth - 1)})"
        if kind == 14 and lanes == 1:
            return f"({t})({a()} && {a()} || {a()})"
        if kind == 14:
            return f"convert_{t}({a()} {self.r.choice(['<', '==', '>='])} {a()})"
        if lanes == 1 and self.functions and self.r.random() < 0.7:
            f = self.r.choice(self.functions)
            return f"({t}){f}(({'int'}){a()}, (uint){a()})"
        return self.leaf(base, lanes)

    def scalar(self, depth=2):
        return self.expr(self.r.choice(list(BASES)), 1, depth)

    def declare(self):
        base, lanes = self.r.choice(list(BASES)), self.r.choice(LANES)
        value, name = self.expr(base, lanes, 3), self.name("v")
        self.line(f"{self.type(base, lanes)} {name} = {value};")
        self.vars.append((name, base, lanes, True))

    def assign(self):
        v = self.r.choice([v for v in self.vars if v[3]] or [None])
        if not v:
            return self.declare()
        if v[2] > 1 and self.r.random() < 0.4:
            count = self.r.choice([n for n in (1, 2, 3, 4) if n <= v[2]])
            picks = self.r.sample(range(v[2]), count)
            target = f"{v[0]}.s" + "".join("0123456789abcdef"[p] for p in picks)
            self.line(f"{target} = {self.expr(v[1], count, 2)};")
        elif self.r.random() < 0.3:
            self.line(f"{v[0]} {self.r.choice(['+=', '-=', '*=', '^=', '|=', '&='])} {self.expr(v[1], v[2], 2)};")
        else:
            self.line(f"{v[0]} = {self.expr(v[1], v[2], 3)};")

    def block(self, level, loop):
        kept = len(self.vars)
        self.depth += 1
        for _ in range(self.r.randrange(1, 4)):
            self.statement(level - 1, loop)
        self.depth -= 1
        del self.vars[kept:]

    def loop(self, level):
        i = self.name("i")
        self.line(f"for (int {i} = 0; {i} < {self.r.randrange(1, 6)}; {i}++) {{")
        self.vars.append((i, "int", 1, False))
        self.block(level, True)
        self.vars.pop()
        self.line("}")

    def switch(self, level, loop):
        self.line(f"switch ((int)({self.scalar()}) & 7) {{")
        labels = self.r.sample(range(8), self.r.randrange(1, 6))
        default = self.r.randrange(-1, len(labels))
        for n, label in enumerate(labels):
            if n == default:
                self.line("default:")
            self.line(f"case {label}: {{")
            self.block(level, loop)
            self.line("}")
            if self.r.random() < 0.6:
                self.depth += 1
                self.line("break;")
                self.depth -= 1
        self.line("}")

    def array(self, level):
        base, name = self.r.choice(list(BASES)), self.name("a")
        i = self.name("i")
        self.line(f"{base} {name}[8];")
        self.line(f"for (int {i} = 0; {i} < 8; {i}++)")
        self.line(f"    {name}[{i}] = ({base})({i} * {self.r.randrange(1, 99)} + {self.scalar(1)});")
        for _ in range(self.r.randrange(1, 4)):
            self.line(f"{name}[({self.scalar()}) & 7] = {self.expr(base, 1, 2)};")
        v = self.name("v")
        self.line(f"{base} {v} = {name}[({self.scalar()}) & 7] + {name}[{self.r.randrange(8)}];")
        self.vars.append((v, base, 1, True))

    def statement(self, level, loop):
        kind = self.r.random()
        if level <= 0 or kind < 0.35:
            self.assign()
        elif kind < 0.55:
            self.declare()
        elif kind < 0.7:
            self.line(f"if ({self.scalar()}) {{")
            self.block(level, loop)
            if self.r.random() < 0.5:
                self.line("} else {")
                self.block(level, loop)
            self.line("}")
        elif kind < 0.8:
            self.loop(level)
        elif kind < 0.88:
            self.switch(level, loop)
        elif kind < 0.94:
            self.array(level)
        elif loop:
            self.line(f"if ({self.scalar()})")
            self.line(f"    {self.r.choice(['break', 'continue'])};")
        else:
            self.declare()

    def function(self):
        name = self.name("f")
        self.out.append(f"int {name}(int x, uint y)\n{{")
        self.vars = [("x", "int", 1, True), ("y", "uint", 1, True)]
        for _ in range(3):
            self.statement(2, False)
        if self.r.random() < 0.5:
            self.line(f"if ({self.scalar()})")
            self.line(f"    return {self.expr('int', 1, 2)};")
        self.line(f"return {self.expr('int', 1, 2)};")
        self.out.append("}\n")
        self.functions.append(name)

    def kernel(self):
        for _ in range(self.r.randrange(0, 3)):
            self.function()
        self.out.append("kernel void k(global ulong *out, global const long *in)\n{")
        self.line("int gid = get_global_id(0);")
        self.vars = [("gid", "int", 1, False)]
        for n in range(3):
            base, lanes = self.r.choice(list(BASES)), self.r.choice(LANES)
            name = self.name("p")
            lane_values = ", ".join(f"({base})in[(gid + {self.r.randrange(16)}) & 15]" for _ in range(lanes))
            self.line(f"{self.type(base, lanes)} {name} = ({self.type(base, lanes)})({lane_values});")
            self.vars.append((name, base, lanes, True))
        for _ in range(self.r.randrange(4, 10)):
            self.statement(3, False)
        self.line("ulong hash = 14695981039346656037ul;")
        for name, base, lanes, _ in self.vars:
            for lane in range(lanes):
                value = name if lanes == 1 else f"{name}.s{'0123456789abcdef'[lane]}"
                self.line(f"hash = (hash ^ (ulong){value}) * 1099511628211ul;")
        self.line("out[gid] = hash;")
        self.out.append("}")
        return "\n".join(self.out)


if __name__ == "__main__":
    seed = int(sys.argv[1])
    r = random.Random(seed)
    values = [str(r.choice([0, 1, -1, r.randrange(-100, 100), r.getrandbits(63), -r.getrandbits(31), 127, 32768]))
              for _ in range(16)]
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// run: k global 64")
    print("// arg: out ulong 64")
    print(f"// arg: buffer long {' '.join(values)}")
    print("// show: 0")
    print(Kernel(seed).kernel())
