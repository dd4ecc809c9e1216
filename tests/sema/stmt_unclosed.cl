void f(int a)
{
    if (a) {
kernel void k(global int *p)
{
    *p = 1;
}
