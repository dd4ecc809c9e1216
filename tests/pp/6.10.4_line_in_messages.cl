#line 100 "shown.cl"

#error here
// SPDX-License-Identifier: Apache-2.0
