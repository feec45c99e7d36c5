// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i + 2*(i/L*L + (i%L+1)%L) + uchar(i) + 3*i
struct item { uchar tag; int id; double weight; int2 pair; };
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), g = get_global_id(0);
    struct item a = { (uchar)g, g, 2.0 * g, (int2)(0, g) };
    tmp[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    a.pair.x = tmp[(l + 1) % get_local_size(0)];
    struct item b = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = b.id + 2 * b.pair.x + b.tag + (int)b.weight + b.pair.y;
}
