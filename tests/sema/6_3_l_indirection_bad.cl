kernel void k()
{
    int n = 1;
    float x = 1;
    *n;
    *x = 1;
}
