// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 || (i/L*L + (i%L+1)%L) % 3 == 1 ? 10 : 20
// SKIP-PEER: PoCL 3.1 gives wrong results with -cl-opt-disable
int rotated(local int *tmp, int x) {
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    int x = get_global_id(0);
    if (get_group_id(0) % 2 == 1 || rotated(tmp, x) % 3 == 1)
        out[x] = 10;
    else
        out[x] = 20;
}
