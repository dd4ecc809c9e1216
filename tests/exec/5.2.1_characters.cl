// SPDX-License-Identifier: Apache-2.0
// Universal character names, UTF-8 in names, and trigraphs (C99 5.2.1.1, 6.4.2.1, 6.4.3).
// run: größe global 1
// arg: out int 14
// expect: arg0 int 3 195 169 5 195 5 6 1 7 -4 5 3 36 9
#define é 6
#define S(x) #x
#define paste(a, b) a##b

kernel void gr\u00f6\u00dfe(global int *o)
{
    constant char *s = "\u00e9";
    int \u03b1\U000003b2 = 5, 変数 = 7, paste(wei, ßer) = 9;
    o[0] = sizeof("\u00e9");
    o[1] = (uchar)s[0];
    o[2] = (uchar)s[1];
    o[3] = sizeof("\U0001F600");
    o[4] = (uchar)S(\u00e9)[0];
    o[5] = αβ;
    o[6] = \u00e9;
    o[7] = 1; // why??/
    o[7] = 5;
    o??(8??) = 5 ??! 変数;
    o[9] = ??-3;
    o[10] = 6 ??' 3;
    o[11] = sizeof("a??/n");
    o[12] = '\u0024';
    o[13] = weißer;
}
