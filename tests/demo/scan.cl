// Exclusive scan of 256 numbers by one group of 128 work-items (Blelloch 1990): a sweep up that builds partial sums,
// and a sweep down that hands each position the sum of all before it. One barrier in each step.

kernel void scan(global const uint *in, global uint *out) {
    local uint tree[256];
    uint l = get_local_id(0), stride = 1;
    tree[2 * l] = in[2 * l];
    tree[2 * l + 1] = in[2 * l + 1];
    for (uint active = 128; active > 0; active /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active)
            tree[stride * (2 * l + 2) - 1] += tree[stride * (2 * l + 1) - 1];
        stride *= 2;
    }
    if (l == 0)
        tree[255] = 0;
    for (uint active = 1; active < 256; active *= 2) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            uint a = stride * (2 * l + 1) - 1, b = stride * (2 * l + 2) - 1, left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * l] = tree[2 * l];
    out[2 * l + 1] = tree[2 * l + 1];
}
