kernel void k(global int *g)
{
    +g;
    ~g;
}
