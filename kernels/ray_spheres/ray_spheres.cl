// depths[y][x] = how far the nearest sphere is along the ray through pixel (x, y), or −1 where there is
// none. Spheres have their middles in x, y, z and, in w, what says their radii. A work-item has a pixel,
// and only those whose ray meets a sphere look closer.

#define EYE (-3.0f)

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void ray_spheres(__global const float4 *spheres, __global float *depths, int spheres_number)
{
    const int width = get_global_size(0), height = get_global_size(1);
    const int x = get_global_id(0), y = get_global_id(1);
    const float3 ray = normalize((float3)((x + 0.5f) / width - 0.5f, (y + 0.5f) / height - 0.5f, 1.0f));

    float nearest = INFINITY;
    for (int i = 0; i < spheres_number; ++i) {
        const float4 sphere = spheres[i];
        const float3 away = sphere.xyz - (float3)(0.0f, 0.0f, EYE);
        const float radius = 0.05f + 0.05f * fabs(sphere.w);
        const float along = dot(away, ray);
        const float beside = dot(away, away) - along * along; // squared, from the middle to the ray
        if (beside < radius * radius)
            nearest = fmin(nearest, along - sqrt(radius * radius - beside));
    }
    depths[y * width + x] = nearest < INFINITY ? nearest : -1.0f;
}
