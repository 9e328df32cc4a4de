__constant sampler_t as_they_are = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void first_row(__read_only image2d_t picture, __global float *row)
{
    const int x = get_global_id(0);
    row[x] = read_imagef(picture, as_they_are, (int2)(x, 0)).x;
}
