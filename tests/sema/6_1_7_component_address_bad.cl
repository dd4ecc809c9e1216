kernel void k()
{
    float4 f = 1;
    &f.x;
    &f[1];
}
