// The attraction between the electrons of every two orbitals and all nuclei. An orbital is a sum of PRIMITIVES
// Gaussian functions around its middle; the product of two is one around a place between them (Boys, Proc. R.
// Soc. A 200 (1950)), and what is left is Boys's function F₀(t) = ∫ exp(−t s²) ds over 0 to 1. The matrix is
// symmetric: a work-item has a place on or below the diagonal and writes its mirror image, too.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PRIMITIVES 3
#define PI 3.14159265358979323846
#define NEGLIGIBLE 30.0 // exp(−this)

// Of an s orbital: three Gaussians in place of an exponential function (Hehre, Stewart and Pople, 1969).
__constant double exponents[PRIMITIVES] = {3.42525091, 0.62391373, 0.16885540};
__constant double weights[PRIMITIVES] = {0.15432897, 0.53532814, 0.44463454};

static inline double boys(double t)
{
    if (t < 1e-3)
        return 1.0 - t * (1.0 / 3.0 - t * (0.1 - t / 42.0));
    const double root = sqrt(t);
    return 0.5 * sqrt(PI) / root * erf(root);
}

static inline double normal(double exponent)
{
    return pow(2.0 * exponent / PI, 0.75);
}

static inline double squared_distance(double4 a, double4 b)
{
    const double3 apart = a.xyz - b.xyz;
    return dot(apart, apart);
}

static inline double attraction(double4 middle, double exponent, __constant double4 *nuclei, int nuclei_number)
{
    double sum = 0.0;
    for (int n = 0; n < nuclei_number; ++n)
        sum -= nuclei[n].w * boys(exponent * squared_distance(middle, nuclei[n]));
    return 2.0 * PI / exponent * sum;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void nuclear_attraction(__global const double4 *orbitals, __constant double4 *nuclei, __global double *integrals,
                        int orbitals_number, int nuclei_number)
{
    const int column = get_global_id(0), row = get_global_id(1);
    if (row >= orbitals_number || column > row)
        return;

    const double4 a = orbitals[row], b = orbitals[column];
    const double apart = squared_distance(a, b);
    double sum = 0.0;
    for (int i = 0; i < PRIMITIVES; ++i) {
        const double first = exponents[i] * a.w * a.w;
        for (int j = 0; j < PRIMITIVES; ++j) {
            const double second = exponents[j] * b.w * b.w;
            const double both = first + second;
            const double decay = first * second / both * apart;
            if (decay > NEGLIGIBLE)
                continue;
            const double4 middle = (first * a + second * b) / both;
            const double size = weights[i] * weights[j] * normal(first) * normal(second) * exp(-decay);
            sum += size * attraction(middle, both, nuclei, nuclei_number);
        }
    }
    integrals[row * orbitals_number + column] = sum;
    integrals[column * orbitals_number + row] = sum;
}
