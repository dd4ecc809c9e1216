#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/lookup.cl.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer Grid { float grid[]; };
layout(std430, binding = 1) readonly restrict buffer Rows { float rows[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
const int MATERIALS = 12, KINDS = 5;

uint next_random(uint seed) { return seed * 1664525u + 1013904223u; }

int find(float energy)
{
    int low = 0, count = n - 1;
    while (count > 1) {
        int middle = low + count / 2;
        if (grid[middle] > energy)
            count = count / 2;
        else {
            low = middle;
            count -= count / 2;
        }
    }
    return low;
}

void main()
{
    uint seed = next_random(gl_GlobalInvocationID.x * 977u);
    float energy = float(seed >> 8) * (1.0 / 16777216.0);
    float sum[KINDS] = float[](0.0, 0.0, 0.0, 0.0, 0.0);
    int at = find(energy), materials = MATERIALS / 2 + int((seed >> 5) % uint(MATERIALS / 2));
    for (int k = 0; k < materials; k++) {
        seed = next_random(seed);
        int low = (at * MATERIALS + int((seed >> 8) % uint(MATERIALS))) * (KINDS + 1), high = low + MATERIALS * (KINDS + 1);
        float part = (energy - grid[at]) / (grid[at + 1] - grid[at]);
        for (int i = 0; i < KINDS; i++)
            sum[i] += (rows[low + i] + part * (rows[high + i] - rows[low + i])) * 0.25;
    }
    float most = sum[0];
    for (int i = 1; i < KINDS; i++)
        most = max(most, sum[i]);
    result[gl_GlobalInvocationID.x] = most;
}
