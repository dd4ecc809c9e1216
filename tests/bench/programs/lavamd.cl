// SPDX-License-Identifier: Apache-2.0
// Forces between particles of neighbouring boxes, 100 in each box, n boxes in a ring. The sums are
// in global memory and no pointer is restrict, so the compiler must keep them in registers itself.
#define PARTICLES 100
#define NEIGHBOURS 13

struct particle {
    float v, x, y, z;
};

kernel void lavamd(global struct particle *a, global float *b, global struct particle *out, int n)
{
    local struct particle here[PARTICLES], there[PARTICLES];
    local float charge[PARTICLES];
    int box = get_group_id(0), item = get_local_id(0);
    for (int i = item; i < PARTICLES; i += get_local_size(0))
        here[i] = a[box * PARTICLES + i];
    for (int way = -NEIGHBOURS; way <= NEIGHBOURS; way++) {
        int other = (box + way + n) % n * PARTICLES;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < PARTICLES; i += get_local_size(0)) {
            there[i] = a[other + i];
            charge[i] = b[other + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < PARTICLES; i += get_local_size(0))
            for (int j = 0; j < PARTICLES; j++) {
                float dx = here[i].x - there[j].x, dy = here[i].y - there[j].y, dz = here[i].z - there[j].z;
                float near = exp(-0.5f * (dx * dx + dy * dy + dz * dz)), force = 2.0f * near * charge[j];
                out[box * PARTICLES + i].v += charge[j] * near;
                out[box * PARTICLES + i].x += force * dx;
                out[box * PARTICLES + i].y += force * dy;
                out[box * PARTICLES + i].z += force * dz;
            }
    }
}
