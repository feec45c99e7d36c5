// Separable Gaussian blur. Each 16x16 group first brings its tile and the rim into local memory; the barrier
// separates the loads of all work-items from the sums that read their neighbours' pixels.

#define TILE 16
#define SPAN (TILE + 2 * RADIUS)

// Along x: bytes to floats.
kernel void blur_rows(global const uchar4 *in, global float4 *out, constant float *weights, int width, int height) {
    local float4 tile[TILE][SPAN];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int row = min(y, height - 1) * width, left = get_group_id(0) * TILE - RADIUS;
    for (int j = lx; j < SPAN; j += TILE)
        tile[ly][j] = convert_float4(in[row + clamp(left + j, 0, width - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= width || y >= height)
        return;
    float4 total = 0;
    for (int j = 0; j <= 2 * RADIUS; j++)
        total += weights[j] * tile[ly][lx + j];
    out[row + x] = total;
}

// Along y: floats to bytes, rounded to nearest.
kernel void blur_columns(global const float4 *in, global uchar4 *out, constant float *weights, int width, int height) {
    local float4 tile[SPAN][TILE];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int column = min(x, width - 1), top = get_group_id(1) * TILE - RADIUS;
    for (int j = ly; j < SPAN; j += TILE)
        tile[j][lx] = in[clamp(top + j, 0, height - 1) * width + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= width || y >= height)
        return;
    float4 total = 0;
    for (int j = 0; j <= 2 * RADIUS; j++)
        total += weights[j] * tile[ly + j][lx];
    out[y * width + x] = convert_uchar4_sat_rte(total);
}
