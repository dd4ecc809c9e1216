int f(int x, uchar u)
{
    if (x) x = 1;
    else if (u) x = 2;
    else { x = 3; }
    switch (u) {
    case 'a': case 300 - 200:
        x = 4;
    default:
        break;
    case 1 ... 3:
        return 5;
    }
    return x;
}
// SPDX-License-Identifier: Apache-2.0
