b_h __LINE__
// SPDX-License-Identifier: Apache-2.0
