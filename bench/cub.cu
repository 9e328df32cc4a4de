// CUB on data that lie in device memory: what primitives/examples/rates --cub compares with. nvcc -O3 -o cub bench/cub.cu
// A line of JSON for each of a sum, an inclusive sum and a sort of u32: seconds from event to event around a call, of each
// repetition after one that warms up, and their median.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t why = (call);                                                                  \
        if (why != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(why));                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void fill(uint32_t *all, uint64_t n) {
    for (uint64_t at = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; at < n; at += gridDim.x * (uint64_t)blockDim.x) {
        uint64_t z = (at + 1) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        all[at] = (uint32_t)((z ^ (z >> 31)) >> 32);
    }
}

// `call` of scratch memory and its size: first without, so that it says how much it needs.
template <typename Call> void timed(const char *what, int repeats, Call call) {
    size_t bytes = 0;
    void *scratch = nullptr;
    CHECK(call(nullptr, bytes));
    CHECK(cudaMalloc(&scratch, std::max<size_t>(bytes, 1)));
    cudaEvent_t start, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    std::vector<double> seconds;
    for (int round = 0; round <= repeats; ++round) {
        CHECK(cudaEventRecord(start));
        CHECK(call(scratch, bytes));
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, start, end));
        if (round > 0)
            seconds.push_back(ms * 1e-3);
    }
    CHECK(cudaFree(scratch));
    printf("{\"what\": \"%s\", \"seconds\": [", what);
    for (size_t at = 0; at < seconds.size(); ++at)
        printf("%s%.9g", at ? ", " : "", seconds[at]);
    std::sort(seconds.begin(), seconds.end());
    printf("], \"median\": %.9g}\n", seconds[seconds.size() / 2]);
}

int main(int count, char **arguments) {
    if (count != 3 || atoll(arguments[1]) < 1 || atoi(arguments[2]) < 1) {
        fprintf(stderr, "expected the number of elements, and of repetitions\n");
        return 2;
    }
    int64_t n = atoll(arguments[1]);
    int repeats = atoi(arguments[2]);
    uint32_t *in, *out;
    CHECK(cudaMalloc(&in, 4 * n));
    CHECK(cudaMalloc(&out, 4 * n));
    fill<<<4096, 256>>>(in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    timed("reduce", repeats, [&](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
    });
    timed("scan", repeats, [&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
    });
    timed("sort", repeats, [&](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n);
    });
    return 0;
}
