/* Local-memory loads, after Okamoto, Ito, Nakano and Bordim (CANDAR 2014): each work-item makes LOADS
   loads of 8 bytes, ROUNDS times over. With CLOCK each warp also says when it began and when its last
   value was there. */

#ifdef cl_khr_fp64
typedef double word;
#else
typedef ulong word; /* as wide, so as many banks */
#endif

#define WARP 32
#define SIDE 32 /* rows and columns of the tile; a column is a bank of 8 bytes */

#ifdef CLOCK
#define READ_CLOCK(ticks) asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks) : : "memory")
/* Waits until `value` is there, which is never 0xffffffff. A clock read takes no operand, so without the
   predicate it would not wait for any load. */
#define READ_CLOCK_AFTER(value, ticks) \
    asm volatile("{\n\t" \
                 ".reg .pred there;\n\t" \
                 "setp.ne.u32 there, %1, 0xffffffff;\n\t" \
                 "mov.u32 %0, 0;\n\t" \
                 "@there mov.u32 %0, %%clock;\n\t" \
                 "}" : "=r"(ticks) : "r"(value) : "memory")
#endif

__kernel void local_memory(const uint congestion, __global uint *sums, __global uint *starts, __global uint *ends)
{
    __local word tile[SIDE * SIDE];
    const uint item = get_local_id(0);
    const uint lane = item % WARP;
    for (uint k = item; k < SIDE * SIDE; k += get_local_size(0))
#ifdef cl_khr_fp64
        tile[k] = as_double(1UL);
#else
        tile[k] = 1UL;
#endif
    /* The diagonal has one lane a column; the first `congestion` lanes move to column 0. */
    volatile __local word *at = tile + lane * SIDE + (lane < congestion ? 0 : lane);
    uint total = 0;
    for (uint round = 0; round < ROUNDS; ++round) {
        uint sum = 0;
        /* Also waits for the stores of the round before, which take the same way as loads. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#ifdef CLOCK
        uint start, end;
        READ_CLOCK(start);
#endif
#pragma unroll
        for (int load = 0; load < LOADS; ++load) {
            /* Both halves: of a word whose upper half nobody wants, NVIDIA's compiler loads 4 bytes. */
            const uint2 halves = as_uint2(*at);
            sum += halves.x + halves.y;
        }
#ifdef CLOCK
        READ_CLOCK_AFTER(sum, end);
        if (lane == 0) {
            starts[round * WARP + item / WARP] = start;
            ends[round * WARP + item / WARP] = end;
        }
#endif
        total += sum;
    }
    sums[item] = total;
}
