a
#include "6.10.2_include_itself.cl"
// SPDX-License-Identifier: Apache-2.0
