// What C takes with a warning, functions of the library take too; memory of another kind, nothing does.
kernel void taken(global float *f, global int *i, global uint *u, constant int *c, local float *l, global atomic_int *a) {
  float whole;
  uint exponent;
  vstore4((uint4)(1), 0, i);
  f[0] = vload4(0, i).x;
  f[1] = modf(f[2], (int *)&whole);
  f[2] = frexp(f[3], (float *)&exponent);
  atomic_add(f, 1);
  atomic_fetch_add(i, 1);
  vstore4((int4)(1), 0, f);
  f[4] = fract(f[5], &exponent);
  const global float *fixed = f;
  vstore4((float4)(1), 0, fixed);
}

kernel void refused(global float *f, global int *i, constant int *c, local float *l) {
  vstore4((int4)(1), 0, c);
  f[0] = modf(f[1], 1.0f);
  async_work_group_copy(l, i, 16, 0);
  prefetch(c, 1);
}
