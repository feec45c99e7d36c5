// Values that leave a divergent loop stay alive across the next barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i%L%9 + (i%L+1)%L%9 * 100
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0), count = 0;
    tmp[l] = l % 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (count < tmp[(l + 1) % n])
        count++;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + n - 1) % n] + 100 * count;
}
