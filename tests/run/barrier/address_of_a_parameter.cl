// A kernel's own parameters are private variables.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: scalar int 40
// EXPECT: 0[i] = 40 + i%L + 2
kernel void k(global int *out, int x) {
    int *p = &x;
    *p += get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    x += 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *p;
}
