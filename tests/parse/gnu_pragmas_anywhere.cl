#pragma OPENCL FP_CONTRACT OFF
void f(int n)
{
    if (n)
#pragma unroll 2
        for (; n; n--) { 
#pragma OPENCL FP_CONTRACT ON
        }
    switch (n) {
#pragma unroll
    case 1:
#pragma unroll 3
        while (n) ;
#pragma OPENCL FP_CONTRACT DEFAULT
    }
end:
}
// SPDX-License-Identifier: Apache-2.0
