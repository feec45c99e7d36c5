// The barrier is three calls away, and each caller has live values around the call.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L + 7*i + 5*(i%L) + 3
int innermost(local int *tmp, int x) {
    uint l = get_local_id(0);
    tmp[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[(l + 1) % get_local_size(0)];
}
int middle(local int *tmp, int x) {
    int five = 5 * get_local_id(0);
    return innermost(tmp, x) + five;
}
int outermost(local int *tmp, int x) {
    int seven = 7 * x;
    int y = middle(tmp, x);
    return y + seven;
}
kernel void k(global int *out, local int *tmp) {
    int three = 3;
    out[get_global_id(0)] = outermost(tmp, get_global_id(0)) + three;
}
