// options: -Werror
#if -1 > 0u
#endif
#if 1u + -2
#endif
#if 0 && -1 < 0u
#endif
#if 1u << -1 || 3 > 2u
#endif
#if 'ab' == 'a'
#endif
// SPDX-License-Identifier: Apache-2.0
