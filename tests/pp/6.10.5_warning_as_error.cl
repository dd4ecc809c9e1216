// options: -Werror
#warning look out
// SPDX-License-Identifier: Apache-2.0
