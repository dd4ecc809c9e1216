// SPDX-License-Identifier: Apache-2.0
// run: k global 1 local 1
// arg: buffer int 10 11 12 13 20 21 22 23
// arg: out int 16
// expect: arg0 int 3 4 5 6 7 8 9 10
// expect: arg1 int 3 4 7 8 9 21 11 23 3 7 12 2 5 10 7 8
// An array inside an rvalue can be read like any other.
struct row { int v[4]; };
struct deep { int n; struct row rows[2]; };
union bytes { uint words[2]; uchar b[8]; };

static struct row make(int x)
{
    struct row r = {{x, x + 1, x + 2, x + 3}};
    return r;
}

static struct deep deeper(int x)
{
    struct deep d;
    d.n = x;
    d.rows[0] = make(x);
    d.rows[1] = make(x + 4);
    return d;
}

static union bytes split(uint x)
{
    union bytes u = {{x, ~x}};
    return u;
}

static int sum(const int *p) { return p[0] + p[1]; }

kernel void k(global struct row *g, global int *o)
{
    local struct row l;
    struct row a = make(7), b;
    int i = get_global_id(0) & 3;
    o[0] = make(3).v[i];
    o[1] = *(make(3).v + 1);
    o[2] = (b = a).v[i];
    o[3] = (i ? make(1) : b).v[i + 1];
    o[4] = (0, a).v[2];
    o[5] = ({ g[1]; }).v[1];
    o[6] = (i ? a : g[0]).v[1];
    o[7] = (l = g[1]).v[3];
    o[8] = (g[0] = make(3)).v[i];
    g[1] = (l = make(7));
    o[9] = l.v[0];
    o[10] = deeper(i + 5).rows[1].v[3];
    o[11] = split(0x10203).b[1];
    o[12] = ((struct row){{4, 5}}).v[1];
    for (int j = 1; j < 5; j++)
        o[13] = (o[13] * (j > 1)) + make(j).v[0];
    int *p = &make(7).v[0];
    o[14] = *p;
    make(3).v[1] = 100;
    make(4).v;
    (void)(b = make(4)).v;
    b.v[0] = make(4).v == 0 ? 1 : sizeof(make(5).v);
    o[15] = sum((a = make(3)).v) + 1;
}
