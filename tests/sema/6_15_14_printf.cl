constant char array[] = "a constant array is a format too %d\n";
constant char *constant names[] = {"one", "two"};

int printed(float4 f, uchar4 uc)
{
    return printf("f4 = %2.2v4hlf, uc = %#v4hhx\n", f, uc);
}

kernel void numbers(global int *p, char c, float f)
{
    printf("%% %5d %-+6.3i %u %hhx %#ho %ld %lX\n", p[0], c, 1u, c, 3, 5L, 6ul);
    printf("%f %08.3F %e %G %a\n", f, f, f, f, f);
    printf("%c %p %s %-10s\n", 'x', p, "literal", names[p[0]]);
    printf(array, 1);
    printf("nothing\n");
    p[0] = printf("%v4f %v2d %v16x\n", (float4)1, (short2)2, (uchar16)3) + 1;
}
// SPDX-License-Identifier: Apache-2.0
