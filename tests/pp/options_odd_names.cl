// options: -DA,_256_B_ -DB-B -DC.B=2 -DD+=3 -DE== -DF=1=2 -DG"x" -DH#I -DJ@=2 -DK/**/=2 -DL//x=2 -DM(x)=[x] -DN()=1 -DO(...)=__VA_ARGS__ -DP= -D Q,r
// As in clang: the text after the name, up to the first '=', begins the body.
a: A
b: B
c: C
d: D
e: E
f: F
g: G
h: H
j: J
k: K
l: L
m: M(5)
n: N()
o: O(1, 2)
p: P .
q: Q
// SPDX-License-Identifier: Apache-2.0
