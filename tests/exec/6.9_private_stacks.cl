// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.9: stacks in private arrays, whose tops are pushed, replaced, popped and read across iterations.
// run: queens global 5
// arg: out int 5
// expect: arg0 int 2 10 4 40 92
// run: walk global 4
// arg: buffer int 7 2 9 1 3 8 12 0 0
// arg: out int 4
// expect: arg1 int 42 2088 1 5868
// run: overwritten global 4
// arg: buffer int 1 2 3 9 2 5 4 7
// arg: out int 4
// expect: arg1 int 85418835 16921722 16361535 81875622
// The number of ways to place 4 to 8 queens: the top is the set of squares left to try in its row.
kernel void queens(global int *ways)
{
    const int size = get_global_id(0) + 4;
    const uint all = (1u << size) - 1;
    uint left[9], columns[9], up[9], down[9];
    int row = 0, found = 0;
    columns[0] = up[0] = down[0] = 0;
    left[0] = all;
    while (row >= 0) {
        if (left[row] == 0) {
            row--;
            continue;
        }
        uint square = left[row] & -left[row];
        left[row] &= left[row] - 1;
        if (row + 1 == size) {
            found++;
            continue;
        }
        columns[row + 1] = columns[row] | square;
        up[row + 1] = (up[row] | square) << 1;
        down[row + 1] = (down[row] | square) >> 1;
        row++;
        left[row] = all & ~(columns[row] | up[row] | down[row]);
    }
    ways[get_global_id(0)] = found;
}

// A tree in an array, walked depth first with none to two pushes for each node; the result depends on the order. With one
// push at most, a continue follows it.
kernel void walk(global const int *tree, global int *results)
{
    const int order = get_global_id(0);
    int stack[8], top = 0, sum = 0;
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        sum = order == 0 ? sum + tree[node] : order == 3 ? sum * 3 + tree[node] : sum * 2 + (node & 3) * 16 + tree[node];
        if (order == 2) {
            sum = node;
            if (2 * node + 1 < 3)
                stack[top++] = 2 * node + 1;
            continue;
        }
        if (2 * node + 2 < 7)
            stack[top++] = 2 * node + 2;
        if (2 * node + 1 < 7)
            stack[top++] = 2 * node + 1;
    }
    results[order] = sum;
}

// Between the push and the next iteration's load, a store to another index may be to the same element: behind the push,
// and before the load.
kernel void overwritten(global const int *places, global int *results)
{
    const int item = get_global_id(0);
    const int count = places[7];
    int behind[8] = {5}, before[8] = {5}, sum = 0;
    for (int i = 0; i < count; i++) {
        sum = sum * 3 + behind[i];
        behind[i + 1] = i + 10;
        behind[places[(i + item) & 7] & 7] = i + 100;
    }
    for (int i = 0; i < count; i++) {
        before[places[(i + item) & 7] & 7] = i + 100;
        sum = sum * 3 + before[i];
        before[i + 1] = i + 10;
    }
    results[item] = sum;
}
