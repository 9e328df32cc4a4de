/* Built-in functions of OpenCL C that give one of their results through a pointer. A device's compiler puts them in
   place, and the result in a register; as calls they would keep it in memory. */
#define kerncast_OF(T, I, SPACE)                                                                                       \
  static T __attribute__((overloadable)) kerncast_sincos(T x, SPACE T *cosine) { *cosine = cos(x); return sin(x); }    \
  static T __attribute__((overloadable)) kerncast_fract(T x, SPACE T *whole) { *whole = floor(x); return x - *whole; } \
  static T __attribute__((overloadable)) kerncast_modf(T x, SPACE T *whole) { *whole = trunc(x); return x - *whole; }  \
  static T __attribute__((overloadable)) kerncast_frexp(T x, SPACE I *exponent) { *exponent = ilogb(x) + 1; return ldexp(x, -*exponent); } \
  static T __attribute__((overloadable)) kerncast_lgamma_r(T x, SPACE I *sign) { *sign = 1; return lgamma(x); }        \
  static T __attribute__((overloadable)) kerncast_remquo(T x, T y, SPACE I *part) { *part = convert_##I(rint(x / y)); return remainder(x, y); }
#define kerncast_ALL(T, SPACE)                                                                                         \
  kerncast_OF(T, int, SPACE) kerncast_OF(T##2, int2, SPACE) kerncast_OF(T##3, int3, SPACE)                             \
  kerncast_OF(T##4, int4, SPACE) kerncast_OF(T##8, int8, SPACE) kerncast_OF(T##16, int16, SPACE)
#define kerncast_IN(SPACE) kerncast_ALL(float, SPACE) kerncast_ALL(double, SPACE)
kerncast_IN(private) kerncast_IN(local) kerncast_IN(global)
#undef kerncast_IN
#undef kerncast_ALL
#undef kerncast_OF
#define sincos kerncast_sincos
#define fract kerncast_fract
#define modf kerncast_modf
#define frexp kerncast_frexp
#define lgamma_r kerncast_lgamma_r
#define remquo kerncast_remquo

/* Vectors of arrays: as calls, private arrays would have to lie in memory, and of what the address is a multiple would
   not be known. */
#define kerncast_HERE static __attribute__((overloadable, always_inline, nodebug))
#define kerncast_IN(T, N, SPACE)                                                                                       \
  kerncast_HERE T##N kerncast_vload##N(size_t place, const SPACE T *from)                                              \
  { T##N vector; __builtin_memcpy(&vector, from + N * place, N * sizeof(T)); return vector; }
#define kerncast_TO(T, N, SPACE)                                                                                       \
  kerncast_HERE void kerncast_vstore##N(T##N vector, size_t place, SPACE T *to)                                        \
  { __builtin_memcpy(to + N * place, &vector, N * sizeof(T)); }
#define kerncast_OF(T, N)                                                                                              \
  kerncast_IN(T, N, private) kerncast_IN(T, N, global) kerncast_IN(T, N, local) kerncast_IN(T, N, constant)            \
  kerncast_TO(T, N, private) kerncast_TO(T, N, global) kerncast_TO(T, N, local)
#define kerncast_ALL(T) kerncast_OF(T, 2) kerncast_OF(T, 3) kerncast_OF(T, 4) kerncast_OF(T, 8) kerncast_OF(T, 16)
kerncast_ALL(char) kerncast_ALL(uchar) kerncast_ALL(short) kerncast_ALL(ushort) kerncast_ALL(int) kerncast_ALL(uint)
kerncast_ALL(long) kerncast_ALL(ulong) kerncast_ALL(float) kerncast_ALL(double)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kerncast_ALL(half)
#endif
#undef kerncast_ALL
#undef kerncast_OF
#undef kerncast_IN
#undef kerncast_TO
#undef kerncast_HERE
#define vload2 kerncast_vload2
#define vload3 kerncast_vload3
#define vload4 kerncast_vload4
#define vload8 kerncast_vload8
#define vload16 kerncast_vload16
#define vstore2 kerncast_vstore2
#define vstore3 kerncast_vstore3
#define vstore4 kerncast_vstore4
#define vstore8 kerncast_vstore8
#define vstore16 kerncast_vstore16

/* Copies by a whole work-group: its work-items take turns. */
static bool __attribute__((overloadable)) kerncast_is_local(const local void *to) { return true; }
static bool __attribute__((overloadable)) kerncast_is_local(const global void *to) { return false; }
static size_t kerncast_item(void)
{ return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0); }
static size_t kerncast_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
#define async_work_group_strided_copy(to, from, count, stride, event) __extension__({                                  \
  __typeof__(to) kerncast_to = (to);                                                                                   \
  __typeof__(from) kerncast_from = (from);                                                                             \
  const size_t kerncast_count = (count), kerncast_stride = (stride);                                                   \
  for (size_t at = kerncast_item(); at < kerncast_count; at += kerncast_items()) {                                     \
    if (kerncast_is_local(kerncast_to)) kerncast_to[at] = kerncast_from[at * kerncast_stride];                         \
    else kerncast_to[at * kerncast_stride] = kerncast_from[at];                                                        \
  }                                                                                                                    \
  (event_t)0; })
#define async_work_group_copy(to, from, count, event) async_work_group_strided_copy(to, from, count, 1, event)
#define wait_group_events(count, events) barrier(CLK_LOCAL_MEM_FENCE)
