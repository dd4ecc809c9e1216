'a' '\n' '\'' '"' L'x' "\\" "'"
// SPDX-License-Identifier: Apache-2.0
