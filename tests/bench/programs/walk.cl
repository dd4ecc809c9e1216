// SPDX-License-Identifier: Apache-2.0
// Follows a linked list of structures in global memory for n steps.
struct node {
    float4 place;
    uint next;
    uchar kind;
    short weight;
    float rest;
};

float weigh(global const struct node *node)
{
    switch (node->kind & 3) {
    case 0:
        return node->rest;
    case 1:
        return node->place.x * node->weight;
    case 2:
        return dot(node->place, node->place);
    }
    return 1.0f;
}

kernel void walk(global const struct node *restrict a, global const uint *restrict b, global float *restrict out, int n)
{
    global const struct node *at = &a[get_global_id(0)];
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        sum += weigh(at);
        at = &a[at->next & 0xffff];
    }
    out[get_global_id(0)] = sum;
}
