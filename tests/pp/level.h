level __INCLUDE_LEVEL__ __LINE__
// SPDX-License-Identifier: Apache-2.0
