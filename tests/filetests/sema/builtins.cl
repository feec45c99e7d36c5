kernel void builtins(global float *f, global int *i, float4 v) {
    f[0] = sin(1);
    f[1] = pow(v, 2.0f);
    f[2] = max(i[0], 1u);
    f[3] = dot(v, v.xyz);
    f[4] = length((float8)(1.0f));
    f[5] = fract(f[0]);
    i[0] = atomic_add(f, 1);
    i[1] = atomic_add(&i[1], 1);
    i[2] = convert_int4(v);
    i[3] = as_int2(f[0]);
    i[4] = convert_int_sat_rtx(f[0]);
    i[5] = get_global_id();
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    barrier();
    printf(i[0]);
    vload4(0, f).x;
    vstore4(v, 0, f + 1);
    float2 w = clamp(v.xy, 0.0f, 1.0f);
    undefined_builtin(w);
}
