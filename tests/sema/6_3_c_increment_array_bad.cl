kernel void k()
{
    int arr[4];
    arr++;
}
