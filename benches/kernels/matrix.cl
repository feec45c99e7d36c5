// Linear algebra and transforms.

kernel void sgemm_naive(global const float *a, global const float *b, global float *c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float total = 0;
    for (int k = 0; k < n; k++)
        total += a[y * n + k] * b[k * n + x];
    c[y * n + x] = total;
}

// By 16x16 tiles in local memory.
kernel void sgemm(global const float *a, global const float *b, global float *c, int n) {
    local float ta[16][16], tb[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float total = 0;
    for (int t = 0; t < n; t += 16) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            total += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = total;
}

// Each work-item makes a block of 4 x 4 of the result in registers.
kernel void sgemm_float4(global const float *a, global const float4 *b, global float4 *c, int n) {
    int x = get_global_id(0), y = get_global_id(1) * 4, m = n / 4;
    float4 r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    for (int k = 0; k < n; k += 4) {
        float4 a0 = vload4(0, a + y * n + k), a1 = vload4(0, a + (y + 1) * n + k);
        float4 a2 = vload4(0, a + (y + 2) * n + k), a3 = vload4(0, a + (y + 3) * n + k);
        float4 b0 = b[k * m + x], b1 = b[(k + 1) * m + x], b2 = b[(k + 2) * m + x], b3 = b[(k + 3) * m + x];
        r0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
        r1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
        r2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
        r3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
    }
    c[y * m + x] = r0;
    c[(y + 1) * m + x] = r1;
    c[(y + 2) * m + x] = r2;
    c[(y + 3) * m + x] = r3;
}

#ifdef cl_khr_fp64
kernel void dgemm_naive(global const double *a, global const double *b, global double *c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    double total = 0;
    for (int k = 0; k < n; k++)
        total += a[y * n + k] * b[k * n + x];
    c[y * n + x] = total;
}
#endif

// Sparse matrix (compressed rows) times vector, a row for each work-item.
kernel void spmv(global const int *starts, global const int *columns, global const float *values,
                 global const float *x, global float *y) {
    int row = get_global_id(0);
    float total = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        total += values[k] * x[columns[k]];
    y[row] = total;
}

// Fourier transform of 1024 complex numbers by 256 work-items: five passes of radix 4 (Stockham) in local memory.
kernel void fft(global const float2 *in, global float2 *out) {
    local float2 buffer[1024];
    int l = get_local_id(0);
    size_t base = get_group_id(0) * 1024;
    float2 v0 = in[base + l], v1 = in[base + l + 256], v2 = in[base + l + 512], v3 = in[base + l + 768];
    for (int p = 1; p < 1024; p *= 4) {
        int k = l & (p - 1);
        float angle = -6.283185307f * k / (4 * p);
        float2 w1 = (float2)(native_cos(angle), native_sin(angle));
        float2 w2 = (float2)(w1.x * w1.x - w1.y * w1.y, 2 * w1.x * w1.y);
        float2 w3 = (float2)(w1.x * w2.x - w1.y * w2.y, w1.x * w2.y + w1.y * w2.x);
        float2 t1 = (float2)(v1.x * w1.x - v1.y * w1.y, v1.x * w1.y + v1.y * w1.x);
        float2 t2 = (float2)(v2.x * w2.x - v2.y * w2.y, v2.x * w2.y + v2.y * w2.x);
        float2 t3 = (float2)(v3.x * w3.x - v3.y * w3.y, v3.x * w3.y + v3.y * w3.x);
        float2 s0 = v0 + t2, s1 = v0 - t2, s2 = t1 + t3, s3 = (float2)(t1.y - t3.y, t3.x - t1.x);
        int to = (l - k) * 4 + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        buffer[to] = s0 + s2;
        buffer[to + p] = s1 + s3;
        buffer[to + 2 * p] = s0 - s2;
        buffer[to + 3 * p] = s1 - s3;
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = buffer[l], v1 = buffer[l + 256], v2 = buffer[l + 512], v3 = buffer[l + 768];
    }
    out[base + l] = v0;
    out[base + l + 256] = v1;
    out[base + l + 512] = v2;
    out[base + l + 768] = v3;
}
