"ab\
cd" "e\"f" '\''
// SPDX-License-Identifier: Apache-2.0
