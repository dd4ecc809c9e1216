// options: -cl-std=CL2.0
kernel void k()
{
    enqueue_marker(0, 0, 0, 0);
}
