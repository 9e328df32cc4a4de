#ifdef K_CONST_ARG
__kernel void const_arg(__global float *o, __constant float *c, __constant uchar4 *b, int n)
{ int i = get_global_id(0); float s = 0; for (int k = 0; k < n; ++k) s += c[(i + k) % n] * b[k].y; o[i] = s; }
#endif
#ifdef K_CONST_FILE
__constant float table[8] = {1.5f, 2, 3, 5, 7, 11, 13, 17};
__kernel void const_file(__global float *o) { int i = get_global_id(0); o[i] = table[i & 7]; }
#endif
#ifdef K_CONST_BOTH
__constant float table[8] = {1.5f, 2, 3, 5, 7, 11, 13, 17};
__kernel void const_both(__global float *o, __constant float *c) { int i = get_global_id(0); o[i] = table[i & 7] + c[i & 7]; }
#endif
#ifdef K_CONST_TRIG
__kernel void const_trig(__global float *o, __constant float *c) { int i = get_global_id(0); o[i] = sin(c[i & 7] * 1e5f); }
#endif
#ifdef K_IDS
__kernel void ids(__global uint *o)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) * get_global_size(0) + x - get_global_offset(0);
    uint h = get_work_dim();
    for (uint d = 0; d < 3; ++d) {
        h = h * 31 + get_global_id(d); h = h * 31 + get_local_id(d); h = h * 31 + get_group_id(d);
        h = h * 31 + get_num_groups(d); h = h * 31 + get_global_size(d); h = h * 31 + get_local_size(d); h = h * 31 + get_global_offset(d);
    }
    o[i] = h;
}
#endif
#ifdef K_LOCALS
__kernel void locals(__global float *o, __local char *a, __local double *b, __local float4 *c)
{
    __local float s[64];
    int l = get_local_id(0), n = get_local_size(0);
    a[l] = l; b[l] = 0.5 * l; c[l] = (float4)(l, 1, 2, 3); s[l % 64] = get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int m = n - 1 - l;
    o[get_global_id(0)] = a[m] + b[m] + c[m].x + c[m].w + s[m % 64];
}
#endif
#ifdef K_VALUES
typedef struct { float a; int b[3]; double c; } values;
__kernel void byvalue(__global float *o, values v, float4 w, char c, ushort s, long l, uchar3 t)
{ int i = get_global_id(0); o[i] = v.a + v.b[i % 3] + v.c + w.z + c + s + l + t.z; }
#endif
#ifdef K_IMAGE
__kernel void image(__global float4 *o, read_only image2d_t im, sampler_t sm)
{ int i = get_global_id(0); o[i] = read_imagef(im, sm, (float2)(i * 0.1f, 0.3f)); }
#endif
#ifdef K_SAMPLER
__constant sampler_t sm = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void sampler(__global float4 *o, read_only image2d_t im, write_only image2d_t out)
{ int i = get_global_id(0); float4 v = read_imagef(im, sm, (int2)(i, 0)); o[i] = v; write_imagef(out, (int2)(i, 1), v); }
#endif
#ifdef K_PRINTF
__kernel void print(__global float *o) { int i = get_global_id(0); o[i] = i; if (i == 3) printf("%d of %s\n", i, "x"); }
#endif
#ifdef K_ATOMICS
__kernel void atomics(__global int *o, __global uint *u, __local int *l)
{ int i = get_global_id(0); if (get_local_id(0) == 0) l[0] = 0; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&l[0], i); atomic_inc(&u[i % 7]); atomic_max(&o[i % 5], i); atomic_cmpxchg(&u[8], i, i + 1); barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(&o[6], l[0]); }
#endif
#ifdef K_CALLS
__attribute__((noinline)) float helper(__global const float *a, __local float *b, int n)
{ float s = 0; for (int i = 0; i < n; ++i) s += a[i] * b[i % 4] + get_num_groups(0); return s; }
__kernel void calls(__global float *o, __global const float *a, __local float *b)
{ b[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = helper(a, b, get_global_id(0)); }
#endif
#ifdef K_MATH
__kernel void mathematics(__global double *o, __global const double *a, __global const float *b, __global float *p)
{ int i = get_global_id(0); o[i] = sin(a[i]) + exp(a[i]) + pow(a[i], 1.3) + log(fabs(a[i]) + 1) + sqrt(fabs(a[i])) + erf(a[i]);
  p[i] = sin(b[i]) + native_exp(b[i]) + pow(b[i], 1.3f) + rsqrt(fabs(b[i]) + 1) + tgamma(b[i] + 3) + fmod(b[i], 0.3f) + b[i] / (b[i] + 2); }
#endif
#ifdef K_GENERIC
float first(const float *p, int i) { return p[i]; }
__kernel void generic_space(__global float *o, __global const float *a, __local float *l)
{ int i = get_local_id(0); l[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = first(i & 1 ? (float *)l : (float *)a, i); }
#endif
#ifdef K_ASYNC
__kernel void async_copy(__global float * restrict o, __global const float * restrict a, __local float *l)
{ event_t e = async_work_group_copy(l, a + get_group_id(0) * get_local_size(0), get_local_size(0), 0); wait_group_events(1, &e);
  o[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)]; }
#endif
#ifdef K_HALF
__kernel void halves(__global float *o, __global const half *h) { int i = get_global_id(0); o[i] = vload_half(i, h); float4 v = vload_half4(i, h); o[i] += v.w; }
#endif
#ifdef K_SUBGROUP
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void subgroup(__global int *o) { int i = get_global_id(0); o[i] = sub_group_reduce_add(i) + get_sub_group_id() * 3 + get_num_sub_groups(); }
#endif
#ifdef K_BIGLOCAL
__kernel void biglocal(__global float *o, __local float *big, int n)
{ int l = get_local_id(0), s = get_local_size(0); for (int i = l; i < n; i += s) big[i] = i + get_group_id(0); barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = big[n - 1 - l]; }
#endif
#ifdef K_CONST_STRUCT
typedef struct { float4 p; int k; } item;
__kernel void const_struct(__global float *o, __constant item *c, __global const int *at)
{ int i = get_global_id(0); item v = c[at[i] & 3]; o[i] = v.p.x + v.p.w * v.k; }
#endif
#ifdef K_CONST_CALL
__attribute__((noinline)) float pick(__constant float *c, int i) { return c[i * 2]; }
__kernel void const_call(__global float *o, __constant float *c) { int i = get_global_id(0); o[i] = pick(c, i & 3); }
#endif
#ifdef K_CONST_MIX
__constant float table[8] = {1.5f, 2, 3, 5, 7, 11, 13, 17};
__kernel void mix_a(__global float *o) { int i = get_global_id(0); o[i] = table[i & 7]; }
__kernel void mix_b(__global float *o, __constant float *c) { int i = get_global_id(0); o[i] = c[i & 7]; }
#endif
#ifdef K_GLOBAL_VAR
__global int counter = 3;
__kernel void global_var(__global int *o) { int i = get_global_id(0); o[i] = counter + i; }
#endif
