#if 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 'A' && '\xff' < 0 && 'ab' == 'a' * 256 + 'b' && '\0' == 0
yes
#endif
// SPDX-License-Identifier: Apache-2.0
