// common[p] = how many neighbours the two vertices of pair p have in common: what counting triangles does
// for every edge. Every vertex has `degree` neighbours, ascending. A work-item goes along two lists at
// once.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void common_neighbours(__global const int *neighbours, __global const int2 *pairs, __global int *common,
                       int degree)
{
    const int2 pair = pairs[get_global_id(0)];
    __global const int *first = neighbours + pair.x * degree;
    __global const int *second = neighbours + pair.y * degree;

    int count = 0;
    for (int i = 0, j = 0; i < degree && j < degree;) {
        const int a = first[i], b = second[j];
        count += a == b;
        i += a <= b;
        j += b <= a;
    }
    common[get_global_id(0)] = count;
}
