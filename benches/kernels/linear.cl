// Kernels that live on memory bandwidth and barriers.

kernel void saxpy(global const float *x, global float *y, float a) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

// C = A * B for square matrices of n, by 16x16 tiles in local memory.
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

// Exclusive scan of 512 numbers by 256 work-items (Blelloch); the totals of the blocks go to `totals`.
kernel void scan_blocks(global const uint *in, global uint *out, global uint *totals) {
    local uint tree[512];
    uint l = get_local_id(0), stride = 1;
    size_t base = get_group_id(0) * 512;
    tree[2 * l] = in[base + 2 * l];
    tree[2 * l + 1] = in[base + 2 * l + 1];
    for (uint active = 256; active > 0; active >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active)
            tree[stride * (2 * l + 2) - 1] += tree[stride * (2 * l + 1) - 1];
        stride <<= 1;
    }
    if (l == 0) {
        totals[get_group_id(0)] = tree[511];
        tree[511] = 0;
    }
    for (uint active = 1; active < 512; active <<= 1) {
        stride >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            uint a = stride * (2 * l + 1) - 1, b = stride * (2 * l + 2) - 1, left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = tree[2 * l];
    out[base + 2 * l + 1] = tree[2 * l + 1];
}

kernel void scan_add(global uint *out, global const uint *totals) {
    uint add = totals[get_group_id(0)];
    size_t at = get_group_id(0) * 512 + get_local_id(0);
    out[at] += add;
    out[at + 256] += add;
}

kernel void transpose(global const float *in, global float *out, int n) {
    local float tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_group_id(1) * 16 + lx, y = get_group_id(0) * 16 + ly;
    out[y * n + x] = tile[lx][ly];
}

// Five-point Jacobi step; the rim stays as it is.
kernel void stencil(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[at] = in[at];
    else
        out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

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
