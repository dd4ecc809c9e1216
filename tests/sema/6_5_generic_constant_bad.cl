// options: -cl-std=CL2.0
kernel void k(constant int *ci)
{
    int *p = 0;
    p = ci;
}
