// SPDX-License-Identifier: Apache-2.0
// Values computed in an if branch that leaves a loop are used after the loop: addresses and array indices, the same in
// each iteration.
// run: places global 4 local 4
// arg: buffer int 3 0 2 5
// arg: buffer int 0*32
// arg: int 2
// expect: arg1 int 3 7 3 0 4 0 38 11  0 1 0 0 1 0 2 8  2 5 2 0 3 0 26 10  5 11 5 0 6 0 62 13
kernel void places(global const int *rounds, global int *r, int n)
{
    local int t[64];
    int id = get_local_id(0);
    for (int i = 0;; i++) {
        t[id * 16 + i] = i;
        if (t[id * 16 + i] >= rounds[id]) {
            int at = id * n * 4;
            r[at] = i;
            for (int j = 0; j < n; j++) {
                t[at * 2 + 5 * n] = r[at] + j;
                r[at + 1] += t[at * 2 + 5 * n];
            }
            r[at + 2 * n] = i + 1;
            break;
        }
        r[id * n * 4 + n] += 1;
    }
    int at = id * n * 4;
    r[at + 3 * n] = r[at] * 10 + t[at * 2 + 5 * n] + r[at + 2 * n];
    t[at * 2 + 5 * n] += 7;
    r[at + 1 + 3 * n] = t[at * 2 + 5 * n];
}
// run: both global 4 local 4
// arg: buffer int 3 0 2 5
// arg: buffer int 0*16
// arg: int 4
// expect: arg1 int 3 4 4 20  0 1 1 2  2 3 3 14  5 6 6 32
kernel void both(global const int *rounds, global int *r, int n)
{
    local int t[16];
    int id = get_local_id(0), seen = 0;
    for (int i = 0;; i++) {
        t[id] = i;
        if (t[id] >= rounds[id]) {
            for (int k = 0;; k++) {
                if (r[id * n + 1] > i) {
                    r[id * n] = t[id];
                    r[id * n + 2] = k;
                    break;
                }
                r[id * n + 1] += 1;
            }
            if (r[id * n + 2] + r[id * n + 1] > i) {
                t[id + n] = r[id * n + 1];
                seen = i + r[id * n];
                break;
            }
        }
    }
    r[id * n + 3] = t[id] + t[id + n] + seen + r[id * n] + r[id * n + 2];
    t[id + n] = 0;
}
