kernel void k()
{
    int n = 1;
    n(1);
}
