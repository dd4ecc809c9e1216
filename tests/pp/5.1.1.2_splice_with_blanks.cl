int a\  
b;
// SPDX-License-Identifier: Apache-2.0
