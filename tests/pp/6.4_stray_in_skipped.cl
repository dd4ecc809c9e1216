#if 0
 it's "fine
 #error no
 @ `
#endif
ok
// SPDX-License-Identifier: Apache-2.0
