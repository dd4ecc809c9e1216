kernel void k()
{
    int arr[4];
    int other[4];
    arr = other;
}
