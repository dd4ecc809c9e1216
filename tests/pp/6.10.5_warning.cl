#warning look out
ok
// SPDX-License-Identifier: Apache-2.0
