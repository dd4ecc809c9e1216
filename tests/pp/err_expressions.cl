#if
#endif
#if 1 +
#endif
#if (1
#endif
#if 1 2
#endif
#if 1 / 0
#endif
#if 1 ? 2
#endif
#if 1.0
#endif
#if 99999999999999999999
#endif
#if defined
#endif
#if "s"
#endif
#if 1 % 0
#endif
#if ''
#endif
#if 08
#endif
// SPDX-License-Identifier: Apache-2.0
