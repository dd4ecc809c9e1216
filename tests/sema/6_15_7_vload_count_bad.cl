kernel void k()
{
    float4 f = 1;
    f = vload4(0);
}
