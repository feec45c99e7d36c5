// Each kernel has barriers and a local variable of its own.
// RUN: kernel=left local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i/L*L + (i%L+1)%L
// RUN: kernel=right local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i/L*L + (i%L+L-1)%L
kernel void left(global int *out) {
    local int tmp[1024];
    tmp[get_local_id(0)] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void right(global int *out) {
    local int tmp[1024];
    tmp[get_local_id(0)] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(get_local_id(0) + get_local_size(0) - 1) % get_local_size(0)];
}
