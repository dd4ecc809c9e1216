#define S(x) #x
S(a  b) S( a ) S("q\n") S('"') S(a /* c */ b) S() S(
 x
 y) S(@) S(+=) S("\"")
// SPDX-License-Identifier: Apache-2.0
