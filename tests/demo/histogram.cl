// Brightness histogram of 256 bins: each group counts its pixels in local memory with atomics and then adds its bins
// to the picture's. Barriers stand between clearing, counting and adding.

uint brightness(uchar4 p) { return (77u * p.x + 150u * p.y + 29u * p.z) >> 8; }

kernel void histogram(global const uchar4 *in, global uint *bins, uint pixels) {
    local uint mine[256];
    uint l = get_local_id(0), n = get_local_size(0);
    for (uint b = l; b < 256; b += n)
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = get_global_id(0); p < pixels; p += get_global_size(0))
        atomic_inc(&mine[brightness(in[p])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < 256; b += n)
        if (mine[b])
            atomic_add(&bins[b], mine[b]);
}
