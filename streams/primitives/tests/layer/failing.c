/* A layer of the OpenCL loader (OPENCL_LAYERS) in which one call fails, as a driver's would. The file that
   KERNCAST_FAILING names says which: "clEnqueueWriteBuffer 3" is the fourth call of that name. It is removed once that
   call has failed. */

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct _cl_icd_dispatch below, ours;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int fails(const char *call) {
  const char *path = getenv("KERNCAST_FAILING");
  char named[64] = "";
  int left = -1;
  int now = 0;
  pthread_mutex_lock(&one_at_a_time);
  FILE *file = path ? fopen(path, "r") : NULL;
  if (file) {
    if (fscanf(file, "%63s %d", named, &left) == 2 && !strcmp(named, call)) now = left == 0;
    else left = -1;
    fclose(file);
  }
  if (now) {
    unlink(path);
  } else if (left > 0) {
    file = fopen(path, "w");
    if (file) {
      fprintf(file, "%s %d", call, left - 1);
      fclose(file);
    }
  }
  pthread_mutex_unlock(&one_at_a_time);
  return now;
}

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                                     cl_int *why) {
  if (fails("clCreateBuffer")) {
    if (why) *why = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
  }
  return below.clCreateBuffer(context, flags, bytes, host, why);
}

static CL_API_ENTRY cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                                     const char *options,
                                                     void(CL_CALLBACK *told)(cl_program, void *), void *with) {
  if (fails("clBuildProgram")) return CL_OUT_OF_HOST_MEMORY;
  return below.clBuildProgram(program, count, devices, options, told, with);
}

static CL_API_ENTRY cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *why) {
  if (fails("clCreateKernel")) {
    if (why) *why = CL_OUT_OF_RESOURCES;
    return NULL;
  }
  return below.clCreateKernel(program, name, why);
}

static CL_API_ENTRY cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem to, cl_bool blocking, size_t at,
                                                    size_t bytes, const void *from, cl_uint count,
                                                    const cl_event *after, cl_event *event) {
  if (fails("clEnqueueWriteBuffer")) return CL_OUT_OF_RESOURCES;
  return below.clEnqueueWriteBuffer(queue, to, blocking, at, bytes, from, count, after, event);
}

static CL_API_ENTRY cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem from, cl_bool blocking, size_t at,
                                                   size_t bytes, void *to, cl_uint count, const cl_event *after,
                                                   cl_event *event) {
  if (fails("clEnqueueReadBuffer")) return CL_OUT_OF_RESOURCES;
  return below.clEnqueueReadBuffer(queue, from, blocking, at, bytes, to, count, after, event);
}

static CL_API_ENTRY cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                              const size_t *offset, const size_t *global, const size_t *local,
                                              cl_uint count, const cl_event *after, cl_event *event) {
  if (fails("clEnqueueNDRangeKernel")) return CL_OUT_OF_RESOURCES;
  return below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, after, event);
}

static CL_API_ENTRY void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 cl_map_flags flags, size_t at, size_t bytes, cl_uint count,
                                                 const cl_event *after, cl_event *event, cl_int *why) {
  if (fails("clEnqueueMapBuffer")) {
    if (why) *why = CL_OUT_OF_RESOURCES;
    return NULL;
  }
  return below.clEnqueueMapBuffer(queue, buffer, blocking, flags, at, bytes, count, after, event, why);
}

/* What was under way has ended in an error, as of a device that is lost. */
static CL_API_ENTRY cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events) {
  cl_int waited = below.clWaitForEvents(count, events);
  return fails("clWaitForEvents") ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : waited;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info asked, size_t bytes, void *value, size_t *needed) {
  if (asked != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value && bytes < sizeof(cl_layer_api_version)) return CL_INVALID_VALUE;
  if (value) *(cl_layer_api_version *)value = CL_LAYER_API_VERSION_100;
  if (needed) *needed = sizeof(cl_layer_api_version);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target, cl_uint *ours_count,
                                            const struct _cl_icd_dispatch **made) {
  size_t bytes = count * sizeof(void *);
  memcpy(&below, target, bytes < sizeof below ? bytes : sizeof below);
  ours = below;
  ours.clCreateBuffer = create_buffer;
  ours.clBuildProgram = build_program;
  ours.clCreateKernel = create_kernel;
  ours.clEnqueueWriteBuffer = write_buffer;
  ours.clEnqueueReadBuffer = read_buffer;
  ours.clEnqueueNDRangeKernel = launch;
  ours.clEnqueueMapBuffer = map_buffer;
  ours.clWaitForEvents = wait_for_events;
  *ours_count = sizeof ours / sizeof(void *);
  *made = &ours;
  return CL_SUCCESS;
}
