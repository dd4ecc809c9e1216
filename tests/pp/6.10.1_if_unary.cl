#if - - 1 == 1 && !0 && !!5 == 1 && ~0 == -1 && +3 == 3 && -~-1 == 0
yes
#endif
// SPDX-License-Identifier: Apache-2.0
