#if 'é' == 1
#endif
#if '\u0041' == 1
#endif
#if '\u00e9' == 1
#endif
#if '\u12' == 1
#endif
// SPDX-License-Identifier: Apache-2.0
