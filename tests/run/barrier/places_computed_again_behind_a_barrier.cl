// Places that are made of an id and of what is the same for all items: by a counter that changes behind the barrier, in rounds
// that items leave one by one, where only some items know, and where both the old and the new place are used.
// RUN: kernel=rounds local=*
// RUN: kernel=rounds local=64 groups=2
// ARG: buffer int[G] = i*5 % 17
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 9
// EXPECT: 1 as interpreted
kernel void rounds(global const int *in, global int *out, local int *tile, int steps) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), v = in[g];
    for (int p = 1; p < n; p *= 4) {
        int k = l & (p - 1), to = ((l - k) * 4 + k) % n;
        int old = (l + p) % n;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = v + to;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = tile[old] + tile[n - 1 - (l ^ (p & 1)) % n];
    }
    out[g] = v;
}

// RUN: kernel=leaves local=*
// RUN: kernel=leaves local=48 groups=2
// ARG: buffer int[G] = i*5 % 17
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 9
// EXPECT: 1 as interpreted
kernel void leaves(global const int *in, global int *out, local int *tile, int steps) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), place = 0, count = 0;
    while (true) {
        place = l + 3 * count;
        if (count >= in[g])
            break;
        count++;
    }
    tile[l] = place;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = place + tile[(l + 1) % n];
    int part = 0;
    if (l < n / 2) {
        int twice = steps * n;
        part = l * twice - (l & twice);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = sum + part;
    int before = 0, now = 0;
    for (int s = 0; s < steps; s++) {
        before = now;
        now = (l << 2) + s * s;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[(l + s) % n] - now * 3 + before;
    }
    out[g] = sum + now - before;
}
