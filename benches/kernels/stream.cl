// Kernels that read and write large arrays once.

kernel void saxpy(global const float *x, global float *y, float a) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

kernel void triad(global const float *b, global const float *c, global float *a, float s) {
    size_t i = get_global_id(0);
    a[i] = b[i] + s * c[i];
}

kernel void saxpy_half(global const half *x, global half *y, float a) {
    size_t i = get_global_id(0);
    vstore_half(a * vload_half(i, x) + vload_half(i, y), i, y);
}

struct particle {
    float4 place, speed;
    float mass, charge;
    uint kind, age;
};

kernel void update(global struct particle *all, float4 field, float step) {
    global struct particle *p = &all[get_global_id(0)];
    float4 speed = p->speed + field * (p->charge / p->mass * step);
    p->place += speed * step;
    p->speed = speed;
    p->age++;
}

// One row of a matrix of bytes against a vector, four bytes at a time; columns of work-items are contiguous.
kernel void dot_char4(global const char4 *matrix, global const char4 *vector, global int *out, int columns) {
    int row = get_global_id(0), rows = get_global_size(0), total = 0;
    for (int k = 0; k < columns; k++) {
        int4 product = convert_int4(matrix[k * rows + row]) * convert_int4(vector[k]);
        total += product.x + product.y + product.z + product.w;
    }
    out[row] = total;
}

// Sums `per_item` numbers in each work-item and then the group by a tree; one result for each group.
kernel void reduce(global const uint *in, global uint *out, local uint *tree, uint per_item) {
    uint l = get_local_id(0), n = get_local_size(0), total = 0;
    size_t base = get_group_id(0) * (size_t)n * per_item;
    for (uint j = 0; j < per_item; j++)
        total += in[base + j * n + l];
    tree[l] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint stride = n / 2; stride > 0; stride /= 2) {
        if (l < stride)
            tree[l] += tree[l + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = tree[0];
}

#ifdef COLLECTIVES
kernel void reduce_group(global const uint *in, global uint *out, uint per_item) {
    uint l = get_local_id(0), n = get_local_size(0), total = 0;
    size_t base = get_group_id(0) * (size_t)n * per_item;
    for (uint j = 0; j < per_item; j++)
        total += in[base + j * n + l];
    total = work_group_reduce_add(total);
    if (l == 0)
        out[get_group_id(0)] = total;
}
#endif

#ifdef SUBGROUPS
kernel void reduce_subgroup(global const uint *in, global uint *out, local uint *parts, uint per_item) {
    uint l = get_local_id(0), n = get_local_size(0), total = 0;
    size_t base = get_group_id(0) * (size_t)n * per_item;
    for (uint j = 0; j < per_item; j++)
        total += in[base + j * n + l];
    total = sub_group_reduce_add(total);
    if (get_sub_group_local_id() == 0)
        parts[get_sub_group_id()] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (uint s = 1; s < get_num_sub_groups(); s++)
            total += parts[s];
        out[get_group_id(0)] = total;
    }
}
#endif

kernel void histogram(global const uchar *in, global uint *bins, uint size) {
    local uint mine[256];
    uint l = get_local_id(0), n = get_local_size(0);
    for (uint b = l; b < 256; b += n)
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < size; i += get_global_size(0))
        atomic_inc(&mine[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < 256; b += n)
        atomic_add(&bins[b], mine[b]);
}

kernel void histogram_global(global const uchar *in, global uint *bins) {
    atomic_inc(&bins[in[get_global_id(0)]]);
}
