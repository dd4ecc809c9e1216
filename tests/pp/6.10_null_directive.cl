#
 # 
#/* c */
#//x
ok
// SPDX-License-Identifier: Apache-2.0
