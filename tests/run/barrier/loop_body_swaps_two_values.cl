// Loop-carried values that exchange places in every iteration.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[2*G] out
// ARG: local 4*L
// EXPECT: 0[i] = i < G ? 2000 + (i/L*L + (i%L+5)%L) : i - G
// RUN: kernel=k2 local=7
// ARG: buffer int[2*G] out
// EXPECT: 0[i] = i < G ? 5*(i%7) : 8*(i%7)
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0), total = get_global_size(0);
    int a = get_global_id(0), b = 2000 + get_global_id(0);
    for (int step = 0; step < 5; step++) {
        int old = a;
        a = b;
        b = old;
        // Only the value that starts in b moves to the left neighbour.
        tmp[l] = step % 2 ? b : a;
        barrier(CLK_LOCAL_MEM_FENCE);
        int moved = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step % 2)
            b = moved;
        else
            a = moved;
    }
    out[get_global_id(0)] = a;
    out[total + get_global_id(0)] = b;
}
kernel void k2(global int *out) {
    int a = 0, b = get_local_id(0);
    for (int step = 0; step < 5; step++) {
        int next = a + b;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = b;
        b = next;
    }
    out[get_global_id(0)] = a;
    out[get_global_size(0) + get_global_id(0)] = b;
}
