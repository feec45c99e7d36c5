// Kernels that live on arithmetic.

// Accelerations by all pairs; w is the mass.
kernel void nbody(global const float4 *bodies, global float4 *out, int n) {
    float4 me = bodies[get_global_id(0)], force = 0;
    for (int j = 0; j < n; j++) {
        float4 other = bodies[j], d = other - me;
        float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
        force += d * (other.w * inverse * inverse * inverse);
    }
    out[get_global_id(0)] = force;
}

// The same, a tile of bodies at a time in local memory.
kernel void nbody_tiled(global const float4 *bodies, global float4 *out, local float4 *tile, int n) {
    int l = get_local_id(0), size = get_local_size(0);
    float4 me = bodies[get_global_id(0)], force = 0;
    for (int t = 0; t < n; t += size) {
        tile[l] = bodies[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++) {
            float4 d = tile[j] - me;
            float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            force += d * (tile[j].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = force;
}

kernel void mandelbrot(global int *out, int n, int limit) {
    int px = get_global_id(0), py = get_global_id(1), count = 0;
    float cx = -2.0f + 3.0f * px / n, cy = -1.5f + 3.0f * py / n, x = 0, y = 0;
    while (count < limit && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        count++;
    }
    out[py * n + px] = count;
}

float normal_below(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) * k *
        (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, global float *put) {
    size_t i = get_global_id(0);
    const float rate = 0.02f, volatility = 0.3f;
    float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root, n1 = normal_below(d1), n2 = normal_below(d2), discount = exp(-rate * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
}
