// SPDX-License-Identifier: Apache-2.0
// A loop's increment contains loops whose ifs and switches have no way on: their ends are unreachable, and still lead to the
// end of the increment.
// run: steps global 4
// arg: buffer int 0*4
// arg: int 300
// expect: arg0 int 12 11 10 9
// run: sums global 4
// arg: buffer int 0*4
// arg: int 300
// expect: arg0 int 595577 595577 596377 590581
int odd(int x)
{
    for (;;) {
        switch (x & 3) {
        case 1: return x;
        case 3: x += 5; break;
        default: x = x >> 1 | 1;
        }
        if (x > 100) {
            if (x & 8)
                continue;
            else
                return x - 100;
        }
    }
}
kernel void steps(global int *out, int n)
{
    int id = get_global_id(0), rounds = 0;
    for (int i = id; i < n; i += odd(i))
        rounds++;
    out[id] = rounds;
}
int twice(int x, int *count)
{
    int found = 0, i = 0;
    do {
        switch (x >> i & 3) {
        case 0:
            if (x & 16)
                return found + 1;
            else
                break;
        case 1:
            for (int k = 0;; k++) {
                if (k > i) {
                    found += k;
                    if (x & 4)
                        break;
                    else
                        return found + k + 1;
                }
            }
            break;
        default:
            ++*count;
        }
    } while (++i < 8);
    return found + 1;
}
kernel void sums(global int *out, int n)
{
    int id = get_global_id(0), rounds = 0, count = 0;
    for (int i = id; i < n; i += twice(i * 37, &count))
        rounds += i;
    out[id] = rounds * 100 + count;
}
