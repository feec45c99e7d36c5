// RUN: kernel=k local=4 groups=2
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[8] = i+1
// ARG: buffer int[4*G] out
// EXPECT: 1[i] = (i%4+1) + (i%4+3)*10 + (i%4+5)*100
kernel void k(constant int *table, global int *out) {
    local int shared[8];
    int mine[4] = { 5, 6, 7, 8 };
    if (get_local_id(0) == 0)
        for (int j = 0; j < 8; j++)
            shared[j] = j - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = vload4(0, table) + 10 * vload4(1, shared) + 100 * vload4(0, mine);
    vstore4(v, get_global_id(0), out);
}
