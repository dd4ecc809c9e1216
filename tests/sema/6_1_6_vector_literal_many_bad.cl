kernel void k()
{
    float4 f = 1;
    f = (float4)(f, 1);
}
