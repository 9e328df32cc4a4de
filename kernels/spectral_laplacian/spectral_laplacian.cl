// The Laplacian in weak form, Dᵀ G D u, of spectral elements with POINTS³ points each, at the nodes of Gauss,
// Lobatto and Legendre: D differentiates along the three axes, G is a symmetric 3 × 3 matrix at each point. A
// work-group has an element, a work-item a column of it along z, which it keeps in private arrays.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PLANE (POINTS * POINTS)
#define CUBE (POINTS * PLANE)
#define NODE(k, j, i) (((k) * POINTS + (j)) * POINTS + (i))
#define D(i, n) derivative[(i) * POINTS + (n)]

// The derivative at node i of the polynomial that is 1 at node n and 0 at the others.
__constant double derivative[PLANE] = {
    -14.0, 18.93759860711737, -7.569289819348487, 4.297908164265175,
    -2.810188989257949, 1.9416594255441224, -1.297687388320232, 0.5,
    -3.20991570300299, 0.0, 4.543585064566564, -2.1120612143145423,
    1.2942320509135015, -0.869448098331493, 0.5735654149402641, -0.21995751477130437,
    0.7924766813205145, -2.8064757947364334, 0.0, 2.8755174059725053,
    -1.3727858318060284, 0.8450225565065105, -0.537039586157661, 0.20328456890059274,
    -0.37215043572859485, 1.0789446887904528, -2.3781872335155056, 0.0,
    2.3889243591582394, -1.1353580168811115, 0.6611573509003112, -0.243330712723791,
    0.243330712723791, -0.6611573509003112, 1.1353580168811115, -2.3889243591582394,
    0.0, 2.3781872335155056, -1.0789446887904528, 0.37215043572859485,
    -0.20328456890059274, 0.537039586157661, -0.8450225565065105, 1.3727858318060284,
    -2.8755174059725053, 0.0, 2.8064757947364334, -0.7924766813205145,
    0.21995751477130437, -0.5735654149402641, 0.869448098331493, -1.2942320509135015,
    2.1120612143145423, -4.543585064566564, 0.0, 3.20991570300299,
    -0.5, 1.297687388320232, -1.9416594255441224, 2.810188989257949,
    -4.297908164265175, 7.569289819348487, -18.93759860711737, 14.0,
};

// The metric of a point times the derivatives there.
static inline double3 flow(__global const double *metric, int node, double3 d)
{
    const double xx = metric[node], xy = metric[CUBE + node], xz = metric[2 * CUBE + node];
    const double yy = metric[3 * CUBE + node], yz = metric[4 * CUBE + node], zz = metric[5 * CUBE + node];
    return (double3)(xx * d.x + xy * d.y + xz * d.z, xy * d.x + yy * d.y + yz * d.z, xz * d.x + yz * d.y + zz * d.z);
}

// Work-items tell each other of a plane's flows through global memory.
__kernel __attribute__((reqd_work_group_size(POINTS, POINTS, 1)))
void spectral_laplacian_global(__global const double *field, __global const double *metric,
                               __global double *laplacian, __global double2 *scratch)
{
    const int i = get_local_id(0), j = get_local_id(1), element = get_group_id(1);
    field += element * CUBE;
    metric += element * 6 * CUBE;
    laplacian += element * CUBE;
    scratch += element * PLANE;

    double column[POINTS], sums[POINTS];
    #pragma unroll
    for (int k = 0; k < POINTS; ++k) {
        column[k] = field[NODE(k, j, i)];
        sums[k] = 0.0;
    }
    #pragma unroll
    for (int k = 0; k < POINTS; ++k) {
        double3 d = 0.0;
        for (int n = 0; n < POINTS; ++n) {
            d.x += D(i, n) * field[NODE(k, j, n)];
            d.y += D(j, n) * field[NODE(k, n, i)];
        }
        #pragma unroll
        for (int n = 0; n < POINTS; ++n)
            d.z += D(k, n) * column[n];
        const double3 f = flow(metric, NODE(k, j, i), d);

        barrier(CLK_GLOBAL_MEM_FENCE); // nobody reads the last plane's flows any more
        scratch[j * POINTS + i] = f.xy;
        barrier(CLK_GLOBAL_MEM_FENCE);
        #pragma unroll
        for (int n = 0; n < POINTS; ++n)
            sums[n] += D(k, n) * f.z;
        for (int n = 0; n < POINTS; ++n)
            sums[k] += D(n, i) * scratch[j * POINTS + n].x + D(n, j) * scratch[n * POINTS + i].y;
    }
    #pragma unroll
    for (int k = 0; k < POINTS; ++k)
        laplacian[NODE(k, j, i)] = sums[k];
}

// The plane, its flows and the table of derivatives are in local memory.
__kernel __attribute__((reqd_work_group_size(POINTS, POINTS, 1)))
void spectral_laplacian_local(__global const double *field, __global const double *metric,
                              __global double *laplacian)
{
    __local double table[POINTS][POINTS], plane[POINTS][POINTS];
    __local double along_x[POINTS][POINTS], along_y[POINTS][POINTS];
    const int i = get_local_id(0), j = get_local_id(1), element = get_group_id(1);
    field += element * CUBE;
    metric += element * 6 * CUBE;
    laplacian += element * CUBE;

    table[j][i] = D(j, i);
    double column[POINTS], sums[POINTS];
    #pragma unroll
    for (int k = 0; k < POINTS; ++k) {
        column[k] = field[NODE(k, j, i)];
        sums[k] = 0.0;
    }
    #pragma unroll
    for (int k = 0; k < POINTS; ++k) {
        plane[j][i] = column[k];
        barrier(CLK_LOCAL_MEM_FENCE); // the plane is complete, and nobody reads the last one's flows any more
        double3 d = 0.0;
        #pragma unroll
        for (int n = 0; n < POINTS; ++n) {
            d.x += table[i][n] * plane[j][n];
            d.y += table[j][n] * plane[n][i];
            d.z += table[k][n] * column[n];
        }
        const double3 f = flow(metric, NODE(k, j, i), d);
        along_x[j][i] = f.x;
        along_y[j][i] = f.y;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int n = 0; n < POINTS; ++n) {
            sums[n] += table[k][n] * f.z;
            sums[k] += table[n][i] * along_x[j][n] + table[n][j] * along_y[n][i];
        }
    }
    #pragma unroll
    for (int k = 0; k < POINTS; ++k)
        laplacian[NODE(k, j, i)] = sums[k];
}
