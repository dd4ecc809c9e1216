#if 1u && 2L && 3ul && 4LU && 5ll && 6ULL && 0x7fUL && 010 == 8 && 0b11 == 3
yes
#endif
// SPDX-License-Identifier: Apache-2.0
