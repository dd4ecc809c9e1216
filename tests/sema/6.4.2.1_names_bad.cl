// Characters that are not allowed in identifiers: C99 annex D.
int ° = 1;
int a\u0300;
int \u0660a;
int b\u0041;
int c\ud800;
// SPDX-License-Identifier: Apache-2.0
