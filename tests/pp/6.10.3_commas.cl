#define F(x) #x
#define C ,
#define G(a,b) a;b
#define H(x) G(x)
F((1,2)) G(1 C 2, 3) 
// SPDX-License-Identifier: Apache-2.0
