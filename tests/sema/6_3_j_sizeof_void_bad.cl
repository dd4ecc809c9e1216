kernel void k()
{
    int n = 1;
    n = sizeof(void);
}
