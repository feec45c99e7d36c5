// Histogram equalisation: each group makes the table of new brightnesses in local memory, and after the barrier every
// pixel is scaled from its old brightness to its new one.

uint brightness(uchar4 p) { return (77u * p.x + 150u * p.y + 29u * p.z) >> 8; }

kernel void equalise(global const uchar4 *in, global uchar4 *out, global const uint *below, uint pixels) {
    local uint table[256];
    uint l = get_local_id(0), n = get_local_size(0);
    for (uint b = l; b < 256; b += n)
        table[b] = (uint)((ulong)below[b] * 255 / pixels);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = get_global_id(0); p < pixels; p += get_global_size(0)) {
        uchar4 pixel = in[p];
        uint old = brightness(pixel);
        uint4 scaled = convert_uint4(pixel) * table[old] / max(old, 1u);
        uchar4 result = convert_uchar4(min(scaled, 255u));
        result.w = 255;
        out[p] = result;
    }
}
