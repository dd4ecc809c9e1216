// Every way to spell a type is one type.
unsigned f1(unsigned int a, int unsigned b, uint c) { return a; }
short f2(short int a, signed short b, int signed short c) { return a; }
ulong f3(unsigned long a, long unsigned int b, size_t c) { return a; }
char f4(signed char a, const volatile unsigned char b, uchar c) { return a; }
float4 f5(float4 const a, const half *b, double c) { return a; }
// SPDX-License-Identifier: Apache-2.0
