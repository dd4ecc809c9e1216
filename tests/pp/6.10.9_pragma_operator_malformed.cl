_Pragma x
_Pragma(1)
_Pragma )
_Pragma("unroll"
// SPDX-License-Identifier: Apache-2.0
