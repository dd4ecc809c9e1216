#if 1
a
// SPDX-License-Identifier: Apache-2.0
