#define float double
#define if(x) while(x)
float if(1)
#undef float
float
// SPDX-License-Identifier: Apache-2.0
