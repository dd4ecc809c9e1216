#define F() f
#define G(x) g x
F() F( ) G() G( )
// SPDX-License-Identifier: Apache-2.0
