#define foo foo bar
#define id(x) x
id(foo) id(id(foo))
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
// SPDX-License-Identifier: Apache-2.0
