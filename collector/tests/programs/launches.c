/* Launches kernels in ways that programs have and `kerncast run` has not. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static void good(cl_int error, const char *what) {
  if (error) {
    fprintf(stderr, "%s: %d\n", what, error);
    exit(1);
  }
}

static cl_context context;
static cl_device_id device;
static cl_int error;

static cl_program compiled(const char *source) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  good(clCompileProgram(program, 1, &device, "-DBY=3", 0, NULL, NULL, NULL, NULL), "compile");
  return program;
}

static cl_mem buffer(size_t bytes) {
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  good(error, "buffer");
  return made;
}

int main(void) {
  cl_platform_id platform;
  good(clGetPlatformIDs(1, &platform, NULL), "platform");
  good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  good(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  good(error, "queue");
  const char *source =
      "#define ADD(T) kernel void add_##T(global T *a, const T by) { a[get_global_id(0)] += by; }\n"
      "ADD(float)\n"
      "kernel void maybe(global int *a, global const int *none) { a[get_global_id(0)] = none ? none[0] : 1; }\n"
      "kernel void halves(global int *a, const ulong most) { a[get_global_id(0) / 2] = (int)most; }\n"
      "kernel void rows(global const int *starts, global const float *x, global float *y, const float least) {\n"
      "  int row = get_global_id(0);\n"
      "  float sum = least;\n"
      "  for (int i = starts[row]; i < starts[row + 1]; i++) sum += x[i];\n"
      "  y[row] = sum;\n"
      "}\n"
      "kernel void shifted(global int *a) { a[get_global_id(0)] = 1; }\n";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  good(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_mem a = buffer(4096), none = NULL;
  size_t items = 1024, group = 32, far_too_large = 1 << 20, from = 16;

  cl_kernel add = clCreateKernel(program, "add_float", &error);
  float by = 2.5F;
  good(clSetKernelArg(add, 0, sizeof a, &a), "argument");
  good(clSetKernelArg(add, 1, sizeof by, &by), "argument");
  if (!clEnqueueNDRangeKernel(queue, add, 1, NULL, &far_too_large, &far_too_large, 0, NULL, NULL)) return 1;
  good(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, &group, 0, NULL, NULL), "add");

  cl_kernel maybe = clCreateKernel(program, "maybe", &error);
  good(clSetKernelArg(maybe, 0, sizeof a, &a), "argument");
  good(clSetKernelArg(maybe, 1, sizeof none, &none), "argument");
  good(clEnqueueNDRangeKernel(queue, maybe, 1, NULL, &items, NULL, 0, NULL, NULL), "maybe");

  cl_kernel halves = clCreateKernel(program, "halves", &error);
  cl_ulong most = ~(cl_ulong)0;
  good(clSetKernelArg(halves, 0, sizeof a, &a), "argument");
  good(clSetKernelArg(halves, 1, sizeof most, &most), "argument");
  good(clEnqueueNDRangeKernel(queue, halves, 1, NULL, &items, &group, 0, NULL, NULL), "halves");

  cl_kernel rows = clCreateKernel(program, "rows", &error);
  cl_mem starts = buffer(65 * 4), x = buffer(640 * 4);
  int zeros[65] = {0};
  good(clEnqueueWriteBuffer(queue, starts, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL), "write");
  float least = FLT_MAX;
  size_t lines = 64;
  good(clSetKernelArg(rows, 0, sizeof starts, &starts), "argument");
  good(clSetKernelArg(rows, 1, sizeof x, &x), "argument");
  good(clSetKernelArg(rows, 2, sizeof a, &a), "argument");
  good(clSetKernelArg(rows, 3, sizeof least, &least), "argument");
  good(clEnqueueNDRangeKernel(queue, rows, 1, NULL, &lines, &group, 0, NULL, NULL), "rows");

  cl_kernel shifted = clCreateKernel(program, "shifted", &error);
  good(clSetKernelArg(shifted, 0, sizeof a, &a), "argument");
  items -= from;
  good(clEnqueueNDRangeKernel(queue, shifted, 1, &from, &items, NULL, 0, NULL, NULL), "shifted");

  cl_program parts[] = {compiled("int scaled(int it) { return BY * it; }"),
                        compiled("int scaled(int it);\nkernel void linked(global int *a) { a[get_global_id(0)] = BY; }")};
  cl_program whole = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error);
  good(error, "link");
  clReleaseProgram(parts[0]);
  clReleaseProgram(parts[1]);
  cl_kernel linked = clCreateKernel(whole, "linked", &error);
  good(clSetKernelArg(linked, 0, sizeof a, &a), "argument");
  good(clEnqueueNDRangeKernel(queue, linked, 1, NULL, &items, NULL, 0, NULL, NULL), "linked");
  good(clFinish(queue), "finish");
  return 0;
}
