// The program whose launches examples/ncu.csv has:
//   nvcc -O3 -arch=native -o launches examples/ncu.cu
//   the command that `kerncast metrics ncu` prints, with ./launches for ./program
#include <cstdio>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t error = (call);                                                                  \
        if (error != cudaSuccess) {                                                                  \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                      \
            return 1;                                                                                \
        }                                                                                            \
    } while (0)

constexpr int TILE = 16;

// c = a b of n × n, by tiles in shared memory.
__global__ void mm(const float *a, const float *b, float *c, int n) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        a_tile[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// y = 2 x + y.
__global__ void scale_and_add(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += 2 * x[i];
}

// The mean of the four neighbours, inside a border.
__global__ void blur(const float *in, float *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

// Columns become rows, written far from each other.
__global__ void turn(const float *in, float *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

// The sum of each row, by one thread.
__global__ void row_sums(const float *in, float *sums, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += in[row * n + i];
    sums[row] = sum;
}

int main() {
    const int n = 1024, wide = 8192;
    const size_t bytes = size_t(wide) * wide * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemset(a, 0, bytes));
    CHECK(cudaMemset(b, 0, bytes));
    const dim3 square(TILE, TILE);
    mm<<<dim3(n / TILE, n / TILE), square>>>(a, b, c, n);
    scale_and_add<<<wide * wide / 256, 256>>>(a, b, wide * wide);
    blur<<<dim3(wide / TILE, wide / TILE), square>>>(a, b, wide);
    turn<<<dim3(wide / TILE, wide / TILE), square>>>(a, b, wide);
    row_sums<<<wide / 256, 256>>>(a, c, wide);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return 0;
}
