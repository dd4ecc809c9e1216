// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// run: k global 1
// arg: buffer int 2 10 20 30
// arg: out int 8
// expect: arg1 int 30 4 8 16 13 4 40 7
typedef int four __attribute__((vector_size(16)));
struct list {
    int count;
    int items[];
};
struct s {
    char a;
    int b;
    int c[3];
};
constant int of_b = (int)&((private struct s *)0)->b;
global long of_c = (long)&((global struct s *)0)->c[0];
constant int thirteen = (int)((private char *)0 + 13);
struct record { // fields that end another struct
    int head;
    struct list tail;
};

kernel void k(global struct list *list, global int *out)
{
    four f = {1, 2, 3, 4};
    out[0] = list->items[list->count];
    out[1] = (int)sizeof(struct list);
    out[2] = (int)sizeof(struct record);
    out[3] = (int)sizeof(four);
    out[4] = thirteen;
    out[5] = of_b;
    out[6] = f.w * list->items[0];
    out[7] = (int)of_c - 1;
}
