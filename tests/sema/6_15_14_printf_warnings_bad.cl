// options: -Werror
kernel void k(global char *s, int i, float f, float4 f4, int4 i4, long l)
{
    printf("%d\n", f);
    printf("%f %a\n", i, f4);
    printf("%ld %d\n", i, l);
    printf("%v4hlf %v4hlf %v2hlf\n", f4, i4, f4);
    printf("%v5f %hlf %v5hld %v4hlc\n", f4);
    printf("%s %s %c %p\n", s, "fine", f, i);
    printf("%d %d\n", i);
    printf("%d\n", i, f);
    printf("%y %n %");
    printf("%hld %lc %ls %hs\n", i, i, s, s);
}
// SPDX-License-Identifier: Apache-2.0
