// The same errors as clang's.
constant char a[] = "\u0041";
constant char b[] = "\u0007";
constant char c[] = "\ud800";
constant char d[] = "\U00110000";
constant char e[] = "\u12";
constant char f[] = "\u";
constant char g[] = "\U0001F60";
constant char h = '\u00e9';
constant char i = 'é';
constant char j = '\u0041';
constant char k??(1??) = 'é'; // trigraphs do not change column numbers
// SPDX-License-Identifier: Apache-2.0
