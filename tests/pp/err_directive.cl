#foo
#12x
#!
#line
#line x
#line 99999999999
#line 1 2
// SPDX-License-Identifier: Apache-2.0
