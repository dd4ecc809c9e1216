// SPDX-License-Identifier: Apache-2.0
struct node {
    global struct node *next;
    int value;
};

kernel void sum_lists(global struct node *heads, global int *sums)
{
    int sum = 0;
    for (global struct node *n = &heads[get_global_id(0)]; n; n = n->next)
        sum += n->value;
    sums[get_global_id(0)] = sum;
}
