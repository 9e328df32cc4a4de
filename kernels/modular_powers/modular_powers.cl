// powers[i] = bases[i] to the power exponents[i], to the modulus moduli[i] | 1, by squaring, in
// Montgomery's form (1985): multiplications take the place of divisions. Bases are smaller than moduli,
// and moduli than 2⁶³. A work-item has a number; it multiplies once more for every bit of its exponent
// that is 1.

// a · b / 2⁶⁴ to an odd modulus; `inverse` is −1 / modulus to 2⁶⁴.
ulong montgomery(ulong a, ulong b, ulong modulus, ulong inverse)
{
    const ulong low = a * b;
    const ulong sum = mul_hi(a, b) + mul_hi(low * inverse, modulus) + (low != 0);
    return sum < modulus ? sum : sum - modulus;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void modular_powers(__global const ulong *bases, __global const ulong *exponents,
                    __global const ulong *moduli, __global ulong *powers)
{
    const int i = get_global_id(0);
    const ulong modulus = moduli[i] | 1;

    ulong inverse = modulus; // right to 3 bits; every step doubles them
    for (int bits = 3; bits < 64; bits *= 2)
        inverse *= 2 - modulus * inverse;
    inverse = -inverse;

    const ulong one = -modulus % modulus; // 2⁶⁴ to the modulus
    ulong square = one;                   // 2¹²⁸: doubled 64 times
    for (int bit = 0; bit < 64; ++bit)
        square = square < modulus - square ? 2 * square : 2 * square - modulus;

    ulong base = montgomery(bases[i], square, modulus, inverse);
    ulong power = one;
    for (ulong exponent = exponents[i]; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            power = montgomery(power, base, modulus, inverse);
        base = montgomery(base, base, modulus, inverse);
    }
    powers[i] = montgomery(power, 1, modulus, inverse);
}
