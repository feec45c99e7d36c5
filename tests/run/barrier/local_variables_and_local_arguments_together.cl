// None of them overlap.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: local L+3
// EXPECT: 0[i] = (i%L+1)%L + 10*((i%L+1)%L) + uchar((i%L+1)%L) + 2.5*2 + i/L
kernel void k(global int *out, local int *a, local uchar *b) {
    local int c[1024];
    local float d;
    local long e;
    int l = get_local_id(0), n = get_local_size(0);
    a[l] = l;
    b[l] = l;
    c[l] = 10 * l;
    if (l == 0) {
        d = 2.5f;
        e = get_group_id(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = (l + 1) % n;
    out[get_global_id(0)] = a[next] + c[next] + b[next] + (int)(d * 2) + (int)e;
}
