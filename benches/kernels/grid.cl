// Kernels on two- and three-dimensional grids. Those without local memory are also read as C: grid.c checks with them.

kernel void transpose_naive(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}

// Five-point Jacobi step; the rim stays as it is.
kernel void stencil(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[at] = in[at];
    else
        out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

// Seven points in three dimensions.
kernel void stencil3d(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), plane = n * n, at = z * plane + y * n + x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
        out[at] = in[at];
    else
        out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - plane] + in[at + plane]);
}

// 5 x 5 convolution; the rim takes the nearest pixel.
kernel void convolve(global const float *in, global float *out, constant float *weights, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float total = 0;
    for (int j = -2; j <= 2; j++) {
        int row = min(max(y + j, 0), n - 1);
        for (int i = -2; i <= 2; i++) {
            int column = min(max(x + i, 0), n - 1);
            total += weights[(j + 2) * 5 + i + 2] * in[row * n + column];
        }
    }
    out[y * n + x] = total;
}

// One step of the game of life on a torus whose side is a power of two.
kernel void life(global const uchar *in, global uchar *out, int n) {
    int x = get_global_id(0), y = get_global_id(1), mask = n - 1;
    int left = (x - 1) & mask, right = (x + 1) & mask;
    global const uchar *above = in + ((y - 1) & mask) * n, *here = in + y * n, *below = in + ((y + 1) & mask) * n;
    uchar count = above[left] + above[x] + above[right] + here[left] + here[right] + below[left] + below[x] + below[right];
    out[y * n + x] = count == 3 || (count == 2 && here[x]);
}

// Step k of the shortest paths between all pairs.
kernel void floyd(global int *distance, int n, int k) {
    int x = get_global_id(0), y = get_global_id(1);
    int through = distance[y * n + k] + distance[k * n + x];
    if (through < distance[y * n + x])
        distance[y * n + x] = through;
}

#ifndef AS_C
kernel void transpose(global const float *in, global float *out, int n) {
    local float tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_group_id(1) * 16 + lx, y = get_group_id(0) * 16 + ly;
    out[y * n + x] = tile[lx][ly];
}
#endif
