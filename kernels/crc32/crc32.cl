// The CRC-32 (ISO 3309; that of zlib) of every record of `length` bytes, byte by byte with the table of
// Sarwate (1988). A work-item has one record.

#define TABLE 256

// The table is read from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void crc32_global(__global const uchar *bytes, __global const uint *table, __global uint *checksums,
                  int length)
{
    const int record = get_global_id(0);

    uint crc = 0xFFFFFFFFu;
    for (int i = 0; i < length; ++i)
        crc = table[(crc ^ bytes[record * length + i]) & 0xFF] ^ (crc >> 8);
    checksums[record] = ~crc;
}

// The work-group brings the table to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void crc32_local(__global const uchar *bytes, __global const uint *table, __global uint *checksums,
                 int length)
{
    __local uint shared_table[TABLE];
    const int record = get_global_id(0);

    for (int i = get_local_id(0); i < TABLE; i += GROUP)
        shared_table[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint crc = 0xFFFFFFFFu;
    for (int i = 0; i < length; ++i)
        crc = shared_table[(crc ^ bytes[record * length + i]) & 0xFF] ^ (crc >> 8);
    checksums[record] = ~crc;
}
