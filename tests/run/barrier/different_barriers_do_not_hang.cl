// Work-items of one group wait at different barriers: no order is promised, but each goes on along its own path.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%L%2 ? i+1 : 2*i
// SKIP-PEER: undefined before us
kernel void k(global int *out) {
    int g = get_global_id(0), x;
    if (get_local_id(0) % 2) {
        x = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += 1;
    } else {
        x = 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        x *= g;
    }
    out[g] = x;
}
