enum E { A, B = 5 };
kernel void k()
{
    int n = 1;
    enum E e = B;
    n = e; e = B; e = 3; n = e + 1; n = A == B; switch (e) { case A: break; case B: break; }
}
// SPDX-License-Identifier: Apache-2.0
