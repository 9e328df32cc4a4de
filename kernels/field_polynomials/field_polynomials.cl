// values[p][x] = the polynomial p at the point x, over the whole numbers modulo the prime PRIME, by Horner's rule
// and products in Montgomery's form (1985). A work-item has one polynomial at four points.

#define TILE 64
#define WIDE 32
#define HIGH 4

#ifndef PRIME
#define PRIME 998244353u
#endif

__constant uint INVERSE = 998244351u; // of −PRIME modulo 2³²
__constant uint SQUARE = 932051910u;  // of 2³², modulo PRIME

inline uint4 reduced(uint4 number)
{
    return min(number, number - PRIME); // wraps where it is below
}

// a b / 2³²
static inline uint4 product(uint4 a, uint4 b)
{
    const uint4 low = a * b;
    const uint4 carry = as_uint4(low != 0) & 1;
    return reduced(mul_hi(a, b) + mul_hi(low * INVERSE, (uint4)PRIME) + carry);
}

static inline uint4 next_term(uint4 sum, uint4 point, uint coefficient)
{
    return reduced(product(sum, point) + coefficient);
}

__kernel void field_polynomials_global(__global const uint4 *points, __global const uint *coefficients,
                                       __global uint4 *values, uint quads, uint terms)
{
    const uint quad = get_global_id(0), polynomial = get_global_id(1);
    if (quad >= quads)
        return;

    const uint4 point = product(points[quad], (uint4)SQUARE);
    __global const uint *own = coefficients + polynomial * terms;
    uint4 sum = 0;
    for (uint i = 0; i < terms; ++i)
        sum = next_term(sum, point, own[i]);
    values[polynomial * quads + quad] = sum;
}

// A work-group's coefficients come through local memory, TILE of each polynomial at a time.
__kernel __attribute__((reqd_work_group_size(WIDE, HIGH, 1)))
void field_polynomials_local(__global const uint4 *points, __global const uint *coefficients,
                             __global uint4 *values, uint quads, uint terms)
{
    __local uint tile[HIGH][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint quad = get_global_id(0), polynomial = get_global_id(1);

    const uint4 point = product(points[min(quad, quads - 1)], (uint4)SQUARE);
    uint4 sum = 0;
    for (uint start = 0; start < terms; start += TILE) {
        const uint count = min((uint)TILE, terms - start);
        for (uint i = x; i < count; i += WIDE)
            tile[y][i] = coefficients[mad24(polynomial, terms, start + i)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < count; ++i)
            sum = next_term(sum, point, tile[y][i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (quad < quads)
        values[polynomial * quads + quad] = sum;
}
