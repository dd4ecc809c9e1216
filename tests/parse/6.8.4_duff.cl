void f(int n)
{
    switch (n & 1)
    case 0: do { n--;
    case 1:      n--;
            } while (n > 0);
}
// SPDX-License-Identifier: Apache-2.0
