// SPDX-License-Identifier: Apache-2.0
// Values computed in one arm are used after an if or a switch whose other arm goes on with the next iteration.
// run: both global 4 local 4
// arg: buffer int 7 3 0 9 2 8 1 6 11 4 5 2
// arg: buffer int 0*32
// arg: int 6
// expect: arg1 int 12 4777 42 0 0 76 4777 0  24 0 0 0 0 0 0 0  12 2064 153 0 7 0 2064 0  12 2545 0 -728 4 19 2545 0
kernel void both(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), q, r, s = 0;
    int t[4] = {1, 2, in[5], in[6]};
    for (int k = 0; k < n; k++) {
        if (in[k] > 1) {
            if (in[id + k] > 3) {
                for (int j = 0; j < in[k + 1]; j++)
                    t[3] += in[j] * j;
                q = in[id] * in[k + 5];
                r = in[k + 3];
            } else {
                t[1] = k;
                t[2] = in[3];
                out[id * 8] += n;
                continue;
            }
            t[0] = t[3] + q;
            t[1] = r;
            t[2] = q ^ t[in[7] & 3];
        } else {
            t[3] = s;
        }
        switch (in[k + id]) {
        case 3:
        case 9:
        case 8:
        case 1:
            if (in[k] > 2) {
                q = in[id + 1] * in[k + 2];
                out[id * 8 + 2] += q;
            } else {
                out[id * 8 + 3] -= s;
                continue;
            }
            t[s & 3] += q * 3;
            break;
        case 2:
        case 6:
            out[id * 8 + 4] += k;
            continue;
        default:
            q = in[k] + t[k & 3];
            out[id * 8 + 5] += q;
        }
        s += t[0] + t[1] * t[2] + t[s & 3] + q;
        out[id * 8 + 6] = s;
    }
    out[id * 8 + 1] = s;
}

// The same where the other arm ends in ifs all of whose arms end in jumps.
// run: ends global 8 local 8
// arg: buffer int 0*8
// arg: buffer int 7 3 0 9 2 8 1 6 11 4 5 2 3 1 9 8 7 6 5 4
// arg: int 6
// expect: arg0 int 1037 43 144 515 228 641 51 512
kernel void ends(global int *out, global const int *in, int n)
{
    int id = get_global_id(0), q, r, s = 0;
    int t[4] = {1, 2, in[5], in[6]};
    for (int k = 0; k < n; k++) {
        if (in[k + id] < 9) {
            if (in[id + k] > 5) {
                for (int j = 0; j < (in[k + 1] & 7); j++)
                    t[3] += in[j] * j;
                q = in[id] * in[k + 7];
                r = in[k + 9];
            } else {
                t[1] = k;
                t[2] = in[3];
                t[0] = n;
                if (t[1] & 1) {
                    continue;
                } else {
                    t[2]++;
                    continue;
                }
            }
            t[0] = t[3] + q;
            t[1] = r;
            t[2] = q ^ t[in[7] & 3];
        } else {
            t[3] = s;
        }
        s += t[0] + t[1] * t[2] + t[s & 3];
    }
    out[id] = s;
}
