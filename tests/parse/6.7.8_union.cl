union U { float f; uchar b[4]; };
constant union U first = {1}, second = {.b = {1, 2}};
// SPDX-License-Identifier: Apache-2.0
