__kernel void uniform_work(__global uint *b, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (uint i = 0; i < 16; i++)
        sum = sum * 1664525u + x + i;
    b[y * n + x] = sum & 0x7fffffff;
}
