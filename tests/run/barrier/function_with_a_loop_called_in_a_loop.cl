// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+0+1+2+3)%L
int rotated(local int *tmp, int x, int times) {
    uint l = get_local_id(0);
    for (int j = 0; j < times; j++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return x;
}
kernel void k(global int *out, local int *tmp) {
    int x = get_global_id(0);
    for (int times = 0; times < 4; times++)
        x = rotated(tmp, x, times);
    out[get_global_id(0)] = x;
}
