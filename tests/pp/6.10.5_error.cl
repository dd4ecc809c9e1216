a
#error some text  here, don't expand __LINE__
  # error
b
// SPDX-License-Identifier: Apache-2.0
