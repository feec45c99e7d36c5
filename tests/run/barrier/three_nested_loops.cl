// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 2
// EXPECT: 0[i] = i/L*L + (i%L + 8)%L + 4*100 + 2*10000
kernel void k(global int *out, local int *tmp, int n) {
    uint l = get_local_id(0), size = get_local_size(0);
    int x = get_global_id(0), middle = 0, outer = 0;
    for (int a = 0; a < n; a++) {
        int b = 0;
        while (b < n) {
            int c = 0;
            do {
                tmp[l] = x;
                barrier(CLK_LOCAL_MEM_FENCE);
                x = tmp[(l + 1) % size];
                barrier(CLK_LOCAL_MEM_FENCE);
                c++;
            } while (c < n);
            middle += 100;
            b++;
        }
        outer += 10000;
    }
    out[get_global_id(0)] = x + middle + outer;
}
