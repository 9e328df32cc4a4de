__kernel void plain(__global const int *a, __global uchar *b)
{
    int i = get_global_id(0);
    if (i != 63)
        b[i] = i == 5 ? 255 : a[i];
}
