// SPDX-License-Identifier: Apache-2.0
// One step of a lattice Boltzmann method on n x n x n periodic cells: 19 numbers for each cell are
// read from the neighbours, relaxed towards equilibrium and stored plane by plane.
#define WAYS 19
constant char ways[WAYS][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
    {1, 1, 0}, {-1, -1, 0}, {1, 0, 1}, {-1, 0, -1}, {0, 1, 1}, {0, -1, -1},
    {1, -1, 0}, {-1, 1, 0}, {1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}};

float weight(int way) { return way == 0 ? 1.0f / 3.0f : way < 7 ? 1.0f / 18.0f : 1.0f / 36.0f; }

uint wrap(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }

kernel void lattice(global const float *a, global const float *b, global float *out, int n)
{
    uint cell = get_global_id(0), cells = (uint)n * n * n;
    int x = cell % n, y = cell / n % n, z = cell / n / n;
    float f[WAYS], mass = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    #pragma unroll
    for (int i = 0; i < WAYS; i++) {
        uint from = (wrap(z - ways[i][2], n) * n + wrap(y - ways[i][1], n)) * n + wrap(x - ways[i][0], n);
        f[i] = a[i * cells + from];
        mass += f[i];
        ux += f[i] * ways[i][0];
        uy += f[i] * ways[i][1];
        uz += f[i] * ways[i][2];
    }
    ux /= mass;
    uy /= mass;
    uz /= mass;
    float still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
    #pragma unroll
    for (int i = 0; i < WAYS; i++) {
        float along = 3.0f * (ux * ways[i][0] + uy * ways[i][1] + uz * ways[i][2]);
        float balance = weight(i) * mass * (still + along + 0.5f * along * along);
        out[i * cells + cell] = f[i] + 0.6f * (balance - f[i]);
    }
}
