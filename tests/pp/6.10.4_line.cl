#line 100
__LINE__
#line 7 "other.cl"
__LINE__ __FILE__
#define N 20
#line N
__LINE__
# 33 "marker.cl" 1
__LINE__ __FILE__
// SPDX-License-Identifier: Apache-2.0
