#if 1, 2
#endif
#if 1 ? 2 : 3, 4
#endif
#if (1 / 0, 1)
#endif
#if (1,)
#endif
#if (, 1)
#endif
#if (1, 2
#endif
// SPDX-License-Identifier: Apache-2.0
