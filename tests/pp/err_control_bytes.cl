#error a[31mb 
	@	#
	#error ÿ
// SPDX-License-Identifier: Apache-2.0
