1 0x1f 1.5e+3f 0x1.8p-3 .5f 1e+e+x 08z 0xe+1 1.2.3 100UL 1.0h
#define e 9
1e+1 e
// SPDX-License-Identifier: Apache-2.0
