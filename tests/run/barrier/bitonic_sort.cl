// Each group sorts its slice, which holds every number below L once.
// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=2 groups=3
// RUN: kernel=k local=16 groups=3
// RUN: kernel=k local=64 groups=3
// RUN: kernel=k local=256 groups=3
// RUN: kernel=k local=1024 groups=3
// ARG: buffer int[G] = (i%L*5 + 3) % L
// ARG: local 4*L
// EXPECT: 0[i] = i%L
kernel void k(global int *data, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    tmp[l] = data[get_global_id(0)];
    for (uint size = 2; size <= n; size *= 2) {
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = l ^ stride;
            if (other > l) {
                int a = tmp[l], b = tmp[other];
                if (((l & size) == 0) == (a > b)) {
                    tmp[l] = b;
                    tmp[other] = a;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tmp[l];
}
