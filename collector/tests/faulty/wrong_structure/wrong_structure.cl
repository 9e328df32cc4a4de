typedef struct {
    int x;
    int y;
} Point;

__kernel void plain(__global const Point *points, __global int *b)
{
    b[get_global_id(0)] = points[get_global_id(0)].x;
}
