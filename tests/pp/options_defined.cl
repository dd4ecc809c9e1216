// options: -Ddefined -Udefined -DA(x=2
// SPDX-License-Identifier: Apache-2.0
