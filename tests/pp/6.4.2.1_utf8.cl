#define größe 1
#define gr\u00f6\u00dfer 2
#ifdef gr\u00f6\u00dfe
größe größer gr\u00f6\u00dfe
#endif
#define C(a, b) a##b
#define S(x) #x
C(gr, öße) C(gr\u00f6, ßer) S(größe "\u00e9") α\u03b2 変数 split\
té ° é° 1é
#if größe == 1 && '\u0024' == 0x24
yes
#endif
// SPDX-License-Identifier: Apache-2.0
