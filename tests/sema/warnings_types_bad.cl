// SPDX-License-Identifier: Apache-2.0
// options: -Werror
// Valid code that is probably a mistake: switches, sizeof, empty bodies, unused values, constants.
/* a comment /* in a comment */
enum color { RED, GREEN, BLUE };
enum shape { CIRCLE, SQUARE, OVAL, STAR, MOON };
struct S { int a, b; };
int size_of(int a[10]) { return sizeof(a); }
kernel void switches(enum color color, enum shape shape, uchar small, int n)
{
    switch (color) { case RED: break; case GREEN: break; }
    switch (color) { case RED: case GREEN: case BLUE: break; }
    switch (color) { case RED: break; default: break; }
    switch (color) { case 7: break; default: break; }
    switch (shape) { case STAR: break; }
    switch (small) { case 255: break; case 256: break; case -1: break; }
    switch (n == 1) { case 1: break; }
    switch (n);
    switch (n)
        ;
    color = shape;
    if (color == shape)
        n++;
}
kernel void bodies(int n)
{
    for (int i = 0; i < n; i++);
    for (int i = 0; i < n; i++)
        ;
    for (int i = 0; i < n; i++);
    {
        n = 1;
    }
    while (n > 3);
        n = 2;
    while (n > 3);
    n = 2;
    for (n; n < 3; n++)
        ;
}
kernel void unused(global int *p, struct S s, int4 v, global int *volatile *w, float f, read_only image2d_t image)
{
    volatile int there = 1;
    p[0];
    *p;
    s.a;
    v.x;
    there;
    p, s.b;
    fabs(f);
    get_global_id(0);
    vload4(0, p);
    get_image_width(image);
    atomic_add(p, 1);
    barrier(0);
    (void)p[0];
    "abc";
}
kernel void constants(global float *f, global int *p)
{
    int a[4], n = p[0];
    f[0] = 16777217;
    f[1] = n * 2.0f + 4294967295u;
    f[2] = 16777216;
    f[3] = (float)16777217;
    f[4] = 1e50f;
    f[5] = 1e-60f;
    f[6] = 0e-60f;
    p[0] = 3e9f;
    p[1] = -1.5f;
    p[2] = 1.5f * 2;
    p[3] = 2.0f;
    p[4] = sizeof(a + 1) + sizeof(n++) + sizeof(a);
    char4 c = (char4)(200, 1, 2, 3);
    p = &a[3] ? p : p + c.x;
    int *end = &a[4], *beyond = &a[5];
    p[5] = end - beyond;
    printf("%d %d\n", n);
    printf("a %y\n", n);
}
kernel void sizes(global int *p)
{
    int a[4], b[2][3];
    char c[5];
    p[0] = sizeof(p) / sizeof(p[0]);
    p[1] = sizeof p / sizeof(int);
    p[2] = sizeof(a) / sizeof(a[0]);
    p[3] = sizeof(a) / sizeof(char);
    p[4] = sizeof(a) / (sizeof(char));
    p[5] = sizeof(b) / sizeof(b[0][0]);
    p[6] = sizeof(c) / sizeof(int);
    p[7] = sizeof(int[4]) / sizeof(char) + sizeof(p) / 4;
    &a;
}
