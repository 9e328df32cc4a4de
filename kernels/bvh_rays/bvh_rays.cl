// The triangle that a pixel's ray meets first, and how far it is: down a hierarchy of boxes, the nearer half
// first, with the others on a stack in private memory until something nearer is found. A box without triangles
// has two boxes within, side by side. A triangle is met after Möller and Trumbore (J. Graphics Tools 2 (1997)).

typedef struct {
    float lower[3];
    int first; // box within, or triangle
    float upper[3];
    int count; // of triangles
} box;

typedef struct {
    float4 eye, middle, across, down;
    int width, height;
} camera;

typedef struct {
    float3 from, way, inverse;
} ray;

#define DEEPEST 32
#define NONE (-1)
#define LEAST(v) fmin(fmin((v).x, (v).y), (v).z)
#define MOST(v) fmax(fmax((v).x, (v).y), (v).z)
#define THREE(array) (float3)((array)[0], (array)[1], (array)[2])

inline ray ray_through(camera view, float x, float y)
{
    const float4 way = view.middle + view.across * (x / view.width - 0.5f) + view.down * (y / view.height - 0.5f);
    ray made;
    made.from = view.eye.xyz;
    made.way = normalize(way.xyz);
    made.inverse = 1.0f / made.way;
    return made;
}

// How far the ray goes to a box; beyond `nearest` if it doesn't meet it before.
inline float way_to(__global const box *of, ray r, float nearest)
{
    const float3 a = (THREE(of->lower) - r.from) * r.inverse;
    const float3 b = (THREE(of->upper) - r.from) * r.inverse;
    const float enters = fmax(MOST(fmin(a, b)), 0.0f);
    const float leaves = fmin(LEAST(fmax(a, b)), nearest);
    return enters <= leaves ? enters : INFINITY;
}

// How far the ray goes to a triangle.
inline float way_to_triangle(__global const float *corners, int triangle, ray r)
{
    const float3 corner = vload3(3 * triangle, corners);
    const float3 first = vload3(3 * triangle + 1, corners) - corner;
    const float3 second = vload3(3 * triangle + 2, corners) - corner;
    const float3 p = cross(r.way, second);
    const float inverse = 1.0f / dot(first, p);
    const float3 from = r.from - corner;
    const float u = dot(from, p) * inverse;
    const float3 q = cross(from, first);
    const float v = dot(r.way, q) * inverse;
    const float away = dot(second, q) * inverse;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && away > 0.0f ? away : INFINITY;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void bvh_rays(__global const box *boxes, __global const float *corners, camera view, __global float *depths,
              __global int *triangles)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= view.width || y >= view.height)
        return;

    const ray r = ray_through(view, x + 0.5f, y + 0.5f);
    float nearest = INFINITY;
    int met = NONE;
    int stack[DEEPEST];
    float ways[DEEPEST];
    int waiting = 1;
    stack[0] = 0;
    ways[0] = 0.0f;
    while (waiting > 0) {
        --waiting;
        if (ways[waiting] >= nearest)
            continue;
        __global const box *at = boxes + stack[waiting];
        const int first = at->first, count = at->count;
        for (int k = first; k < first + count; ++k) {
            const float away = way_to_triangle(corners, k, r);
            if (away < nearest) {
                nearest = away;
                met = k;
            }
        }
        if (count > 0)
            continue;
        const float left = way_to(boxes + first, r, nearest);
        const float right = way_to(boxes + first + 1, r, nearest);
        const bool left_first = left <= right;
        const float further = left_first ? right : left;
        if (further < INFINITY) {
            stack[waiting] = first + left_first;
            ways[waiting++] = further;
        }
        if (fmin(left, right) < INFINITY) {
            stack[waiting] = first + !left_first;
            ways[waiting++] = fmin(left, right);
        }
    }
    depths[y * view.width + x] = met == NONE ? -1.0f : nearest;
    triangles[y * view.width + x] = met;
}
