// SPDX-License-Identifier: Apache-2.0
int clamped(int at, int size)
{
    return clamp(at, 0, size - 1);
}
