kernel void k()
{
    int n = 1;
    n++++;
    (n + 1)++;
}
