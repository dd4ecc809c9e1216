a b　c a​b
// SPDX-License-Identifier: Apache-2.0
