// The loop's condition itself meets a barrier on every evaluation.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 6 + 7
int bump(local int *counter) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        ++*counter;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *counter;
}
kernel void k(global int *out) {
    local int counter;
    int rounds = 0;
    if (get_local_id(0) == 0)
        counter = 0;
    while (bump(&counter) < 7)
        rounds++;
    out[get_global_id(0)] = rounds + counter;
}
