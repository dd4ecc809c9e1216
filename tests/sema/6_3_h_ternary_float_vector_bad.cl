kernel void k()
{
    float4 f = 1;
    f = f ? f : f;
}
