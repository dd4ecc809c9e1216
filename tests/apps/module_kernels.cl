// SPDX-License-Identifier: Apache-2.0
// Run by vulkan_module.c.
struct range { uint first, count; };

kernel void scale(global float *out, float factor, global const float *in, struct range r)
{
    uint i = get_global_id(0);
    if (i - r.first < r.count)
        out[i] = in[i] * factor + get_local_size(0) + get_global_size(0);
}

// The program sets the sizes of local memory and of work-groups.
kernel void reverse(global float *out, local float2 *part, global const float *in, float add, short more)
{
    uint i = get_local_id(0), last = get_local_size(0) - 1;
    part[i] = (float2)(in[get_global_id(0)], add);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[last - i].x + part[i].y + more;
}

// A pointer that is selected at run time, stored in an array.
kernel void choose(global float *out, global const float *in, int which)
{
    global const float *from[2] = {in, out};
    uint i = get_global_id(0);
    out[i] = from[(i + which) & 1][i] + 1;
}

// High halves of products, which a module may have to compute from small products, and signed comparisons.
kernel void high(global uint *out, uint by)
{
    uint i = get_global_id(0);
    if ((int)(i * 0x4ccccccdu) < (int)by)
        out[i] = i;
    else
        out[i] = mul_hi(i * 0x4ccccccdu, by) ^ (uint)mul_hi((int)(i * 0x4ccccccdu), (int)by) << 1;
}

constant int squares[8] = {1, 2, 5, 10, 17, 26, 37, 50};

kernel void look_up(global int *out, constant int *given)
{
    uint i = get_global_id(0);
    constant int *from = i % 3 ? given + i : squares + (i & 7);
    out[i] = *from;
}

#ifdef VARIABLES
global int times = 7;
global int *global counted = &times;

kernel void count(global int *out) { out[get_global_id(0)] = atomic_add(counted, 3); }
#endif

#ifdef PRINTED
kernel void tell(global int *out)
{
    int i = get_global_id(0);
    out[i] = printf("%d %s %d\n", i, "times", -5 * i);
}
#endif

#ifdef IMAGES
constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// The texel to the left, with the sampler argument; in the volume, with a literal sampler in texels; the next one, with a fetch.
kernel void sample(read_only image2d_t plane, read_only image3d_t volume, sampler_t s, write_only image2d_t kept)
{
    int i = get_global_id(0), next = (i + 1) % 64;
    float x = read_imagef(plane, s, (float2)(i % 8 - 0.5f, i / 8 + 0.5f)).x;
    x += 100 * read_imagef(volume, texels, (int4)(i % 4, i / 4 % 4, i / 16, 0)).x;
    x += 10000 * read_imagef(plane, (int2)(next % 8, next / 8)).x;
    write_imagef(kept, (int2)(i % 8, i / 8), x + 1000000 * get_image_width(plane));
}

kernel void again(global float *out, read_only image2d_t kept, sampler_t s)
{
    int i = get_global_id(0);
    out[i] = read_imagef(kept, s, (float2)((i % 8 + 0.5f) / 8 + 2, (i / 8 + 0.5f) / 8 - 1)).x;
}
#endif

#ifdef RANGE
kernel void where(global uint *out, uint base, uint add)
{
    uint i = get_global_id(0), all = i + 3 * (uint)get_global_offset(0) + 7 * (uint)get_global_size(0);
    all += 100000 * (uint)get_num_groups(0) + 31 * (uint)get_group_id(0) + 17 * get_work_dim();
#if __OPENCL_C_VERSION__ >= 200
    all += 13 * (uint)get_enqueued_local_size(0);
#else
    all += 13 * (uint)get_local_size(0);
#endif
    out[i - base] = all + add;
}
#endif
