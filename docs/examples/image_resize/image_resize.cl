// resized is the picture at another size. Each pixel is the mean of the four pixels around its place, weighed by how
// near they are.

__constant sampler_t as_they_are = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float4 between(__read_only image2d_t picture, float2 place)
{
    const float2 corner = floor(place - 0.5f);
    const float2 weight = place - 0.5f - corner;
    const int2 at = convert_int2(corner);
    const float4 above = mix(read_imagef(picture, as_they_are, at), read_imagef(picture, as_they_are, at + (int2)(1, 0)),
                             weight.x);
    const float4 below = mix(read_imagef(picture, as_they_are, at + (int2)(0, 1)),
                             read_imagef(picture, as_they_are, at + (int2)(1, 1)), weight.x);
    return mix(above, below, weight.y);
}

__kernel void resize_by_pixels(__read_only image2d_t picture, __write_only image2d_t resized)
{
    const float2 ratio = convert_float2(get_image_dim(picture)) / convert_float2(get_image_dim(resized));
    for (int y = 0; y < get_image_height(resized); y++)
        for (int x = 0; x < get_image_width(resized); x++)
            write_imagef(resized, (int2)(x, y), between(picture, ((float2)(x, y) + 0.5f) * ratio));
}

__kernel void resize_by_sampler(__read_only image2d_t picture, __write_only image2d_t resized, sampler_t smooth)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(resized));
    write_imagef(resized, at, read_imagef(picture, smooth, place));
}
