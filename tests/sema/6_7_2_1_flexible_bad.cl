struct a { int n; float rest[]; int after; };
union u { int a[]; int b[]; };
struct b { int n; struct { int rest[]; } last; };
struct c { int n; struct b rest[]; struct b more[]; };
struct fine { int n; char rest[]; };
constant struct fine d = {1, {2}};
constant struct fine e = {1, 2};
constant struct fine f = {1, "text"};
constant struct fine g = {1, {}}, h = {1}, i = {.n = 1};
constant int none[0] = {1};
// SPDX-License-Identifier: Apache-2.0
